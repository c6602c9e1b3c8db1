import * as vscode from 'vscode';
import { messageOf } from '../../../core/errors.ts';
import type { OutboxEntry } from '../../../core/outbox/outbox.ts';
import type { Account } from '../../../host/accounts/account.ts';
import type { Backlogs } from '../../../host/projects/backlogs.ts';
import type { StoryCount } from './shownProject.ts';

/** A filter and what it leaves of all stories that were read. */
export interface Filtered extends StoryCount {
  readonly text: string;
}

export interface ViewNotice {
  /** Above the rows: why they are not the newest. */
  readonly message: string | undefined;
  /** Beside the view's title. */
  readonly description: string | undefined;
}

type KnownOfServers = Pick<Backlogs, 'failures' | 'isSlow' | 'readAt' | 'signInOf' | 'unsent'>;

/** What the view says about how new its rows are. */
export function viewNotice(
  backlogs: KnownOfServers,
  accounts: readonly Account[],
  filtered: Filtered | undefined,
): ViewNotice {
  const { failures, readAt } = backlogs;
  const sentences = firstOfEach(failures).map(({ account, error }) => {
    const sentence = messageOf(error);
    return accounts.length > 1 && !sentence.includes(account.label) ? `${account.label}: ${sentence}` : sentence;
  });
  const age = readAt === undefined || accounts.length === 0 ? undefined : vscode.l10n.t('as of {0}', clock(readAt));
  // Said once: beside the title, or with why it is old.
  const shown = age === undefined || failures.length < accounts.length ? [] : [vscode.l10n.t('Shown {0}.', age)];
  const stale = sentences.length > 0 ? [...new Set(sentences), ...shown] : [];
  const slow = accounts
    .filter(({ id }) => backlogs.isSlow(id))
    .map(({ label }) => vscode.l10n.t('{0} is slow to answer.', label));
  const lines = [...(filtered ? [filterText(filtered)] : []), ...stale, ...slow, ...unsentTexts(backlogs)];
  return {
    message: lines.length > 0 ? lines.join('\n') : undefined,
    description: [filtered?.text, shown.length > 0 ? undefined : age].filter((part) => part).join(' · ') || undefined,
  };
}

/** One sentence a server is enough to act on; what else failed there is in the log. */
function firstOfEach(failures: Backlogs['failures']): Backlogs['failures'] {
  return [...new Map(failures.toReversed().map((failure) => [failure.account.id, failure])).values()].toReversed();
}

/** What each server has not taken yet. */
function unsentTexts(backlogs: Pick<Backlogs, 'isSlow' | 'unsent' | 'signInOf'>): readonly string[] {
  const { unsent } = backlogs;
  const waits = new Set(unsent.flatMap(({ state, project }) => (state === 'waiting' ? [project.accountId] : [])));
  // What is being sent is gone in a moment, unless its server takes so long that others wait behind it.
  const isUnsent = ({ state, project: { accountId } }: OutboxEntry) =>
    state === 'waiting' || (state === 'sending' && (waits.has(accountId) || backlogs.isSlow(accountId)));
  const waiting = Map.groupBy(unsent.filter(isUnsent), ({ project }) => project.accountId);
  const refused = unsent.filter(({ state }) => state === 'failed').length;
  const texts = [...waiting.values()].flatMap((entries) => {
    const [first] = entries;
    if (!first) return [];
    const host = backlogs.signInOf(first.project);
    return entries.length === 1
      ? vscode.l10n.t('1 unsent change for {0}.', host)
      : vscode.l10n.t('{0} unsent changes for {1}.', entries.length, host);
  });
  if (refused === 1) texts.push(vscode.l10n.t('1 change was refused. Run "Show Unsent Changes" to see why.'));
  if (refused > 1)
    texts.push(vscode.l10n.t('{0} changes were refused. Run "Show Unsent Changes" to see why.', refused));
  return texts;
}

function filterText({ text, shown, total }: Filtered): string {
  return vscode.l10n.t('Filter: {0} ({1} of {2} stories)', text, shown, total);
}

function clock(time: number): string {
  return new Intl.DateTimeFormat(vscode.env.language, { hour: '2-digit', minute: '2-digit' }).format(time);
}
