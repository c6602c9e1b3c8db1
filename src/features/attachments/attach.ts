import * as vscode from 'vscode';
import { messageOf, retold, TrackerError } from '../../core/errors.ts';
import type { App } from '../../host/app.ts';
import type { FoundStory } from '../../host/foundStory.ts';
import { candidateOf, type Ready } from './candidate.ts';
import { failureText, successText } from './closingText.ts';
import { notYetThere } from './notYetThere.ts';
import { savedFirst } from './savedFirst.ts';
import { type Caller, sendable } from './sendable.ts';
import { type UploadOutcome, upload } from './uploads.ts';

export type AttachNeeds = Pick<App, 'backlogs' | 'messages' | 'log'>;

/** @throws TrackerError when nothing can be sent, or, for a program, when a file was not attached. */
export async function attach(
  needs: AttachNeeds,
  target: FoundStory,
  uris: readonly vscode.Uri[],
  caller: Caller,
): Promise<void> {
  await refuseWhereClosed(needs, target);
  if (caller === 'person' && !(await savedFirst(needs.messages, uris))) return;
  const candidates = await Promise.all(uris.map(candidateOf));
  const { files, leftOut } = await sendable(needs.messages, candidates, caller);
  if (files.length > 0) await send(needs, target, files, leftOut, caller);
  else if (leftOut.length > 0) throw new TrackerError('input', leftOut.join(' '));
}

async function refuseWhereClosed({ backlogs }: AttachNeeds, { key }: FoundStory): Promise<void> {
  const projects = await backlogs.projects();
  const entry = projects.find((one) => one.key.accountId === key.accountId && one.key.projectId === key.projectId);
  if (entry?.project.allowAttachments !== false) return;
  const text = vscode.l10n.t(
    'The project “{0}” does not allow attachments. An owner can allow them in its settings.',
    entry.project.name,
  );
  throw new TrackerError('refused', text);
}

async function send(
  needs: AttachNeeds,
  target: FoundStory,
  files: readonly Ready[],
  leftOut: readonly string[],
  caller: Caller,
): Promise<void> {
  const outcomes = await upload(needs.backlogs.tracker(target.key), target, files);
  await showResult(needs, target);
  const failed = outcomes.filter((outcome) => outcome.status === 'failed');
  if (failed.length === 0 && leftOut.length === 0) {
    needs.messages.info(successText(files, target.story));
    return;
  }
  const text = failureText(outcomes, leftOut, target.story);
  if (caller === 'program')
    throw failed[0]?.error instanceof TrackerError ? retold(failed[0].error, text) : new TrackerError('input', text);
  void offerRetry(needs, target, outcomes, text).catch((thrown) => needs.messages.error(thrown));
}

async function offerRetry(
  needs: AttachNeeds,
  target: FoundStory,
  outcomes: readonly UploadOutcome[],
  text: string,
): Promise<void> {
  const failed = outcomes.flatMap((outcome) => (outcome.status === 'failed' ? [outcome] : []));
  const retry = vscode.l10n.t('Retry');
  const answer = await needs.messages.offer(text, ...(failed.length > 0 ? [retry] : []));
  if (answer !== retry) return;
  const missing = await notYetThere(needs.backlogs, target, outcomes);
  const again = await Promise.all(missing.map(({ uri }) => candidateOf(uri)));
  const { files, leftOut } = await sendable(needs.messages, again, 'person');
  if (files.length > 0) await send(needs, target, files, leftOut, 'person');
  else if (leftOut.length > 0) throw new TrackerError('input', leftOut.join(' '));
  else needs.messages.info(vscode.l10n.t('All files are attached to #{0}.', target.story.id));
}

/** The files are attached whether or not the story can be read afterwards. */
async function showResult({ backlogs, log }: AttachNeeds, { key, story }: FoundStory): Promise<void> {
  try {
    await backlogs.refreshStory(key, story.id);
  } catch (thrown) {
    log.warn(`story ${story.id} could not be read after attaching: ${messageOf(thrown)}`);
  }
}
