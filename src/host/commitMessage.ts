import { setTimeout as pause } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { EditedText, TextEdit } from '../core/textEdit.ts';
import { chooseRepository } from './chooseRepository.ts';
import type { GitBridge, GitRepository } from './gitBridge.ts';
import { repositoryName } from './repositoryName.ts';
import { isSameFolder, rootOfCommitBox } from './scmInput.ts';

/** A commit message that is being written. */
export interface CommitMessage {
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
type Changed = (text: string, commentChar: string) => EditedText;

/** How often an edit is made anew because the person typed meanwhile. */
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
    const scope = file.uri;
    return { name: vscode.workspace.asRelativePath(scope), scope, change: (changed) => changeFile(file, changed) };
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
  const file = ownCommitFile(repository);
  return file ? changeFile(file, changed) : changeCommitBox(repository, (text) => changed(text, ''));
}

/** As `CommitMessage.change`, in the commit box of the repository. */
export async function changeCommitBox(
  repository: GitRepository,
  changed: (text: string) => EditedText,
): Promise<boolean> {
  const box = commitBox(repository);
  return box ? changeBox(repository, box, changed) : changeValue(repository, changed);
}

function changeFile(file: vscode.TextDocument, changed: Changed): Promise<boolean> {
  return changeDocument(file, (text) => changed(text, '#'));
}

async function changeDocument(document: vscode.TextDocument, changed: (text: string) => EditedText): Promise<boolean> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { edits } = changed(document.getText());
    if (edits.length === 0) return false;
    if (await apply(document, edits)) return true;
  }
  throw new Error(vscode.l10n.t('The commit message could not be changed. Try again.'));
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
  changed: (text: string) => EditedText,
): Promise<boolean> {
  if (!(await agree(repository, box))) return changeValue(repository, changed);
  if (!(await changeDocument(box, changed))) return false;
  if (!(await agree(repository, box))) changeValue(repository, changed);
  return true;
}

async function agree({ inputBox }: GitRepository, box: vscode.TextDocument): Promise<boolean> {
  const same = () => sameText(box.getText(), inputBox.value);
  for (let waited = 0; !same() && waited < PATIENCE_MS; waited += STEP_MS) await pause(STEP_MS);
  return same();
}

function sameText(one: string, other: string): boolean {
  return one.replaceAll('\r\n', '\n') === other.replaceAll('\r\n', '\n');
}

/** For a commit box that is not drawn, and so has no cursor. */
function changeValue({ inputBox }: GitRepository, changed: (text: string) => EditedText): boolean {
  const { text, edits } = changed(inputBox.value);
  if (edits.length > 0) inputBox.value = text;
  return edits.length > 0;
}

/** The message file that `git commit` waits for. */
function activeCommitFile(): vscode.TextDocument | undefined {
  const document = vscode.window.activeTextEditor?.document;
  return document?.languageId === 'git-commit' ? document : undefined;
}

function ownCommitFile({ rootUri }: GitRepository): vscode.TextDocument | undefined {
  const document = activeCommitFile();
  const folder = document?.uri.path.replace(/[^/]*$/, '');
  return folder !== undefined && isSameFolder({ path: folder }, vscode.Uri.joinPath(rootUri, '.git'))
    ? document
    : undefined;
}

function commitBox({ rootUri }: GitRepository): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((document) => {
    const root = rootOfCommitBox(document.uri);
    return root !== undefined && isSameFolder(vscode.Uri.parse(root), rootUri);
  });
}
