import * as vscode from 'vscode';
import { TrackerError } from '../../core/errors.ts';
import { isPlainObject } from '../shell/commands.ts';

/**
 * The repository that an argument names: `{ repository }` of contract.md with the root as address or path, or the source
 * control that menus of the Source Control view pass.
 * @throws TrackerError `input` for a `repository` that is no text.
 */
export function askedRepository(argument: unknown): { readonly repository?: vscode.Uri } {
  if (!isPlainObject(argument)) return ofSourceControl(argument);
  const { repository } = argument;
  if (repository === undefined) return {};
  if (typeof repository === 'string' && repository !== '') return { repository: uriOf(repository) };
  throw new TrackerError('input', vscode.l10n.t('A repository is meant by its root address.'));
}

function ofSourceControl(argument: unknown): { readonly repository?: vscode.Uri } {
  if (typeof argument !== 'object' || argument === null || !('rootUri' in argument)) return {};
  return argument.rootUri instanceof vscode.Uri ? { repository: argument.rootUri } : {};
}

function uriOf(text: string): vscode.Uri {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(text) ? vscode.Uri.parse(text) : vscode.Uri.file(text);
}
