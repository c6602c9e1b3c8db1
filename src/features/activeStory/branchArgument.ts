import * as vscode from 'vscode';
import { isBranchName } from '../../core/activeStory/branchName.ts';
import { TrackerError } from '../../core/errors.ts';
import { isPlainObject } from '../../host/shell/commands.ts';

/** Means the branch that is checked out. */
export const CURRENT_BRANCH = '';

/** The branch that a command's arguments name, beside the story or after its row. @throws TrackerError `input`. */
export function branchArgument(args: readonly unknown[]): string | undefined {
  const { branch } = Object.assign({}, ...args.filter(isPlainObject)) as Readonly<Record<string, unknown>>;
  if (branch === undefined) return undefined;
  if (typeof branch === 'string' && (branch === CURRENT_BRANCH || isBranchName(branch))) return branch;
  throw new TrackerError('input', vscode.l10n.t('"{0}" is not a valid branch name.', String(branch)));
}
