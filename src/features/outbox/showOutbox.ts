import * as vscode from 'vscode';
import type { Intent } from '../../core/intent.ts';
import type { OutboxEntry } from '../../core/outbox.ts';
import { isPlainObject } from '../../host/commands.ts';
import { withoutIcons } from '../../host/plainText.ts';
import { openPreview } from './preview.ts';
import { type RetryNeeds as Needs, retryOutbox } from './retryOutbox.ts';
import { texts, wishText } from './texts.ts';

interface EntryItem extends vscode.QuickPickItem {
  /** All of them when absent. */
  readonly entry?: OutboxEntry;
}

/** Lists what servers have not taken; what is chosen, or named by `{ entryId }`, can be tried again, looked at or discarded. */
export async function showOutbox(needs: Needs, asked?: unknown): Promise<void> {
  const { accounts, backlogs, messages } = needs;
  await backlogs.projects().catch(() => []);
  // Before that the outbox knows of nobody who is signed in.
  await backlogs.attend();
  const entries = await accounts.outbox.entries();
  if (entries.length === 0) {
    messages.status(vscode.l10n.t('Nothing waits to be sent.'));
    return;
  }
  const named = isPlainObject(asked) ? entries.find(({ id }) => id === asked.entryId) : undefined;
  if (named) return askWhatToDo(needs, named);
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
    const icon = { waiting: 'clock', sending: 'sync', failed: 'error' }[state];
    return {
      label: `$(${icon}) ${withoutIcons(wishText(backlogs, entry))}`,
      description: withoutIcons([...numberOf(intent), backlogs.hostOf(project)].join(' · ')),
      detail: withoutIcons(texts.state(entry, now)),
      entry,
    };
  });
  return [{ label: `$(refresh) ${vscode.l10n.t('Retry All')}` }, ...items];
}

/** A new story has none yet. */
const numberOf = ({ kind, storyId }: Intent) => (kind === 'newStory' ? [] : [`#${storyId}`]);

async function askWhatToDo(needs: Needs, entry: OutboxEntry): Promise<void> {
  const retry = vscode.l10n.t('Retry Now');
  const preview = vscode.l10n.t('Preview What Is Sent');
  const discard = vscode.l10n.t('Discard…');
  const placeHolder = [wishText(needs.backlogs, entry), entry.problem?.message].filter((part) => part).join(' · ');
  const chosen = await vscode.window.showQuickPick([retry, preview, discard], { placeHolder });
  if (chosen === retry) await retryOutbox(needs, [entry.id]);
  else if (chosen === preview) await openPreview(entry);
  else if (chosen === discard) await askToDiscard(needs, entry);
}

async function askToDiscard({ backlogs, messages }: Needs, entry: OutboxEntry): Promise<void> {
  const { id, intent } = entry;
  const discard = vscode.l10n.t('Discard');
  const detail = intent.kind === 'comment' ? intent.text : wishText(backlogs, entry);
  const answer = await messages.ask(vscode.l10n.t('Discard this change? It is not sent.'), detail, discard);
  if (answer !== discard) return;
  if (await backlogs.discard(id)) return;
  messages.info(vscode.l10n.t('This change is being sent just now, so it cannot be discarded.'));
}
