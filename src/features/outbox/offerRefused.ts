import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import type { OutboxEntry } from '../../core/outbox/outbox.ts';
import type { App } from '../../host/app.ts';
import { wishText } from './texts.ts';

/** Says what was refused and why, and offers to look at it. */
export async function offerRefused(
  { backlogs, messages }: Pick<App, 'backlogs' | 'messages'>,
  refused: readonly OutboxEntry[],
): Promise<void> {
  const [first] = refused;
  if (!first) return;
  const why = first.problem?.message ?? '';
  const text =
    refused.length === 1
      ? vscode.l10n.t('Could not send a saved change: {0}. {1}', wishText(backlogs, first), why)
      : vscode.l10n.t('Could not send {0} saved changes. {1}', refused.length, why);
  const show = vscode.l10n.t('Show Unsent Changes');
  const chosen = await messages.offer(text, show);
  if (chosen === show) await vscode.commands.executeCommand(commandIds.showOutbox);
}
