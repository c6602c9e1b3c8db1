import * as vscode from 'vscode';

/**
 * Text that is data as Markdown that shows it as it is; lines break between its words, as VS Code's own `appendText` does not
 * let them.
 */
export function plainMarkdown(text: string): string {
  const escaped = new vscode.MarkdownString().appendText(text.replaceAll('&', '&amp;')).value;
  return escaped.replaceAll('<', '&lt;').replaceAll(/(?:&nbsp;)+/g, ' ');
}
