import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import { messageOf, TrackerError } from '../../core/errors.ts';
import type { Tracker } from '../../core/ports/tracker.ts';
import type { ImportReport } from '../../core/story/importReport.ts';
import { isSameProject } from '../../core/story/projectKey.ts';
import type { Account } from '../../host/accounts/account.ts';
import type { App } from '../../host/app.ts';
import type { ProjectEntry } from '../../host/projects/projectList.ts';
import { isPlainObject } from '../../host/shell/commands.ts';
import { withoutIcons } from '../../host/shell/plainText.ts';
import { ProjectNode } from '../../host/tree/nodes.ts';
import { exported } from './exportProject.ts';
import { type SentFiles, storyFilesIn } from './importFolder.ts';
import { type Destination, imported, importing } from './importStories.ts';
import { withCancel } from './transferArgument.ts';
import { failedText, filesText, newIdsText, storiesText } from './transferTexts.ts';

export { exportProject } from './exportProject.ts';
export { importStories } from './importStories.ts';

type Needs = Pick<App, 'accounts' | 'backlogs' | 'engine' | 'log' | 'messages' | 'storiesView'>;

/** What a program is told. */
interface MoveResult {
  /** On the server. */
  readonly projectId: number;
  readonly stories: number;
  /** The new IDs of stories whose own are in use there, by those. */
  readonly newIds: Readonly<Record<string, number>>;
  readonly files: SentFiles;
}

interface Move {
  readonly entry: ProjectEntry;
  readonly to: Destination;
  /** Where the project lies on its way. */
  readonly folder: string;
}

type Report = (progress: { readonly message?: string; readonly increment?: number }) => void;
type Run = <T>(work: (signal: AbortSignal | undefined, report: Report) => Promise<T>) => Thenable<T>;

const PAGE = 100;

/**
 * Copies a project of the built-in service to a server, with its order, the person's own name and the attached files. Stories keep their IDs
 * where those are free. By the argument of a program, `{ projectId, baseUrl }`, or by asking a person.
 */
