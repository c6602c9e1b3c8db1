import * as vscode from 'vscode';
import { stateWord, typeWord } from '../../../core/backlog/stateWords.ts';
import { capacityOf } from '../../../core/backlog/velocity.ts';
import { failureMeans, kindOf, messageOf } from '../../../core/errors.ts';
import type { OutboxEntry } from '../../../core/outbox/outbox.ts';
import type { Project } from '../../../core/story/project.ts';
import type { Account } from '../../../host/accounts/account.ts';
import type { Backlogs } from '../../../host/projects/backlogs.ts';
import { localDays } from '../../../host/shell/localDays.ts';
import { countedPoints } from '../../../host/story/estimatedEdit.ts';
import type { GroupNode, IterationNode } from '../../../host/tree/nodes.ts';
import { acceptedPoints, iterationDates, totalPoints } from './rowFacts.ts';
import type { StoryCount } from './shownProject.ts';

/** What the row of stories with something in common says. */
interface GroupTexts {
  readonly label: string;
  readonly description: string;
  readonly spoken: string;
}

export function groupTexts(node: GroupNode): GroupTexts {
  const { stories, total } = node;
  const label = groupLabel(node);
  const spokenLabel = `${groupingLabel(node.by)} ${label}`;
  if (total !== undefined) {
    const counted = vscode.l10n.t('{0} of {1} stories shown', stories.length, total);
    return { label, description: countedOf(stories.length, total), spoken: `${spokenLabel}, ${counted}` };
  }
  const parts = [countedStories(stories.length), countedPoints(totalPoints(stories))];
  return { label, description: parts.join(' · '), spoken: [spokenLabel, ...parts].join(', ') };
}

export function groupLabel({ by, value }: Pick<GroupNode, 'by' | 'value'>): string {
  if (value !== undefined && value.trim() !== '') {
    if (by === 'state') return stateWord(value);
    return by === 'type' ? typeWord(value) : value;
  }
  return by === 'owner' ? vscode.l10n.t('No owner') : vscode.l10n.t('No label');
}

export function groupingLabel(by: GroupNode['by'] | 'iteration'): string {
  const labels = {
    iteration: vscode.l10n.t('Iteration'),
    state: vscode.l10n.t('State'),
    owner: vscode.l10n.t('Owner'),
    label: vscode.l10n.t('Label'),
    type: vscode.l10n.t('Type'),
  };
  return labels[by];
}

export function countedStories(count: number): string {
  return count === 1 ? vscode.l10n.t('1 story') : vscode.l10n.t('{0} stories', count);
}

function countedIterations(count: number): string {
  return count === 1 ? vscode.l10n.t('1 iteration') : vscode.l10n.t('{0} iterations', count);
}

/** How many a filter leaves, as in "3 of 12". */
export function countedOf(shown: number, total: number): string {
  return vscode.l10n.t('{0} of {1}', shown, total);
}

/** What the row of an iteration, of the icebox or of all done iterations says. */
interface IterationTexts {
  readonly label: string;
  readonly description: string;
  readonly spoken: string;
  readonly tooltip: string;
}

/** `doneCount`: how many done iterations are loaded. */
export function iterationTexts(node: IterationNode, project: Project | undefined, doneCount: number): IterationTexts {
  const label = labelOf(node);
  const dates = node.iteration && iterationDates(node.iteration, vscode.env.language);
  const points = totalPoints(node.stories);
  const capacity = pointsThatFit(node, project);
  const long = capacity === undefined ? countedPoints(points) : vscode.l10n.t('{0} of {1} points', points, capacity);
  if (node.total !== undefined) return filteredTexts(node, label, dates, node.total);
  // Where nothing is planned, there are no points to speak of.
  if (node.iteration && node.stories.length === 0) return emptyTexts(label, dates);
  const short = capacity === undefined ? countedPoints(points) : vscode.l10n.t('{0}/{1} points', points, capacity);
  const group = node.group === 'done' ? countedIterations(doneCount) : countedStories(node.stories.length);
  return {
    label,
    description: node.iteration ? joined(' · ', dates, short) : group,
    spoken: node.iteration ? joined(', ', label, dates, long) : joined(', ', label, group),
    tooltip: joined('\n', label, dates, joined(', ', countedStories(node.stories.length), long), ...particulars(node)),
  };
}

function emptyTexts(label: string, dates: string | undefined): IterationTexts {
  const none = vscode.l10n.t('No stories');
  return {
    label,
    description: joined(' · ', dates, none),
    spoken: joined(', ', label, dates, none),
    tooltip: joined('\n', label, dates, none),
  };
}

/** While a filter hides stories, points would say nothing: the row says how many are left. */
function filteredTexts({ stories }: IterationNode, label: string, dates: string | undefined, total: number) {
  const count = countedOf(stories.length, total);
  const counted = vscode.l10n.t('{0} of {1} stories shown', stories.length, total);
  return {
    label,
    description: joined(' · ', dates, count),
    spoken: joined(', ', label, dates, counted),
    tooltip: joined('\n', label, dates, counted),
  };
}

function labelOf({ group, iteration }: IterationNode): string {
  if (!iteration) return group === 'done' ? vscode.l10n.t('Done') : vscode.l10n.t('Icebox');
  if (group === 'current') return vscode.l10n.t('Current {0}', iteration.number);
  if (group === 'done') return vscode.l10n.t('Done {0}', iteration.number);
  return vscode.l10n.t('Backlog {0}', iteration.number);
}

