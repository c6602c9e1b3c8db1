import * as vscode from 'vscode';
import type { Commit } from '../../core/ports/git.ts';
import { keyText, type ProjectKey } from '../../core/story/projectKey.ts';
import type { Story } from '../../core/story/story.ts';
import { shortHash } from '../../core/text.ts';
import type { Backlogs } from '../../host/projects/backlogs.ts';
import type { FoundStory } from '../../host/tree/nodes.ts';

/** What became of one commit. `stories` are those it is linked to now; a failure of several accounts may leave some. */
export type LinkOutcome = {
  readonly commit: Commit;
  readonly stories: readonly FoundStory[];
} & (
  | { readonly status: 'linked' | 'linkedBefore'; readonly unknown: readonly number[] }
  /** It is in the outbox, for a server that cannot be reached; other servers may have it. */
  | { readonly status: 'waiting'; readonly unknown: readonly number[]; readonly waitsFor: ProjectKey }
  /** `isLost`: what came between may pass, and neither a server nor the outbox knows of it. */
  | { readonly status: 'failed'; readonly sentence: string; readonly isLost: boolean }
);

/** Every story that one of the commits is linked to, once. */
export function storiesIn(outcomes: readonly LinkOutcome[]): readonly FoundStory[] {
  const all = outcomes.flatMap(({ stories }) => stories);
  return [...new Map(all.map((found) => [`${keyText(found.key)}/${found.story.id}`, found])).values()];
}

/** One sentence on commits that were all linked, with the states the stories have now. */
export function successText(outcomes: readonly LinkOutcome[], stories: readonly Story[]): string {
  const linked = outcomes.filter(({ status }) => status === 'linked').length;
  const before = outcomes.filter(({ status }) => status === 'linkedBefore').length;
  const states = stories.map(({ id, state }) => vscode.l10n.t('#{0}, {1}', id, state)).join('; ');
  const parts = [
    ...(linked > 0 ? [countText(linked, states)] : []),
    ...(before > 0 ? [beforeText(before, states)] : []),
    ...unknownIds(outcomes).map((id) => vscode.l10n.t('Could not find story #{0} in your projects.', id)),
  ];
  return parts.join(' ');
}

/** How many were linked, and a sentence for each that was not. */
export function failureText(outcomes: readonly LinkOutcome[]): string {
  const failed = outcomes.filter((outcome) => outcome.status === 'failed');
  const sentences = failed.map(({ commit, sentence }) => `${shortHash(commit.hash)}: ${sentence}`);
  const linked = outcomes.filter(({ status }) => status === 'linked' || status === 'linkedBefore').length;
  const head = vscode.l10n.t('Linked {0} of {1} commits.', linked, outcomes.length);
  return [head, ...sentences].join(' ');
}

/** For each server, how many commits wait for it. */
export function waitingTexts(
  outcomes: readonly (LinkOutcome & { readonly status: 'waiting' })[],
  backlogs: Pick<Backlogs, 'hostOf'>,
): readonly string[] {
  const byHost = Map.groupBy(outcomes, ({ waitsFor }) => backlogs.hostOf(waitsFor));
  return [...byHost].map(([host, { length }]) =>
    length === 1
      ? vscode.l10n.t('Saved 1 commit. It will be linked when {0} is reachable.', host)
      : vscode.l10n.t('Saved {0} commits. They will be linked when {1} is reachable.', length, host),
  );
}

function countText(count: number, states: string): string {
  return count === 1
    ? vscode.l10n.t('Linked 1 commit to {0}.', states)
    : vscode.l10n.t('Linked {0} commits to {1}.', count, states);
}

function beforeText(count: number, states: string): string {
  return count === 1
    ? vscode.l10n.t('1 commit was already linked to {0}.', states)
    : vscode.l10n.t('{0} commits were already linked to {1}.', count, states);
}

function unknownIds(outcomes: readonly LinkOutcome[]): readonly number[] {
  return [...new Set(outcomes.flatMap((outcome) => (outcome.status === 'failed' ? [] : outcome.unknown)))];
}
