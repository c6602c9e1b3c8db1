import * as vscode from 'vscode';

/** Appends text that is data, not Markdown; lines break between its words, as VS Code's own `appendText` does not let them. */
export function appendPlainText(hover: vscode.MarkdownString, text: string): vscode.MarkdownString {
  const escaped = new vscode.MarkdownString().appendText(text.replaceAll('&', '&amp;')).value;
  return hover.appendMarkdown(escaped.replaceAll('<', '&lt;').replaceAll(/(?:&nbsp;)+/g, ' '));
}
