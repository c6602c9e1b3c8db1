import * as vscode from 'vscode';
import type { Messages } from '../../../host/shell/messages.ts';
import { oddity } from './allowed.ts';
import type { Ready } from './candidate.ts';
import type { Caller, Prepared, Wishes } from './preparing.ts';

/** A person is asked about empty files, but for those of an archive; for a program they are left out. */
export async function withoutEmpty(
  messages: Messages,
  now: Prepared,
  caller: Caller,
  { allowed }: Wishes,
): Promise<Prepared | undefined> {
  const { files, leftOut } = now;
  const isEmpty = (file: Ready) => file.size === 0 && file.bundle === undefined && !allowed?.has(oddity(file, 'empty'));
  const empty = files.filter(isEmpty);
  if (empty.length === 0) return now;
  const full = files.filter((file) => !isEmpty(file));
  if (caller === 'program') {
    const sentences = empty.map(({ filename }) => vscode.l10n.t('“{0}” is empty.', filename));
    return { ...now, files: full, leftOut: [...leftOut, ...sentences] };
  }
  const answer = await askAboutEmpty(messages, empty);
  if (answer !== 'attach') return answer && { ...now, files: full };
  return { ...now, allowed: new Set([...now.allowed, ...empty.map((file) => oddity(file, 'empty'))]) };
}

async function askAboutEmpty(messages: Messages, empty: readonly Ready[]): Promise<'attach' | 'leaveOut' | undefined> {
  const names = empty.map(({ filename }) => `“${filename}”`).join(', ');
  const question =
    empty.length === 1 ? vscode.l10n.t('{0} is empty.', names) : vscode.l10n.t('These files are empty: {0}.', names);
  const attachAnyway = vscode.l10n.t('Attach Anyway');
  const leaveOut = vscode.l10n.t('Leave Out');
  const answer = await messages.ask(question, undefined, attachAnyway, leaveOut);
  if (answer === attachAnyway) return 'attach';
  return answer === leaveOut ? 'leaveOut' : undefined;
}
