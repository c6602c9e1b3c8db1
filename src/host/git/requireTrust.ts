import * as vscode from 'vscode';
import { TrackerError } from '../../core/errors.ts';

/**
 * A folder that is not trusted may configure Git to run programs, so nothing of it is asked.
 * @throws TrackerError `input` in Restricted Mode.
 */
export function requireTrust(): void {
  if (vscode.workspace.isTrusted) return;
  const sentence = vscode.l10n.t('Git is not used in Restricted Mode. Trust this folder to work with its commits.');
  throw new TrackerError('input', sentence);
}
