import * as vscode from 'vscode';
import { TrackerError } from '../../core/errors.ts';
import type { PatchOf } from '../../core/ports/outgoingFiles.ts';
import type { App } from '../../host/app.ts';
import { type Caller, callerOf, isPlainObject } from '../../host/shell/commands.ts';
import { namesStory } from '../../host/story/storyArgument.ts';
import type { FoundStory, TreeNode } from '../../host/tree/nodes.ts';
import { BY_KEY } from '../../host/tree/nodes.ts';
import { discard, type Offered, type Ready, readyBytes, type Unusable, unsentOf } from './prepare/candidate.ts';
import {
  chooseAmong,
  chooseDiff,
  chooseFiles,
  namedFiles,
  openFiles,
  selectionOf,
  wishesIn,
} from './prepare/chooseFiles.ts';
import { tooLargeForMemory } from './prepare/offeredFiles.ts';
import { type AttachNeeds, attach } from './send/attach.ts';

export { openAttachment } from './show/openAttachment.ts';
export { saveAllAttachments, saveAttachment } from './show/saveAttachment.ts';

type AttachCommandNeeds = AttachNeeds & Pick<App, 'accounts' | 'storyArgument' | 'storiesView' | 'git'>;

/**
 * `attachFiles (uri?, uris?, { storyId }?)` of contract.md; from a story's row it asks for the files. The third argument may
 * also say `folders: 'zip' | 'files'` and `evenSecrets: true`, which a person would be asked. A program calls
 * when it names the story.
 */
export async function attachFiles(
  needs: AttachCommandNeeds,
  caller: Caller,
  ...given: readonly unknown[]
): Promise<void> {
  const args = given[0] === BY_KEY ? [selectedRow(needs)] : given;
  const [first, , story] = args;
  const meant = caller === 'program' ? story : first;
  const isNamed = caller === 'program' || (!isPlainObject(first) && namesStory(first));
  const target = isNamed ? await storyOf(needs, meant) : undefined;
  if (!target) await needs.backlogs.requireProjects();
  const offered = namedFiles(args);
  const files = offered.length > 0 ? offered : await chooseFiles(needs);
  if (files.length === 0) return;
  const found = target ?? (await picked(needs, files));
  if (found) await attach(needs, found, files, caller, wishesIn(story));
}

/** None where several rows are selected. */
function selectedRow({ storiesView }: AttachCommandNeeds): TreeNode | undefined {
  const [row, another] = storiesView.selection();
  return another ? undefined : row;
}

/** Without a story, what was made to be attached goes. */
async function picked(needs: AttachCommandNeeds, files: readonly Offered[]): Promise<FoundStory | undefined> {
  let found: FoundStory | undefined;
  try {
    found = await needs.storyArgument.of(undefined, placeHolder(files.length));
    return found;
  } finally {
    if (!found) await discard(needs, unsentOf(files, []));
  }
}

/** Attaches files of open editors to a story; a program that names the story gets all of them attached. */
export async function attachOpenEditors(needs: AttachCommandNeeds, story: unknown): Promise<void> {
  const open = openFiles();
  if (open.length === 0) {
    needs.messages.info(vscode.l10n.t('No files are open in an editor.'));
    return;
  }
  await needs.accounts.requireAny();
  const caller = callerOf([story]);
  const files = caller === 'program' ? open : await chooseAmong(open);
  if (files.length === 0) return;
  const found = await storyOf(needs, story);
  if (found) await attach(needs, found, files, caller, wishesIn(story));
}

/** The story that an argument names, or one that is picked. */
function storyOf(needs: Pick<App, 'storyArgument'>, argument: unknown): Promise<FoundStory | undefined> {
  return needs.storyArgument.of(argument, vscode.l10n.t('Story to attach to'));
}

function placeHolder(count: number): string {
  return count === 1
    ? vscode.l10n.t('Story to attach the file to')
    : vscode.l10n.t('Story to attach {0} files to', count);
}

/** Attaches files that were pasted, as bytes with a name each, to the story of a row. Resolves to the names of those that were sent. */
export async function attachPasted(
  needs: AttachCommandNeeds,
  story: unknown,
  files: unknown,
): Promise<readonly string[]> {
  const pasted = Array.isArray(files) ? files.flatMap(readyFile) : [];
  const found = pasted.length > 0 ? await storyOf(needs, story) : undefined;
  return found ? attach(needs, found, pasted, 'person') : [];
}

function readyFile(file: unknown): readonly (Ready | Unusable)[] {
  if (!isPlainObject(file) || typeof file.name !== 'string') return [];
  if (file.bytes instanceof Uint8Array) return [readyBytes(file.name, file.bytes)];
  return typeof file.size === 'number' ? [tooLargeForMemory(file.name, file.size)] : [];
}

/** Attaches what is selected in the active editor as a file. @throws TrackerError `input` when nothing is. */
export async function attachSelection(needs: AttachCommandNeeds, argument: unknown): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const selected = editor && selectionOf(editor);
  if (!selected) throw new TrackerError('input', vscode.l10n.t('Select some text in an editor first.'));
  // The editor's menu passes the document, which names no story.
  const found = await storyOf(needs, argument);
  if (found) await attach(needs, found, [selected], callerOf([argument]), wishesIn(argument));
}

/**
 * Attaches a repository's changes as a patch. A program names the story and perhaps `changes: 'all' | 'staged' | 'unstaged'` and
 * the `repository`; Source Control's menus pass the repository or the group of changes.
 */
export async function attachDiff(needs: AttachCommandNeeds, argument: unknown): Promise<void> {
  await needs.accounts.requireAny();
  const patches = await chooseDiff(needs, argument, wishIn(argument));
  if (patches.length === 0) return;
  let isTaken = false;
  try {
    const found = await storyOf(needs, argument);
    if (!found) return;
    isTaken = true;
    await attach(needs, found, patches, callerOf([argument]), wishesIn(argument));
  } finally {
    if (!isTaken) for (const patch of patches) await patch.discard?.();
  }
}

function wishIn(argument: unknown): PatchOf | undefined {
  if (isPlainObject(argument)) {
    const { changes } = argument;
    return changes === 'staged' || changes === 'unstaged' ? changes : 'all';
  }
  // The groups of VS Code's Git.
  const id = typeof argument === 'object' && argument !== null && 'id' in argument ? argument.id : undefined;
  if (id === 'index') return 'staged';
  return id === 'workingTree' ? 'unstaged' : undefined;
}
