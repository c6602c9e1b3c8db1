import * as vscode from 'vscode';
import { isComment, numberText, type Todo, todoIn } from './codeComments.ts';
import { commentMarks, inComment } from './commentMarks.ts';

/** Where in a document the number of a story goes, found again by the text of its line since lines move. */
export interface NumberPlace {
  readonly uri: string;
  /** 0-based, when it was asked for. */
  readonly line: number;
  /** That of the line. */
  readonly lineText: string;
  /** Characters from the beginning of the line. */
  readonly insertAt: number;
  readonly around: Todo['around'];
}

/** At the note of its line; `undefined` where the line has none. */
export function placeAtTodo(
  document: vscode.TextDocument,
  line: number,
  words: readonly string[],
): { readonly todo: Todo; readonly place: NumberPlace } | undefined {
  const { text } = document.lineAt(line);
  const todo = todoIn(text, words);
  if (!todo) return undefined;
  const { insertAt, around } = todo;
  return { todo, place: { uri: document.uri.toString(), line, lineText: text, insertAt, around } };
}

/**
 * Behind a selection that is text, as comments are; else in a comment of its own above it that has the first of these words and
 * the name of the story. `undefined` where nobody knows what a comment looks like.
 */
export function placeAtSelection(
  document: vscode.TextDocument,
  range: vscode.Range,
  word: string,
  name: string,
): NumberPlace | undefined {
  const uri = document.uri.toString();
  const { languageId } = document;
  const [first, end] = [document.lineAt(range.start.line), endOf(document, range)];
  const last = document.lineAt(end.line);
  if (isComment(first.text) || languageId === 'plaintext' || languageId === 'markdown') {
    const line = { line: last.lineNumber, lineText: last.text };
    return { uri, ...line, insertAt: end.character, around: [' (', ')'] };
  }
  const marks = commentMarks(languageId, linesOf(document));
  if (!marks) return undefined;
  const indent = first.text.slice(0, first.firstNonWhitespaceCharacterIndex);
  const [before, after] = marks;
  const lineEnd = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  return {
    ...{ uri, line: first.lineNumber, lineText: first.text, insertAt: 0 },
    around: [`${indent}${before}${word}(`, `): ${inComment(name, marks)}${after}${lineEnd}`],
  };
}

/** The end of what is selected, without the blanks and line breaks after it. */
function endOf(document: vscode.TextDocument, range: vscode.Range): vscode.Position {
  const text = document.getText(range).trimEnd();
  return document.positionAt(document.offsetAt(range.start) + text.length);
}

/** Lines by which a language is guessed. */
const LOOKED_AT = 500;

function linesOf(document: vscode.TextDocument): readonly string[] {
  const count = Math.min(document.lineCount, LOOKED_AT);
  return Array.from({ length: count }, (_, line) => document.lineAt(line).text);
}

/**
 * Writes the number of a story where it goes, as one edit that can be undone; `false` where its line is not there any more, or
 * the document cannot be changed.
 */
export async function writeNumber(place: NumberPlace, storyId: number): Promise<boolean> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(place.uri, true));
  const line = lineNow(document, place);
  if (line === undefined) return false;
  const edit = new vscode.WorkspaceEdit();
  edit.insert(document.uri, new vscode.Position(line, place.insertAt), numberText(place.around, storyId));
  return vscode.workspace.applyEdit(edit);
}

/** The line of this text that is nearest to where it was. */
function lineNow(document: vscode.TextDocument, { line, lineText }: NumberPlace): number | undefined {
  const is = (at: number) => at >= 0 && at < document.lineCount && document.lineAt(at).text === lineText;
  for (let away = 0; away <= Math.max(line, document.lineCount); away += 1) {
    if (is(line - away)) return line - away;
    if (is(line + away)) return line + away;
  }
  return undefined;
}

/** Whether the document can be changed, as far as its file system says. */
export async function isWritable({ uri, isUntitled }: vscode.TextDocument): Promise<boolean> {
  if (isUntitled) return true;
  if (vscode.workspace.fs.isWritableFileSystem(uri.scheme) !== true) return false;
  try {
    const { permissions = 0 } = await vscode.workspace.fs.stat(uri);
    return (permissions & vscode.FilePermission.Readonly) === 0;
  } catch {
    // A file that is not there yet is made when it is saved.
    return true;
  }
}
