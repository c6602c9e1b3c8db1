import { mkdir, rm } from 'node:fs/promises';
import { extname, join } from 'node:path';
import * as vscode from 'vscode';
import { TrackerError } from '../../core/errors.ts';
import type { Tracker } from '../../core/ports/tracker.ts';
import type { Attachment } from '../../core/story/attachment.ts';
import type { ExportFormat } from '../../core/story/importReport.ts';
import type { App } from '../../host/app.ts';
import type { ProjectEntry } from '../../host/projects/projectList.ts';
import { isPlainObject } from '../../host/shell/commands.ts';
import { byteText } from '../../host/shell/plainText.ts';
import { safeFileName } from '../../host/shell/safeFileName.ts';
import { explained, namedProject, pathOf, pickProject, withCancel } from './transferArgument.ts';

type Needs = Pick<App, 'backlogs' | 'engine' | 'messages'>;

/** What was written. */
interface ExportResult {
  readonly file: string;
  readonly bytes: number;
  /** Attached files that were saved, and those that have no address. */
  readonly attachments: number;
  readonly missing: number;
}

interface Target {
  readonly file: string;
  /** Where attached files go: a folder of its own for each story. */
  readonly attachments: string | undefined;
}

const PAGE = 100;

/** Writes a project to a file: by the argument of a program, or by asking a person (contract.md). */
export async function exportProject(needs: Needs, asked: unknown): Promise<ExportResult | undefined> {
  const isProgram = isPlainObject(asked) && asked.file !== undefined;
  const entry =
    (await namedProject(needs, asked)) ??
    (isProgram ? await onlyProject(needs) : await pickProject(needs, vscode.l10n.t('Export which project?')));
  if (!entry) return undefined;
  if (isProgram) {
    const target = { file: pathOf(asked.file, 'file') ?? '', attachments: pathOf(asked.attachments, 'attachments') };
    return exported(needs, entry, target, undefined, () => undefined);
  }
  const target = await askTarget(entry);
  if (!target) return undefined;
  const title = vscode.l10n.t('Exporting {0}', entry.project.name);
  const result = await withCancel(title, (signal, report) =>
    exported(needs, entry, target, signal, (message) => report({ message })),
  );
  const missing = result.missing > 0 ? ` ${vscode.l10n.t('{0} attachments have no file.', result.missing)}` : '';
  const told = vscode.l10n.t('Exported {0}.', entry.project.name) + missing;
  offerFile(needs, told, target.file).catch((thrown: unknown) => needs.messages.error(thrown));
  return result;
}

/** Says what was done for as long as the person likes, and opens the file if they want that. */
async function offerFile({ messages }: Needs, text: string, file: string): Promise<void> {
  const open = vscode.l10n.t('Open File');
  if ((await messages.info(text, open)) === open)
    await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(file));
}

async function onlyProject({ backlogs }: Needs): Promise<ProjectEntry> {
  const [only, ...others] = await backlogs.requireProjects();
  if (only && others.length === 0) return only;
  throw new TrackerError('input', vscode.l10n.t('Pass the project as projectId.'));
}

async function askTarget({ project }: ProjectEntry): Promise<Target | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file('/');
  const uri = await vscode.window.showSaveDialog({
    defaultUri: vscode.Uri.joinPath(folder, safeFileName(`${project.name}.csv`)),
    filters: { CSV: ['csv'], XML: ['xml'] },
    saveLabel: vscode.l10n.t('Export'),
    title: vscode.l10n.t('Export Project'),
  });
  if (!uri) return undefined;
  const file = pathOf(uri, 'file') ?? '';
  const without = vscode.l10n.t('Stories');
  const withFiles = vscode.l10n.t('Stories and Attached Files');
  const answer = await vscode.window.showQuickPick([without, withFiles], {
    placeHolder: vscode.l10n.t('What do you want to export?'),
  });
  if (answer === undefined) return undefined;
  const attachments = answer === withFiles ? `${file.slice(0, -extname(file).length || undefined)}-files` : undefined;
  return { file, attachments };
}

function formatOf(file: string): ExportFormat {
  return extname(file).toLowerCase() === '.xml' ? 'xml' : 'csv';
}

/** Throws, and leaves nothing, when the whole project was not written. */
export async function exported(
  needs: Needs,
  { key }: ProjectEntry,
  { file, attachments }: Target,
  signal: AbortSignal | undefined,
  report: (message: string) => void,
): Promise<ExportResult> {
  const tracker = needs.backlogs.tracker(key);
  const { projectId } = key;
  const onProgress = (written: number): void => report(byteText(written));
  const options = { onProgress, ...(signal && { signal }) };
  const bytes = await tracker.exportProject(projectId, formatOf(file), file, options).catch((thrown) => {
    throw explained(thrown, needs.backlogs.hostOf(key));
  });
  if (attachments === undefined) return { file, bytes, attachments: 0, missing: 0 };
  const made = await mkdir(attachments, { recursive: true });
  try {
    return { file, bytes, ...(await saveFiles(needs, tracker, projectId, attachments, signal, report)) };
  } catch (thrown) {
    // A folder that was there before is someone's own.
    if (made !== undefined) await rm(made, { recursive: true, force: true });
    await rm(file, { force: true });
    throw thrown;
  }
}

async function saveFiles(
  { engine }: Needs,
  tracker: Tracker,
  projectId: number,
  folder: string,
  signal: AbortSignal | undefined,
  report: (message: string) => void,
): Promise<Pick<ExportResult, 'attachments' | 'missing'>> {
  let [attachments, missing] = [0, 0];
  const taken = new Set<string>();
  for await (const [storyId, attachment] of attachmentsOf(tracker, projectId)) {
    if (signal?.aborted) throw new TrackerError('cancelled', 'Canceled.');
    report(vscode.l10n.t('File {0}: {1}', attachments + 1, attachment.filename));
    const { url } = await tracker.getAttachment({ projectId, storyId }, attachment.id);
    if (url === undefined) {
      missing += 1;
      continue;
    }
    const place = join(folder, String(storyId));
    await mkdir(place, { recursive: true });
    const path = join(place, freeName(taken, place, safeFileName(attachment.filename), attachment.id));
    await engine.downloads.save(url, path, { isReplacing: true, ...(signal && { signal }) });
    attachments += 1;
  }
  return { attachments, missing };
}

/** Two attachments of a story may have one name. */
function freeName(taken: Set<string>, place: string, name: string, id: number): string {
  const path = join(place, name.toLowerCase());
  if (!taken.has(path)) {
    taken.add(path);
    return name;
  }
  const ending = extname(name);
  return `${name.slice(0, name.length - ending.length)}-${id}${ending}`;
}

async function* attachmentsOf(tracker: Tracker, projectId: number): AsyncGenerator<readonly [number, Attachment]> {
  for (let offset = 0; ; offset += PAGE) {
    const stories = await tracker.listStories(projectId, { limit: PAGE, offset });
    for (const { id, attachments } of stories) for (const attachment of attachments) yield [id, attachment];
    if (stories.length < PAGE) return;
  }
}