export async function moveToServer(needs: Needs, asked: unknown): Promise<MoveResult | undefined> {
  const program = isPlainObject(asked) && asked.caller !== 'person' ? asked : undefined;
  const entry = await builtInProject(needs, asked);
  const account = entry && (await serverFor(needs, program));
  if (!entry || !account) return undefined;
  refuseUnsent(needs, entry);
  const title = vscode.l10n.t('Moving {0} to {1}', entry.project.name, account.label);
  const run: Run = (work) => (program ? work(undefined, () => undefined) : withCancel(title, work));
  const folder = await mkdtemp(join(tmpdir(), 'story-tracker-move-'));
  const to = { tracker: needs.accounts.tracker(account.id), accountId: account.id, host: account.label };
  try {
    const move = { entry, to, folder };
    const people = await ownAddress(needs, move, account);
    const trial = await run((signal, report) => tried(needs, move, people, signal, report));
    if (!program && !(await isConfirmed(needs, move, trial))) return undefined;
    const result = await run((signal, report) => moved(needs, move, people, signal, report));
    if (!program) void tell(needs, move, result);
    return result;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function builtInProject({ backlogs }: Needs, asked: unknown): Promise<ProjectEntry | undefined> {
  const own = (await backlogs.requireProjects()).filter(({ account }) => account.kind === 'builtIn');
  const isMeant = ({ key }: ProjectEntry): boolean =>
    asked instanceof ProjectNode
      ? isSameProject(key, asked.key)
      : isPlainObject(asked) && key.projectId === asked.projectId;
  if (asked instanceof ProjectNode || isPlainObject(asked) || own.length === 0) {
    const found = own.find(isMeant);
    if (found) return found;
    throw new TrackerError('notFound', vscode.l10n.t('There is no such project in the built-in service.'));
  }
  const items = own.map((entry) => ({ label: withoutIcons(entry.project.name), entry }));
  const placeHolder = vscode.l10n.t('Move which project?');
  return items.length === 1 ? items[0]?.entry : (await vscode.window.showQuickPick(items, { placeHolder }))?.entry;
}

async function serverFor(
  { accounts }: Needs,
  program: Readonly<Record<string, unknown>> | undefined,
): Promise<Account | undefined> {
  const servers = (await accounts.list()).filter(({ kind }) => kind === 'server');
  if (program) {
    const found = servers.find(({ baseUrl }) => baseUrl === program.baseUrl);
    if (found) return found;
    throw new TrackerError('input', vscode.l10n.t('Pass the address of a server you are signed in to as baseUrl.'));
  }
  if (servers.length === 0)
    throw new TrackerError(
      'unauthorized',
      vscode.l10n.t('Sign in to the server first, and then move the project to it.'),
    );
  const items = servers.map((account) => ({ label: account.label, account }));
  const placeHolder = vscode.l10n.t('Move to which server?');
  return items.length === 1 ? servers[0] : (await vscode.window.showQuickPick(items, { placeHolder }))?.account;
}

function refuseUnsent({ backlogs }: Needs, { key }: ProjectEntry): void {
  if (!backlogs.unsent.some(({ project }) => isSameProject(project, key))) return;
  throw new TrackerError(
    'conflict',
    vscode.l10n.t('Changes of this project are not sent yet. Send or discard them, and then move it.'),
  );
}

/** The person here is the one who is signed in there; other names stay names, unless members there have them. */
async function ownAddress(
  { backlogs }: Needs,
  { entry, to }: Move,
  account: Pick<Account, 'person'>,
): Promise<Readonly<Record<string, string>>> {
  const here = (await backlogs.tracker(entry.key).listMyMemberships())[0]?.person.name;
  const there = account.person?.email ?? (await addressOf(to.tracker));
  return here === undefined || there === undefined ? {} : { [here]: there };
}

/** Undefined as long as the person has no project there. */
async function addressOf(tracker: Tracker): Promise<string | undefined> {
  return (await tracker.listMyMemberships())[0]?.person.email;
}

async function tried(
  needs: Needs,
  { entry, to, folder }: Move,
  people: Readonly<Record<string, string>>,
  signal: AbortSignal | undefined,
  report: Report,
): Promise<ImportReport> {
  const target = { file: fileIn(folder), attachments: folder };
  await exported(needs, entry, target, signal, (message) => report({ message }));
  return importing(to, target.file, { people, dryRun: true }, signal, report);
}

async function moved(
  needs: Needs,
  { entry, to, folder }: Move,
  people: Readonly<Record<string, string>>,
  signal: AbortSignal | undefined,
  report: Report,
): Promise<MoveResult> {
  const file = fileIn(folder);
  const { files } = await storyFilesIn(folder);
  const made = await imported(needs, to, { file, folder, files }, { people }, signal, report);
  const { id: projectId } = made.project;
  // Whose first project it is there is known to it from now on.
  if (Object.keys(people).length === 0) {
    const known = await ownAddress(needs, { entry, to, folder }, {});
    if (Object.keys(known).length > 0) await importing({ ...to, projectId }, file, { people: known }, signal, report);
  }
  const newIds = made.renumbered === 0 ? {} : await changedIds(needs, { entry, to, folder }, projectId);
  return { projectId, stories: made.created, newIds, files: made.files };
}

async function changedIds(needs: Needs, { entry, to }: Move, projectId: number): Promise<Record<string, number>> {
  const tracker = needs.backlogs.tracker(entry.key);
  const ids: string[] = [];
  for (let offset = 0; offset === ids.length; offset += PAGE) {
    const stories = await tracker.listStories(entry.key.projectId, { limit: PAGE, offset });
    ids.push(...stories.map(({ id }) => String(id)));
  }
  const known = await to.tracker.importedIds(projectId, ids);
  const changed = known.filter(({ externalId, storyId }) => externalId !== String(storyId));
  return Object.fromEntries(changed.map(({ externalId, storyId }) => [externalId, storyId]));
}

function fileIn(folder: string): string {
  return join(folder, 'project.xml');
}

async function isConfirmed({ messages }: Needs, { entry, to }: Move, trial: ImportReport): Promise<boolean> {
  const move = vscode.l10n.t('Move');
  const question = vscode.l10n.t('Move {0} with {1} to {2}?', entry.project.name, storiesText(trial.created), to.host);
  const stays = vscode.l10n.t('The project in the built-in service stays as it is.');
  const names = vscode.l10n.t(
    'Names of other people stay on stories. Match them to members there in Project Settings.',
  );
  const detail = [newIdsText(trial.renumbered), names, stays].join('\n');
  return (await messages.ask(question, detail, move)) === move;
}

async function tell({ messages, log }: Needs, { entry, to }: Move, { stories, files }: MoveResult): Promise<void> {
  const hide = vscode.l10n.t('Hide the Old Project');
  const { name } = entry.project;
  const moved = [storiesText(stories), filesText(files.attached)];
  const text = vscode.l10n.t('Moved {0} to {1}: {2}, {3}.', name, to.host, ...moved);
  const failed = failedText(files);
  const answer = await (failed === '' ? messages.info(text, hide) : messages.offer(`${text} ${failed}`, hide));
  if (answer !== hide) return;
  const { projectId, accountId } = entry.key;
  await Promise.resolve(vscode.commands.executeCommand(commandIds.hideProject, { projectId, accountId })).catch(
    (thrown: unknown) => log.warn(messageOf(thrown)),
  );
}
