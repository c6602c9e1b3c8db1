import type * as vscode from 'vscode';
import { type Ready, readyBytes } from './candidate.ts';
import { partName } from './newNames.ts';
import { untitledName } from './untitledName.ts';

/** What is selected in an editor, as a file named after the document and the lines; `undefined` when nothing is. */
export function selectionOf(editor: vscode.TextEditor): Ready | undefined {
  const selected = chosen(editor);
  if (selected.length === 0) return undefined;
  const text = selected.map((one) => editor.document.getText(one)).join('\n');
  return readyBytes(selectionName(editor), new TextEncoder().encode(text));
}

export function selectionName(editor: vscode.TextEditor): string {
  return partName(untitledName(editor.document), chosen(editor).map(linesOf));
}

function chosen({ selections }: vscode.TextEditor): readonly vscode.Selection[] {
  return selections.filter(({ isEmpty }) => !isEmpty).toSorted((one, other) => one.start.compareTo(other.start));
}

/** From 1. A line with only its beginning selected does not count. */
function linesOf({ start, end }: vscode.Selection): readonly [number, number] {
  const last = end.character === 0 && end.line > start.line ? end.line : end.line + 1;
  return [start.line + 1, last];
}
