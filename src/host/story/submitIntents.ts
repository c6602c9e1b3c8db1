import * as vscode from 'vscode';
import { failureMeans } from '../../core/errors.ts';
import type { Intent } from '../../core/intents/intent.ts';
import type { EntryProblem, Submission } from '../../core/outbox/outbox.ts';
import type { ProjectKey } from '../../core/story/projectKey.ts';
import type { App } from '../app.ts';

type Needs = Pick<App, 'backlogs' | 'messages'>;

/**
 * Has intents sent, showing them at once. Resolves when the server has taken them, or when they are on disk and wait, which
 * it tells in the status bar. @throws TrackerError in the server's words when it refuses; what was shown is taken back.
 */
export async function submitIntents(needs: Needs, key: ProjectKey, intents: readonly Intent[]): Promise<Submission> {
  const submission = await needs.backlogs.submit(key, intents);
  if (submission.refused) throw submission.refused;
  tellWaiting(needs, key, submission);
  return submission;
}

/** Says, where something has to wait, that it is safe and what for. */
export function tellWaiting(
  { backlogs, messages }: Needs,
  key: ProjectKey,
  { waiting }: Pick<Submission, 'waiting'>,
): void {
  if (waiting) messages.status(waitingText(waiting, backlogs.signInOf(key)));
}

export function waitingText({ kind }: EntryProblem, host: string): string {
  return failureMeans(kind, 'signIn')
    ? vscode.l10n.t('Saved. It will be sent when you sign in to {0} again.', host)
    : vscode.l10n.t('Saved. It will be sent when {0} is reachable.', host);
}
