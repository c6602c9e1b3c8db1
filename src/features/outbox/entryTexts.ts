import * as vscode from 'vscode';
import type { Intent } from '../../core/intent.ts';
import type { OutboxEntry } from '../../core/outbox.ts';

/** Characters of a comment in a row. */
const LENGTH = 60;

/** What an entry is to do. */
export function intentText(intent: Intent): string {
  switch (intent.kind) {
    case 'edit':
      return intent.edit.state === undefined
        ? vscode.l10n.t('Edit of #{0}', intent.storyId)
        : vscode.l10n.t('State of #{0}: {1}', intent.storyId, intent.edit.state);
    case 'move':
      return intent.place === 'before'
        ? vscode.l10n.t('Move of #{0} before #{1}', intent.storyId, intent.targetId)
        : vscode.l10n.t('Move of #{0} after #{1}', intent.storyId, intent.targetId);
    case 'comment':
      return vscode.l10n.t('Comment on #{0}: {1}', intent.storyId, shortened(intent.text));
    case 'link':
      return vscode.l10n.t('Commit {0} for #{1}', intent.commit.commitId.slice(0, 8), intent.storyId);
  }
}

/** Where an entry stands, and since when. */
export function stateText({ state, problem, addedAt }: OutboxEntry, now: number): string {
  const since = ageText(now - addedAt);
  if (state === 'sending') return vscode.l10n.t('being sent · {0}', since);
  const why = problem === undefined ? '' : ` · ${problem.message}`;
  return (state === 'failed' ? vscode.l10n.t('refused · {0}', since) : vscode.l10n.t('waits · {0}', since)) + why;
}

function ageText(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes < 1) return vscode.l10n.t('just now');
  if (minutes < 60) return vscode.l10n.t('{0} min ago', minutes);
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? vscode.l10n.t('{0} h ago', hours) : vscode.l10n.t('{0} days ago', Math.floor(hours / 24));
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > LENGTH ? `${line.slice(0, LENGTH).trimEnd()}…` : line;
}
