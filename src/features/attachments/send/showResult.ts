import * as vscode from 'vscode';
import { isCancelled, messageOf } from '../../../core/errors.ts';
import { byteText, withoutIcons } from '../../../host/shell/plainText.ts';
import type { FoundStory } from '../../../host/tree/nodes.ts';
import type { UploadOutcome } from './uploads.ts';

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
  return isCancelled(error) ? vscode.l10n.t('Cancelled.') : messageOf(error);
}
