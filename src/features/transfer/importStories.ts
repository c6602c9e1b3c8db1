import { randomInt } from 'node:crypto';
import { basename, extname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { kindOf, messageOf, TrackerError } from '../../core/errors.ts';
import type { Tracker } from '../../core/ports/tracker.ts';
import type { ImportOptions, ImportReport } from '../../core/story/importReport.ts';
import type { App } from '../../host/app.ts';
import { isPlainObject } from '../../host/shell/commands.ts';
import { byteText } from '../../host/shell/plainText.ts';
import type { ReadOnlyTexts } from '../../host/shell/readOnlyTexts.ts';
import { isFolder, type SentFiles, type StoryFile, sendFiles, storiesIn, storyFilesIn } from './importFolder.ts';
import { confirmImport, showAll } from './importPreview.ts';
import { accountFor, explained, namedProject, pathOf, withCancel } from './transferArgument.ts';
import { countText, failedText, filesText, newAndChangedText, storiesText } from './transferTexts.ts';

type Needs = Pick<App, 'accounts' | 'backlogs' | 'engine' | 'log' | 'messages' | 'storiesView'>;

interface AskingNeeds extends Needs {
  /** Of imports, for people to read. */
  readonly reports: ReadOnlyTexts;
}

/** What is imported, and where to. */
export interface Destination {
  readonly tracker: Tracker;
  readonly accountId: string;
  readonly host: string;
  readonly projectId?: number;
  readonly projectName?: string;
}

interface Chosen {
  readonly file: string;
  /** Folder with the files of stories. */
  readonly folder: string | undefined;
  readonly files: readonly StoryFile[];
}

/** What a program is told. */
interface ImportResult extends ImportReport {
  readonly files: SentFiles;
}

const LAST_IMPORT = 2 ** 31 - 1;
const LOOK_EVERY_MS = 1_000;
const LONGEST_NAME = 200;

/** Imports a file of stories: by the argument of a program, or by asking a person (contract.md). */
export async function importStories(needs: AskingNeeds, asked: unknown): Promise<ImportResult | undefined> {
  if (isPlainObject(asked) && asked.file !== undefined) return importByProgram(needs, asked);
  const to = await destinationOf(needs, asked);
  const chosen = to && (await chooseFile());
  if (!to || !chosen) return undefined;
  const named = to.projectId === undefined ? await askName(chosen.file) : undefined;
  if (to.projectId === undefined && named === undefined) return undefined;
  const where = { ...to, ...(named !== undefined && { projectName: named }) };
  const trial = await withCancel(vscode.l10n.t('Looking at {0}', basename(chosen.file)), (signal, report) =>
    importing(where, chosen.file, { dryRun: true }, signal, report),
  );
  const previewed = { report: trial, projectId: where.projectId, tracker: where.tracker, files: chosen.files.length };
  const result = await importedAsConfirmed(needs, where, chosen, previewed);
  if (result) await tell(needs, result);
  return result;
}

/** Where the server refuses what was matched, such as an address that no user has, the question is asked again with all that was. */
async function importedAsConfirmed(
  needs: AskingNeeds,
  where: Destination,
  chosen: Chosen,
  previewed: Parameters<typeof confirmImport>[1],
): Promise<ImportResult | undefined> {
  const title = vscode.l10n.t('Importing {0}', basename(chosen.file));
  let people: Readonly<Record<string, string>> | undefined = {};
  for (;;) {
    people = await confirmImport(needs.reports, previewed, people);
    if (!people) return undefined;
    const wanted = { people };
    try {
      return await withCancel(title, (signal, report) => imported(needs, where, chosen, wanted, signal, report));
    } catch (thrown) {
      if (kindOf(thrown) !== 'refused' || Object.keys(people).length === 0) throw thrown;
      needs.messages.error(thrown);
    }
  }
}

async function importByProgram(
  needs: Needs,
  asked: Readonly<Record<string, unknown>>,
): Promise<ImportResult | undefined> {
  const given = pathOf(asked.file, 'file') ?? '';
  const chosen = await chosenOf(given, pathOf(asked.attachments, 'attachments'));
  const to = await destinationOf(needs, asked);
  if (!to) throw new TrackerError('input', vscode.l10n.t('There is no such account.'));
  const name = typeof asked.projectName === 'string' ? asked.projectName : undefined;
  const where = { ...to, ...(to.projectId === undefined && name !== undefined && { projectName: name }) };
  const people = peopleOf(asked.people);
  if (asked.dryRun === true) {
    const report = await importing(where, chosen.file, { people, dryRun: true }, undefined, () => undefined);
    return { ...report, files: { attached: 0, failed: [] } };
  }
  return imported(needs, where, chosen, { people }, undefined, () => undefined);
}

function peopleOf(given: unknown): Readonly<Record<string, string>> {
  if (given === undefined) return {};
  const pairs = isPlainObject(given) ? Object.entries(given) : [];
  if (!isPlainObject(given) || pairs.some(([, address]) => typeof address !== 'string'))
    throw new TrackerError('input', vscode.l10n.t('Pass people as an object of email addresses by names.'));
  return Object.fromEntries(pairs.map(([name, address]) => [name, String(address)]));
}

async function destinationOf(needs: Needs, asked: unknown): Promise<Destination | undefined> {
  const entry = await namedProject(needs, asked);
  if (entry) {
    const { key } = entry;
    const host = needs.backlogs.hostOf(key);
    return { tracker: needs.backlogs.tracker(key), accountId: key.accountId, host, projectId: key.projectId };
  }
  const account = await accountFor(needs, asked);
  return account && { tracker: needs.accounts.tracker(account.id), accountId: account.id, host: account.label };
}

async function chooseFile(): Promise<Chosen | undefined> {
  const file = { label: `$(file) ${vscode.l10n.t('A CSV or XML File…')}`, isFolder: false };
  const folder = { label: `$(folder) ${vscode.l10n.t('A Folder with Attachments…')}`, isFolder: true };
  const detail = vscode.l10n.t('One .csv or .xml file, and for each story a folder named after its ID, with its files');
  const placeHolder = vscode.l10n.t('What do you want to import?');
  const kind = await vscode.window.showQuickPick([file, { ...folder, detail }], { placeHolder });
  if (!kind) return undefined;
  const [uri] =
    (await vscode.window.showOpenDialog({
      canSelectFiles: !kind.isFolder,
      canSelectFolders: kind.isFolder,
      openLabel: vscode.l10n.t('Import'),
      ...(!kind.isFolder && { filters: { [vscode.l10n.t('Stories')]: ['csv', 'xml'] } }),
    })) ?? [];
  return uri && chosenOf(pathOf(uri, 'file') ?? '', undefined);
}

async function chosenOf(path: string, attachments: string | undefined): Promise<Chosen> {
  const isOfFolder = await isFolder(path);
  const folder = attachments ?? (isOfFolder ? path : undefined);
  const file = isOfFolder ? await storiesIn(path) : path;
  if (folder === undefined) return { file, folder, files: [] };
  const { files } = await storyFilesIn(folder).catch((thrown) => {
    throw new TrackerError('input', vscode.l10n.t('Could not read the folder “{0}”.', basename(folder)), {
      cause: thrown,
    });
  });
  return { file, folder, files };
}

function askName(file: string): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: vscode.l10n.t('Import Stories'),
    prompt: vscode.l10n.t('Name of the new project'),
    value: basename(file, extname(file)),
    ignoreFocusOut: true,
    validateInput: (text) =>
      text.trim() === '' || text.length > LONGEST_NAME ? vscode.l10n.t('Enter a project name.') : undefined,
  });
}

