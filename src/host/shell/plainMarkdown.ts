import * as vscode from 'vscode';

/**
 * Text that is data as Markdown that shows it as it is; lines break between its words, as VS Code's own `appendText` does not
 * let them. A bare address is none in it: Markdown would take all up to the next space for one, marks of our own included.
 */
export function plainMarkdown(text: string): string {
  const escaped = new vscode.MarkdownString().appendText(text.replaceAll('&', '&amp;')).value;
  return escaped
    .replaceAll('<', '&lt;')
    .replaceAll(/(?:&nbsp;)+/g, ' ')
    .replaceAll('://', '\\://')
    .replaceAll(/www\./gi, (start) => `${start.slice(0, -1)}\\.`);
}
