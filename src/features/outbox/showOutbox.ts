import * as vscode from 'vscode';
import type { OutboxEntry } from '../../core/outbox.ts';
import { withoutIcons } from '../../host/plainText.ts';
import { storyLabel } from '../../host/storyLabel.ts';
import { intentText, stateText } from './entryTexts.ts';
import { type RetryNeeds as Needs, retryOutbox } from './retryOutbox.ts';

interface EntryItem extends vscode.QuickPickItem {
  /** All of them when absent. */
  readonly entry?: OutboxEntry;
}

/** Lists what servers have not taken; what is chosen can be tried again or discarded. */
export async function showOutbox(needs: Needs): Promise<void> {
  const { accounts, backlogs, messages } = needs;
  await backlogs.projects().catch(() => []);
  const entries = await accounts.outbox.entries();
  if (entries.length === 0) {
    messages.status(vscode.l10n.t('Nothing waits to be sent.'));
    return;
  }
  const chosen = await vscode.window.showQuickPick<EntryItem>(itemsOf(entries, backlogs), {
    placeHolder: vscode.l10n.t('Changes that no server has taken yet'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (chosen?.entry) await askWhatToDo(needs, chosen.entry);
  else if (chosen) await retryOutbox(needs);
}

function itemsOf(entries: readonly OutboxEntry[], backlogs: Needs['backlogs']): readonly EntryItem[] {
  const now = Date.now();
  const items = entries.map((entry): EntryItem => {
    const { intent, project, state } = entry;
    const story = backlogs.peekStory(intent.storyId, project.projectId)?.story;
    const icon = { waiting: 'clock', sending: 'sync', failed: 'error' }[state];
    return {
      label: `$(${icon}) ${withoutIcons(intentText(intent))}`,
      description: story ? withoutIcons(storyLabel(story)) : '',
      detail: withoutIcons(stateText(entry, now)),
      entry,
    };
  });
  return [{ label: `$(refresh) ${vscode.l10n.t('Retry All')}` }, ...items];
}

async function askWhatToDo(needs: Needs, entry: OutboxEntry): Promise<void> {
  const retry = vscode.l10n.t('Retry Now');
  const discard = vscode.l10n.t('Discard…');
  const chosen = await vscode.window.showQuickPick([retry, discard], { placeHolder: intentText(entry.intent) });
  if (chosen === retry) await retryOutbox(needs, [entry.id]);
  else if (chosen === discard) await askToDiscard(needs, entry);
}

async function askToDiscard({ backlogs, messages }: Needs, { id, intent }: OutboxEntry): Promise<void> {
  const discard = vscode.l10n.t('Discard');
  const detail = intent.kind === 'comment' ? intent.text : intentText(intent);
  const answer = await messages.ask(vscode.l10n.t('Discard this change? It is not sent.'), detail, discard);
  if (answer !== discard) return;
  if (await backlogs.discard(id)) return;
  messages.info(vscode.l10n.t('This change is being sent just now, so it cannot be discarded.'));
}