function particulars({ iteration, stories }: IterationNode): readonly string[] {
  const accepted = acceptedPoints(stories);
  const strength = iteration?.teamStrength ?? 1;
  return [
    ...(accepted > 0 ? [vscode.l10n.t('{0} accepted', countedPoints(accepted))] : []),
    ...(strength === 1 ? [] : [vscode.l10n.t('Team strength: {0}%', Math.round(strength * 100))]),
  ];
}

/** The velocity, less where the team is not whole; nothing to hold done iterations and the icebox against. */
function pointsThatFit({ group, iteration }: IterationNode, project: Project | undefined): number | undefined {
  const velocity = project?.currentVelocity;
  if (!iteration || group === 'done' || velocity === undefined) return undefined;
  return capacityOf({ share: iteration.teamStrength ?? 1 }, velocity);
}

function joined(separator: string, ...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part).join(separator);
}

/** A filter and what it leaves of all stories that were read. */
export interface Filtered extends StoryCount {
  readonly text: string;
}

export interface ViewNotice {
  /** Above the rows: why they are not the newest. */
  readonly message: string | undefined;
  /** Beside the view's title. */
  readonly description: string | undefined;
}

type KnownOfServers = Pick<Backlogs, 'failures' | 'isSlow' | 'readAt' | 'signInOf' | 'unsent'>;

/** What the view says about how new its rows are. */
export function viewNotice(
  backlogs: KnownOfServers,
  accounts: readonly Account[],
  filtered: Filtered | undefined,
): ViewNotice {
  const { failures, readAt } = backlogs;
  const others = firstOfEach(failures).filter(({ error }) => !isSignedOut(error));
  const sentences = others.map(({ account, error }) => {
    const sentence = messageOf(error);
    return accounts.length > 1 && !sentence.includes(account.label) ? `${account.label}: ${sentence}` : sentence;
  });
  const age = readAt === undefined || accounts.length === 0 ? undefined : vscode.l10n.t('as of {0}', clock(readAt));
  // Said once: beside the title, or with why it is old.
  const shown = age === undefined || failures.length < accounts.length ? [] : [vscode.l10n.t('Shown {0}.', age)];
  const stale = failures.length > 0 ? [...new Set(sentences), ...shown] : [];
  const slow = accounts
    .filter(({ id }) => backlogs.isSlow(id))
    .map(({ label }) => vscode.l10n.t('{0} is slow to answer.', label));
  const lines = [...(filtered ? [filterText(filtered)] : []), ...stale, ...slow, ...unsentTexts(backlogs)];
  return {
    message: lines.length > 0 ? lines.join('\n') : undefined,
    description: [filtered?.text, shown.length > 0 ? undefined : age].filter((part) => part).join(' · ') || undefined,
  };
}

/** The accounts whose servers do not accept the sign-in any more, each of which has a row. */
export function signedOut({ failures }: Pick<KnownOfServers, 'failures'>): readonly Account[] {
  const accounts = failures.filter(({ error }) => isSignedOut(error)).map(({ account }) => account);
  return [...new Map(accounts.map((account) => [account.id, account])).values()];
}

/** Where there is nothing to show because servers could not be asked. */
export function unreadText({ failures }: Pick<KnownOfServers, 'failures'>): string | undefined {
  return failures.some(({ error }) => !isSignedOut(error))
    ? vscode.l10n.t('Your projects could not be read.')
    : undefined;
}

/** Only what a server said: without a sign-in there is no account. */
function isSignedOut(error: unknown): boolean {
  return failureMeans(kindOf(error), 'signIn');
}

/** One sentence a server is enough to act on; what else failed there is in the log. */
function firstOfEach(failures: Backlogs['failures']): Backlogs['failures'] {
  return [...new Map(failures.toReversed().map((failure) => [failure.account.id, failure])).values()].toReversed();
}

/** What each server has not taken yet. */
function unsentTexts(backlogs: Pick<Backlogs, 'isSlow' | 'unsent' | 'signInOf'>): readonly string[] {
  const { unsent } = backlogs;
  const waits = new Set(unsent.flatMap(({ state, project }) => (state === 'waiting' ? [project.accountId] : [])));
  // What is being sent is gone in a moment, unless its server takes so long that others wait behind it.
  const isUnsent = ({ state, project: { accountId } }: OutboxEntry) =>
    state === 'waiting' || (state === 'sending' && (waits.has(accountId) || backlogs.isSlow(accountId)));
  const waiting = Map.groupBy(unsent.filter(isUnsent), ({ project }) => project.accountId);
  const refused = unsent.filter(({ state }) => state === 'failed').length;
  const texts = [...waiting.values()].flatMap((entries) => {
    const [first] = entries;
    if (!first) return [];
    const host = backlogs.signInOf(first.project);
    return entries.length === 1
      ? vscode.l10n.t('1 unsent change for {0}.', host)
      : vscode.l10n.t('{0} unsent changes for {1}.', entries.length, host);
  });
  if (refused === 1) texts.push(vscode.l10n.t('1 change was refused. Run "Show Unsent Changes" to see why.'));
  if (refused > 1)
    texts.push(vscode.l10n.t('{0} changes were refused. Run "Show Unsent Changes" to see why.', refused));
  return texts;
}

function filterText({ text, shown, total }: Filtered): string {
  return vscode.l10n.t('Filter: {0} ({1} of {2} stories)', text, shown, total);
}

/** The time, with its day unless that is today. */
function clock(time: number): string {
  const isToday = localDays.dayAt(time) === localDays.dayAt(Date.now());
  const day = isToday ? {} : ({ day: 'numeric', month: 'short' } as const);
  return new Intl.DateTimeFormat(vscode.env.language, { ...day, hour: '2-digit', minute: '2-digit' }).format(time);
}
