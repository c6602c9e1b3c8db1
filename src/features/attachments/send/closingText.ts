import * as vscode from 'vscode';
import { isCancelled, messageOf } from '../../../core/errors.ts';
import type { Story } from '../../../core/story/story.ts';
import type { Backlogs } from '../../../host/projects/backlogs.ts';
import { byteText, withoutIcons } from '../../../host/shell/plainText.ts';
import type { FoundStory } from '../../../host/tree/nodes.ts';
import type { Ready } from '../prepare/candidate.ts';
import { fateIsUnknown, type UploadOutcome } from './uploads.ts';

export function successText(files: readonly Ready[], story: Story): string {
  return files.length === 1
    ? vscode.l10n.t('Attached {0} to #{1}.', files[0]?.filename ?? '', story.id)
    : vscode.l10n.t('Attached {0} files to #{1}.', files.length, story.id);
}

/** How many went well, then each reason once with the files it concerns. */
export function failureText(outcomes: readonly UploadOutcome[], leftOut: readonly string[], story: Story): string {
  const done = outcomes.filter(({ status }) => status === 'done').length;
  const all = outcomes.length + leftOut.length;
  const head =
    done === 0
      ? vscode.l10n.t('Nothing was attached to #{0}.', story.id)
      : vscode.l10n.t('Attached {0} of {1} files to #{2}.', done, all, story.id);
  return [head, ...reasons(outcomes), ...leftOut].join(' ');
}

function reasons(outcomes: readonly UploadOutcome[]): readonly string[] {
  const filesByReason = new Map<string, readonly string[]>();
  for (const outcome of outcomes) {
    if (outcome.status === 'done') continue;
    const reason = isCancelled(outcome.error) ? vscode.l10n.t('Canceled.') : messageOf(outcome.error);
    filesByReason.set(reason, [...(filesByReason.get(reason) ?? []), outcome.item.filename]);
  }
  return [...filesByReason].map(([reason, names]) => `${names.join(', ')}: ${reason}`);
}

interface Result {
  readonly outcomes: readonly UploadOutcome[];
  /** A sentence for each file that was not sent. */
  readonly leftOut: readonly string[];
  readonly canRetry: boolean;
}

/** Lists how each file fared. True: the person wants the failed ones tried again. */
export async function showResult({ story }: FoundStory, { outcomes, leftOut, canRetry }: Result): Promise<boolean> {
  const files = outcomes.map((outcome) => ({
    label: `$(${outcome.status === 'done' ? 'pass' : 'error'}) ${withoutIcons(outcome.item.filename)}`,
    description: byteText(outcome.item.size),
    detail: outcome.status === 'done' ? vscode.l10n.t('Attached') : withoutIcons(reasonOf(outcome.error)),
    retries: false,
  }));
  const others = leftOut.map((sentence) => ({ label: `$(circle-slash) ${withoutIcons(sentence)}`, retries: false }));
  const again = canRetry ? [{ label: `$(refresh) ${vscode.l10n.t('Retry Failed')}`, retries: true }] : [];
  const title = vscode.l10n.t('Files for #{0}', story.id);
  return (await vscode.window.showQuickPick([...again, ...files, ...others], { title }))?.retries === true;
}

function reasonOf(error: unknown): string {
  return isCancelled(error) ? vscode.l10n.t('Canceled.') : messageOf(error);
}

/**
 * The failed files that the story does not hold. An upload whose answer got lost may have arrived all the same, and must
 * not be attached twice: such a file counts as there when the story has an attachment of its name that it had not before.
 */
export async function notYetThere(
  backlogs: Backlogs,
  { key, story }: FoundStory,
  outcomes: readonly UploadOutcome[],
): Promise<readonly Ready[]> {
  const failed = outcomes.flatMap((outcome) => (outcome.status === 'failed' ? [outcome] : []));
  if (!failed.some(({ error }) => fateIsUnknown(error))) return failed.map(({ item }) => item);
  const now = await backlogs.refreshStory(key, story.id);
  const explained = new Set(story.attachments.map(({ id }) => id));
  for (const outcome of outcomes) if (outcome.status === 'done') explained.add(outcome.value.id);
  const unexplained = now.attachments.filter(({ id }) => !explained.has(id)).map(({ filename }) => filename);
  return failed.flatMap(({ item, error }) => {
    const index = fateIsUnknown(error) ? unexplained.indexOf(item.filename) : -1;
    if (index < 0) return [item];
    unexplained.splice(index, 1);
    return [];
  });
}
