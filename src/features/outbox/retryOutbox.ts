import * as vscode from 'vscode';
import { TrackerError } from '../../core/errors.ts';
import type { App } from '../../host/app.ts';
import { waitingText } from '../../host/story/submitIntents.ts';

export interface RetryNeeds extends Pick<App, 'accounts' | 'backlogs' | 'messages'> {
  /** Entries whose refusal is told by the command that tries them again. */
  readonly asked: Set<string>;
}

/**
 * Tries what waits or was refused again, all of it when no ids are given. Resolves when it is known what became of it.
 * @throws TrackerError in the words of a server that refuses.
 */
export async function retryOutbox(
  { accounts, backlogs, messages, asked }: RetryNeeds,
  ids?: readonly string[],
): Promise<void> {
  const { outbox } = accounts;
  await backlogs.attend();
  const entries = (await outbox.entries()).filter(({ id }) => ids?.includes(id) ?? true);
  if (entries.length === 0) {
    messages.status(vscode.l10n.t('No unsent changes.'));
    return;
  }
  for (const { id } of entries) asked.add(id);
  await outbox.retry(entries.map(({ id }) => id));
  const outcomes = await Promise.all(entries.map(({ id }) => outbox.outcome(id)));
  for (const [at, { id }] of entries.entries()) if (outcomes[at]?.kind !== 'failed') asked.delete(id);
  const failed = outcomes.find((outcome) => outcome.kind === 'failed');
  if (failed) throw new TrackerError(failed.problem.kind, failed.problem.message);
  const index = outcomes.findIndex((outcome) => outcome.kind === 'waiting');
  const [outcome, entry] = [outcomes[index], entries[index]];
  if (outcome?.kind === 'waiting' && entry) {
    messages.status(waitingText(outcome.problem, backlogs.hostOf(entry.project)));
  } else messages.status(sentText(entries.length));
}

function sentText(count: number): string {
  return count === 1 ? vscode.l10n.t('Sent 1 change.') : vscode.l10n.t('Sent {0} changes.', count);
}