type Report = (progress: { readonly message?: string; readonly increment?: number }) => void;

/** Sends the file, and says how much of it is sent, and then how far the server is. */
export async function importing(
  { tracker, host, projectId, projectName }: Destination,
  file: string,
  wanted: Pick<ImportOptions, 'people' | 'dryRun'>,
  signal: AbortSignal | undefined,
  report: Report,
): Promise<ImportReport> {
  const importId = randomInt(1, LAST_IMPORT);
  let isOver = false;
  let isSent = false;
  const look = async (): Promise<void> => {
    while (!isOver) {
      await sleep(LOOK_EVERY_MS);
      const progress = isSent && !isOver ? await tracker.importProgress(importId).catch(() => undefined) : undefined;
      if (progress && !isOver) report({ message: storiesText(progress.stories) });
    }
  };
  const onProgress = (sent: number, total: number): void => {
    isSent = sent >= total;
    report({ message: vscode.l10n.t('{0} of {1}', byteText(sent), byteText(total)) });
  };
  void look();
  const to = {
    ...(projectId !== undefined && { projectId }),
    ...(projectName !== undefined && { projectName }),
  };
  try {
    return await tracker.importStories(file, { ...to, ...wanted, importId }, { onProgress, ...(signal && { signal }) });
  } catch (thrown) {
    throw explained(thrown, host);
  } finally {
    isOver = true;
  }
}

/** Imports the stories and then attaches the files. */
export async function imported(
  needs: Needs,
  to: Destination,
  { file, folder, files }: Chosen,
  wanted: Pick<ImportOptions, 'people'>,
  signal: AbortSignal | undefined,
  report: Report,
): Promise<ImportResult> {
  const made = await importing(to, file, wanted, signal, report);
  const { tracker } = to;
  const { id: projectId } = made.project;
  const onFile = (index: number, filename: string) =>
    report({ message: vscode.l10n.t('File {0} of {1}: {2}', countText(index + 1), countText(files.length), filename) });
  // The stories are in by now: what is canceled are only the files that are left.
  const sent = await (folder === undefined || files.length === 0
    ? { attached: 0, failed: [] }
    : sendFiles({ tracker, projectId, folder, files, signal, onFile }));
  await reveal(needs, to, projectId).catch((thrown) => needs.log.warn(messageOf(thrown)));
  return { ...made, files: sent };
}

const NOT_DONE = 'state:started,finished,delivered,rejected,unstarted,unscheduled';

/** Ends in the project: the first story that is to be done is shown in the tree, or the first of all where all are done. */
async function reveal({ backlogs, storiesView }: Needs, { tracker, accountId }: Destination, projectId: number) {
  await backlogs.refresh();
  const [open] = await tracker.listStories(projectId, { limit: 1, filter: NOT_DONE });
  const [first] = open ? [open] : await tracker.listStories(projectId, { limit: 1 });
  if (first) await storiesView.reveal(first.id, projectId, { accountId });
}

async function tell({ messages, reports }: AskingNeeds, result: ImportResult): Promise<void> {
  const { project, remarkCount, files } = result;
  const text = vscode.l10n.t('Imported {0} into {1}.', newAndChangedText(result), project.name);
  const attached = files.attached > 0 ? vscode.l10n.t('Attached {0}.', filesText(files.attached)) : '';
  const failed = failedText(files);
  const whole = [text, attached, failed].filter((part) => part !== '').join(' ');
  const showReport = vscode.l10n.t('Show Report');
  const offered = remarkCount > 0 ? [showReport] : [];
  const answer = await (failed === '' ? messages.info(whole, ...offered) : messages.offer(whole, ...offered));
  if (answer === showReport) await showAll(reports, result);
}
