import { setTimeout as pause } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { TextEdit } from '../../core/marker/textEdit.ts';
import type { MarkedMessage } from '../../core/marker/withMarker.ts';
import { chooseRepository, repositoryName } from './chooseRepository.ts';
import { commentCharOf, rootOf } from './commitDocument.ts';
import type { GitBridge, GitRepository } from './gitBridge.ts';
import { isSameFolder, rootOfCommitBox } from './scmInput.ts';

/** A commit message that is being written. */
interface CommitMessage {
  /** Name of the repository it belongs to. */
  readonly name: string;
  /** Where settings for it are looked up. */
  readonly scope: vscode.Uri;
  /**
   * Makes the edits and no more, so that text typed around them, cursor and undo stay. Tells whether there was anything
   * to change.
   */
  change(changed: Changed): Promise<boolean>;
}

/** `commentChar` begins the lines that Git drops; empty in a commit box, of which VS Code has Git keep every line. */
type Changed = (text: string, commentChar: string) => MarkedMessage;

/** How often an edit is made anew because the person typed in the meantime. */
const ATTEMPTS = 5;

const PATIENCE_MS = 500;
const STEP_MS = 20;

/**
 * The message that is meant: of the repository asked from, else of the commit file in the active editor, else of the
 * repository that `chooseRepository` finds. `undefined`: the person turned away.
 */
export async function commitMessageFor(git: GitBridge, asked?: vscode.Uri): Promise<CommitMessage | undefined> {
  const file = asked ? undefined : activeCommitFile();
  if (file) {
    const scope = await rootOf(file);
    return { name: repositoryName({ rootUri: scope }), scope, change: (changed) => changeFile(file, changed) };
  }
  const repository = await chooseRepository(git, asked);
  if (!repository) return undefined;
  return {
    name: repositoryName(repository),
    scope: repository.rootUri,
    change: (changed) => changeMessage(repository, changed),
  };
}

async function changeMessage(repository: GitRepository, changed: Changed): Promise<boolean> {
  const file = await ownCommitFile(repository);
  return file ? changeFile(file, changed) : changeCommitBox(repository, (text) => changed(text, ''));
}

/** As `CommitMessage.change`, in the commit box of the repository. */
export async function changeCommitBox(
  repository: GitRepository,
  changed: (text: string) => MarkedMessage,
): Promise<boolean> {
  const box = commitBox(repository);
  return box ? changeBox(repository, box, changed) : changeValue(repository, changed);
}

/** In an editor the cursor comes to stand where a missing subject is to be typed. */
async function changeFile(file: vscode.TextDocument, changed: Changed): Promise<boolean> {
  let subjectAt: number | undefined;
  const isChanged = await changeDocument(file, (text) => {
    const marked = changed(text, commentCharOf(file));
    subjectAt = marked.subjectAt;
    return marked;
  });
  const editor = vscode.window.activeTextEditor;
  if (isChanged && subjectAt !== undefined && editor?.document === file) {
    const place = file.positionAt(subjectAt);
    editor.selection = new vscode.Selection(place, place);
  }
  return isChanged;
}

async function changeDocument(
  document: vscode.TextDocument,
  changed: (text: string) => MarkedMessage,
): Promise<boolean> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { edits } = changed(document.getText());
    if (edits.length === 0) return false;
    if (await apply(document, edits)) return true;
  }
  throw new Error(vscode.l10n.t('Could not change the commit message. Try again.'));
}

async function apply(document: vscode.TextDocument, edits: readonly TextEdit[]): Promise<boolean> {
  const edit = new vscode.WorkspaceEdit();
  for (const { offset, length, text } of edits) {
    const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
    edit.replace(document.uri, range, text);
  }
  return vscode.workspace.applyEdit(edit);
}

/**
 * A commit box and its document follow each other some moments later, and only while the box is drawn; what the box holds
 * is what counts.
 */
async function changeBox(
  repository: GitRepository,
  box: vscode.TextDocument,
  changed: (text: string) => MarkedMessage,
): Promise<boolean> {
  if (!(await agree(repository, box))) return changeValue(repository, changed);
  const noted = (text: string) => {
    const marked = changed(text);
    if (marked.edits.length > 0) writtenByUs.set(repository.rootUri.path, marked.text);
    return marked;
  };
  if (!(await changeDocument(box, noted))) return false;
  if (!(await agree(repository, box))) changeValue(repository, changed);
  return true;
}

async function agree({ inputBox }: GitRepository, box: vscode.TextDocument): Promise<boolean> {
  const same = () => sameText(box.getText(), inputBox.value);
  for (let waited = 0; !same() && waited < PATIENCE_MS; waited += STEP_MS) await pause(STEP_MS);
  return same();
}

/** Line ends aside, which editors choose. */
export function sameText(one: string, other: string): boolean {
  return one.replaceAll('\r\n', '\n') === other.replaceAll('\r\n', '\n');
}

/** What we wrote into commit boxes last, by the path of their repository. */
const writtenByUs = new Map<string, string>();

/** Whether the text that a commit box came to hold is the one that we wrote last, which is told once. */
export function isOwnMessage({ rootUri }: GitRepository, text: string): boolean {
  const own = writtenByUs.get(rootUri.path);
  writtenByUs.delete(rootUri.path);
  return own !== undefined && sameText(own, text);
}

/** For a commit box that is not drawn, and so has no cursor. */
function changeValue({ inputBox, rootUri }: GitRepository, changed: (text: string) => MarkedMessage): boolean {
  const { text, edits } = changed(inputBox.value);
  if (edits.length === 0) return false;
  writtenByUs.set(rootUri.path, text);
  inputBox.value = text;
  return true;
}

/** The message file that `git commit` waits for. */
function activeCommitFile(): vscode.TextDocument | undefined {
  const document = vscode.window.activeTextEditor?.document;
  return document?.languageId === 'git-commit' ? document : undefined;
}

async function ownCommitFile({ rootUri }: GitRepository): Promise<vscode.TextDocument | undefined> {
  const document = activeCommitFile();
  return document && isSameFolder(await rootOf(document), rootUri) ? document : undefined;
}

function commitBox({ rootUri }: GitRepository): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((document) => {
    const root = rootOfCommitBox(document.uri);
    return root !== undefined && isSameFolder(vscode.Uri.parse(root), rootUri);
  });
}
