import * as vscode from 'vscode';

const section = (scope?: vscode.Uri) => vscode.workspace.getConfiguration('storyTracker', scope);

/** What the description of a new story of this type begins with. */
export function storyTemplate(type: string): string | undefined {
  const templates = section().get<object>('storyTemplates') ?? {};
  const [, template] = Object.entries(templates).find(([name]) => name === type) ?? [];
  return typeof template === 'string' && template.trim() !== '' ? template : undefined;
}

/** Words that mark in code what is to be done, as set for the folder of `scope`. */
export function todoWords(scope?: vscode.Uri): readonly string[] {
  const words = section(scope).get<readonly unknown[]>('todoWords');
  return Array.isArray(words) ? words.map(String).filter((word) => word.trim() !== '') : [];
}
