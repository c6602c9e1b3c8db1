import * as vscode from 'vscode';
import { isPlainObject } from '../../../host/shell/commands.ts';
import type { Wishes } from './preparing.ts';

/**
 * The files that a menu, a key or a program names: changes or a group of them in Source Control, else the several ones of the
 * second argument when there are any, else the one; each once.
 */
export function namedFiles(args: readonly unknown[]): readonly vscode.Uri[] {
  const [uri, uris] = args;
  const changes = args.flatMap(changedFiles);
  const several = Array.isArray(uris) ? uris.flatMap(asUri) : [];
  const named = changes.length > 0 ? changes : several.length > 0 ? several : asUri(uri);
  return [...new Map(named.map((one) => [one.toString(), one])).values()];
}

/** What Source Control passes is of the Git extension: a change, or a group of them. */
function changedFiles(value: unknown): readonly vscode.Uri[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('resourceUri' in value) return value.resourceUri instanceof vscode.Uri ? [value.resourceUri] : [];
  return 'resourceStates' in value && Array.isArray(value.resourceStates)
    ? value.resourceStates.flatMap(changedFiles)
    : [];
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

/** What else the argument that names the story says. */
export function wishesIn(argument: unknown): Wishes {
  if (!isPlainObject(argument)) return {};
  const { folders, evenSecrets } = argument;
  return {
    ...(folders === 'zip' || folders === 'files' ? { folders } : {}),
    ...(evenSecrets === true ? { evenSecrets } : {}),
  };
}
