import * as vscode from 'vscode';
import { isPlainObject } from '../../host/commands.ts';

/** The files that a menu, a key or a program names: the several ones when there are any, else the one; each once. */
export function namedFiles(uri: unknown, uris: unknown): readonly vscode.Uri[] {
  const several = Array.isArray(uris) ? uris.flatMap(asUri) : [];
  const named = several.length > 0 ? several : asUri(uri);
  return [...new Map(named.map((one) => [one.toString(), one])).values()];
}

function asUri(value: unknown): vscode.Uri[] {
  if (value instanceof vscode.Uri) return [value];
  if (typeof value === 'string' && value !== '') {
    return [/^[a-z][a-z\d+.-]+:/i.test(value) ? vscode.Uri.parse(value) : vscode.Uri.file(value)];
  }
  // What is left of a `Uri` after it went through JSON.
  if (isPlainObject(value) && typeof value.scheme === 'string' && typeof value.path === 'string') {
    const { scheme, path } = value;
    return [
      vscode.Uri.from({ scheme, path, ...(typeof value.authority === 'string' ? { authority: value.authority } : {}) }),
    ];
  }
  return [];
}

/** Whether the third argument of `attachFiles` names a story: then a program calls, and wants to be told by a rejection. */
export function namesStory(args: readonly unknown[]): boolean {
  const third = args[2];
  return isPlainObject(third) && 'storyId' in third;
}
