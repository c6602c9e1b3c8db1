import * as vscode from 'vscode';
import type { Messages } from '../../host/messages.ts';
import { type Candidate, nameOf, type Ready } from './candidate.ts';

/** A person is asked and told; a program is not asked, and gets a rejection that names every file not attached. */
export type Caller = 'person' | 'program';

export interface Sendable {
  readonly files: readonly Ready[];
  /** A sentence for each file that is not sent. */
  readonly leftOut: readonly string[];
}

/** What of the files looked at is to be sent; a person is asked about empty ones, a program is told that they are. */
export async function sendable(
  messages: Messages,
  candidates: readonly Candidate[],
  caller: Caller,
): Promise<Sendable> {
  const ready = candidates.filter((one) => one.kind === 'ready');
  const unusable = candidates.flatMap((one) => (one.kind === 'unusable' ? [one.sentence] : []));
  const empty = ready.filter(({ size }) => size === 0);
  if (empty.length === 0) return { files: ready, leftOut: unusable };
  if (caller === 'person') {
    const answer = await askAboutEmpty(messages, empty);
    if (answer === 'cancel') return { files: [], leftOut: [] };
    if (answer === 'attach') return { files: ready, leftOut: unusable };
    return { files: ready.filter(({ size }) => size > 0), leftOut: unusable };
  }
  const sentences = empty.map(({ uri }) => vscode.l10n.t('“{0}” is empty.', nameOf(uri)));
  return { files: ready.filter(({ size }) => size > 0), leftOut: [...unusable, ...sentences] };
}

async function askAboutEmpty(messages: Messages, empty: readonly Ready[]): Promise<'attach' | 'leaveOut' | 'cancel'> {
  const names = empty.map(({ uri }) => `“${nameOf(uri)}”`).join(', ');
  const question =
    empty.length === 1 ? vscode.l10n.t('{0} is empty.', names) : vscode.l10n.t('These files are empty: {0}.', names);
  const attachAnyway = vscode.l10n.t('Attach Anyway');
  const leaveOut = vscode.l10n.t('Leave Out');
  const answer = await messages.ask(question, undefined, attachAnyway, leaveOut);
  if (answer === attachAnyway) return 'attach';
  return answer === leaveOut ? 'leaveOut' : 'cancel';
}
