import * as vscode from 'vscode';
import { isCancelled, messageOf } from '../../../core/errors.ts';
import type { Story } from '../../../core/story/story.ts';
import type { Ready } from '../prepare/candidate.ts';
import type { UploadOutcome } from './uploads.ts';

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
    const reason = isCancelled(outcome.error) ? vscode.l10n.t('Cancelled.') : messageOf(outcome.error);
    filesByReason.set(reason, [...(filesByReason.get(reason) ?? []), outcome.item.filename]);
  }
  return [...filesByReason].map(([reason, names]) => `${names.join(', ')}: ${reason}`);
}
