import * as vscode from 'vscode';
import { type Backlog, findStory } from '../../core/backlog/backlog.ts';
import { isCancelled, messageOf, TrackerError } from '../../core/errors.ts';
import type { Activity } from '../../core/story/activity.ts';
import { replicaAccount } from '../../host/accounts/accounts.ts';
import { ownNames } from '../../host/accounts/ownNames.ts';
import type { App } from '../../host/app.ts';
import type { ProjectEntry } from '../../host/projects/projectList.ts';
import { isPlainObject } from '../../host/shell/commands.ts';
import { plainLine } from '../../host/shell/plainText.ts';
import { activityTexts } from './activityTexts.ts';
import {
  ANSWER_LIMIT,
  askedDay,
  type Day,
  type DayChoice,
  dayChoices,
  dayIn,
  type Gap,
  gapIn,
  type ProjectDeeds,
  standUp,
} from './standUp.ts';

type Needs = Pick<App, 'accounts' | 'backlogs' | 'engine' | 'log' | 'messages' | 'workspaceMemory'>;

/** Copies what one did since a day, by story: the day named by `{ since: 'YYYY-MM-DD' }`, else one that is picked. */
export async function copyMyActivity(needs: Needs, argument: unknown): Promise<void> {
  const entries = await needs.backlogs.requireProjects();
  const day = isPlainObject(argument) ? namedDay(argument.since) : await askDay(Date.now());
  if (day === undefined) return;
  const location = vscode.ProgressLocation.Window;
  const title = vscode.l10n.t('Reading your activity…');
  const deeds = await vscode.window.withProgress({ location, title }, () => deedsSince(needs, entries, day));
  const count = deeds.reduce((sum, { activities }) => sum + activities.length, 0);
  const since = dayText(day);
  if (count === 0) {
    const remarks = deeds.flatMap(({ remark }) => remark ?? []);
    const none = vscode.l10n.t('No activity of yours since {0}. Nothing was copied.', since);
    void needs.messages.info([none, ...remarks].join(' '));
    return;
  }
  const texts = activityTexts(vscode);
  await vscode.env.clipboard.writeText(standUp(texts.title(since), deeds, texts));
  needs.messages.status(
    count === 1
      ? vscode.l10n.t('Copied 1 activity since {0}', since)
      : vscode.l10n.t('Copied {0} activities since {1}', count, since),
  );
}

function namedDay(since: unknown): Day {
  const day = typeof since === 'string' ? dayIn(since, Date.now()) : undefined;
  if (day !== undefined) return day;
  throw new TrackerError('input', vscode.l10n.t("Pass today or an earlier day as { since: 'YYYY-MM-DD' }."));
}

async function deedsSince(needs: Needs, entries: readonly ProjectEntry[], day: Day): Promise<readonly ProjectDeeds[]> {
  const names = await ownNames(needs);
  const known = entries.filter(({ account }) => names[account.id] !== undefined);
  if (known.length === 0) {
    throw new TrackerError(
      'notFound',
      vscode.l10n.t(
        'Your name on the servers is unknown. It is found through your memberships, or a story that you own or requested.',
      ),
    );
  }
  const told = await Promise.all(known.map((entry) => deedsIn(needs, entry, names[entry.account.id] ?? '', day)));
  const unnamed = entries.filter(({ account }) => names[account.id] === undefined);
  return [...told, ...new Map(unnamed.map(({ account }) => [account.id, untold(account.label)])).values()];
}

/** In place of all projects of a server that knows no name of this person. */
function untold(server: string): ProjectDeeds {
  const remark = activityTexts(vscode).unnamed(plainLine(server));
  return { projectName: server, activities: [], nameOf: () => undefined, remark };
}

async function deedsIn(needs: Needs, entry: ProjectEntry, name: string, day: Day): Promise<ProjectDeeds> {
  const texts = activityTexts(vscode);
  const projectName = plainLine(entry.project.name);
  const { activities, gap } = await activitiesSince(needs, entry, day);
  const mine = activities.filter(({ author }) => author === name);
  const backlog = mine.length > 0 ? await backlogOf(needs, entry) : undefined;
  const remark =
    gap?.kind === 'unanswered'
      ? texts.onlyKnown(projectName)
      : gap && texts.cutOff(projectName, gap.count, dayText(gap.from));
  return {
    projectName,
    activities: mine,
    nameOf: (storyId) => backlog && findStory(backlog, storyId)?.name,
    ...(remark !== undefined && { remark }),
  };
}

/** For the stories' names; those of one that cannot be read are not told. */
async function backlogOf({ backlogs, log }: Needs, { key }: ProjectEntry): Promise<Backlog | undefined> {
  try {
    return await backlogs.backlog(key);
  } catch (thrown) {
    log.warn(messageOf(thrown));
    return undefined;
  }
}

interface DayItem extends vscode.QuickPickItem {
  /** Absent for one that is to be typed. */
  readonly day?: Day;
}

/** Asks since when; `undefined` when the person turned away. */
async function askDay(now: number): Promise<Day | undefined> {
  const another: DayItem = { label: vscode.l10n.t('Another Day…') };
  const items: readonly DayItem[] = [...dayChoices(now).map((choice) => itemOf(choice)), another];
  const picked = await vscode.window.showQuickPick(items, {
    placeHolder: vscode.l10n.t('Copy your activity since when?'),
  });
  return picked === another ? typedDay(now) : picked?.day;
}

/** A day as people write it, "Friday, 20 November 2026". */
function dayText(day: Day): string {
  return new Intl.DateTimeFormat(vscode.env.language, { dateStyle: 'full' }).format(day);
}

function itemOf({ kind, day }: DayChoice): DayItem {
  const label = {
    lastWorkingDay: vscode.l10n.t('Last Working Day'),
    monday: vscode.l10n.t('Monday'),
    today: vscode.l10n.t('Today'),
  }[kind];
  return { label, description: dayText(day), day };
}

async function typedDay(now: number): Promise<Day | undefined> {
  const text = await vscode.window.showInputBox({
    prompt: vscode.l10n.t('First day to include, as YYYY-MM-DD'),
    placeHolder: 'YYYY-MM-DD',
    validateInput: (typed) =>
      typed === '' || dayIn(typed, now) !== undefined
        ? undefined
        : vscode.l10n.t('Enter today or an earlier day, as YYYY-MM-DD.'),
  });
  return text === undefined ? undefined : dayIn(text, now);
}

type SinceNeeds = Pick<App, 'backlogs' | 'engine' | 'log'>;

interface FoundActivities {
  readonly activities: readonly Activity[];
  readonly gap?: Gap;
}

/** More than the replica keeps of all projects together is never asked for. */
const KNOWN_LIMIT = 10_000;

/**
 * What happened in a project since a day. The protocol has no way to ask for what is older than an answer's last one, so
 * the replica fills in what it was told before.
 */
async function activitiesSince(needs: SinceNeeds, entry: ProjectEntry, day: Day): Promise<FoundActivities> {
  const known = await knownSince(needs, entry, day);
  try {
    const query = { projectId: entry.key.projectId, occurredSince: askedDay(day), limit: ANSWER_LIMIT };
    const answer = await needs.backlogs.tracker(entry.key).listActivities(query);
    const activities = merged(answer, known).filter((one) => isSince(one, day));
    const gap = gapIn(answer, day);
    return { activities, ...(gap && { gap }) };
  } catch (thrown) {
    if (isCancelled(thrown)) throw thrown;
    needs.log.warn(messageOf(thrown));
    return { activities: known, gap: { kind: 'unanswered' } };
  }
}

async function knownSince(
  { engine }: SinceNeeds,
  { account, key }: ProjectEntry,
  since: Day,
): Promise<readonly Activity[]> {
  const told = await engine.activityLog.told({ accounts: [replicaAccount(account)], since, limit: KNOWN_LIMIT });
  return told.filter(({ project }) => project.projectId === key.projectId).map(({ activity }) => activity);
}

function merged(answer: readonly Activity[], known: readonly Activity[]): readonly Activity[] {
  return [...answer, ...known.filter((one) => !answer.some((other) => isSame(one, other)))];
}

function isSame(one: Activity, other: Activity): boolean {
  return one.id === other.id && one.version === other.version;
}

/** One whose time nobody can read is better told than left out. */
function isSince({ occurredAt }: Activity, day: Day): boolean {
  return occurredAt?.time === undefined || occurredAt.time >= day;
}
