import * as vscode from 'vscode';
import { stateWord } from '../../core/backlog/stateWords.ts';
import { stateAfterCommit } from '../../core/backlog/workflow.ts';
import { storyEffects } from '../../core/marker/markerSyntax.ts';
import type { Commit, NewCommit } from '../../core/ports/git.ts';
import { keyText, type ProjectKey } from '../../core/story/projectKey.ts';
import type { Story } from '../../core/story/story.ts';
import { shortHash } from '../../core/text.ts';
import type { App } from '../../host/app.ts';
import type { Backlogs } from '../../host/projects/backlogs.ts';
import type { FoundStory } from '../../host/tree/nodes.ts';
import type { LinkedStories, PlannedCommit } from './plannedCommits.ts';
import { postedMessage } from './postedMessage.ts';

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
  const states = stories.map(({ id, state }) => vscode.l10n.t('#{0}, {1}', id, stateWord(state))).join('; ');
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
  backlogs: Pick<Backlogs, 'signInOf'>,
): readonly string[] {
  const byHost = Map.groupBy(outcomes, ({ waitsFor }) => backlogs.signInOf(waitsFor));
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

interface Asked {
  readonly commit: NewCommit;
  readonly stories: readonly FoundStory[];
}

/** So many ids are read in a sentence; of more than these the number is said. */
const MOST_NAMED = 8;

/** Asks whether commits are to be linked to the stories they name. */
export function questionText(asked: readonly Asked[]): string {
  const stories = new Map(asked.flatMap((one) => one.stories.map(({ story }) => [story.id, story.name] as const)));
  const [first] = asked;
  if (asked.length > 1 || !first) return questionForMany(asked, [...stories.keys()]);
  const { hash, message, versionOf } = first.commit;
  const named = [...stories].map(([id, name]) => `#${id} ${name}`).join(', ');
  const commit = `${shortHash(hash)} “${message.split('\n', 1)[0] ?? ''}”`;
  return versionOf === undefined
    ? vscode.l10n.t('Link commit {0} to {1}?', commit, named)
    : vscode.l10n.t('Link commit {0}, a new version of {1}, to {2}?', commit, shortHash(versionOf), named);
}

function questionForMany(asked: readonly Asked[], ids: readonly number[]): string {
  const named = ids.map((id) => `#${id}`).slice(0, ids.length > MOST_NAMED + 1 ? MOST_NAMED : ids.length);
  const others = ids.length - named.length;
  const stories = (others > 0 ? [...named, vscode.l10n.t('and {0} others', others)] : named).join(', ');
  const versions = asked.filter(({ commit }) => commit.versionOf !== undefined).length;
  if (versions === 1) {
    return vscode.l10n.t(
      'Link {0} new commits, one of them a new version of an earlier one, to the stories they mention ({1})?',
      asked.length,
      stories,
    );
  }
  return versions > 0
    ? vscode.l10n.t(
        'Link {0} new commits, {1} of them new versions of earlier ones, to the stories they mention ({2})?',
        asked.length,
        versions,
        stories,
      )
    : vscode.l10n.t('Link {0} new commits to the stories they mention ({1})?', asked.length, stories);
}

/** Says of amended, rebased and picked commits that what was linked before stays; short, since a status bar is. */
export function versionTexts(commits: readonly NewCommit[], linked: LinkedStories): readonly string[] {
  const [first, ...others] = commits.flatMap(({ versionOf }) =>
    versionOf !== undefined && linked(versionOf).length > 0 ? [versionOf] : [],
  );
  if (first === undefined) return [];
  return others.length === 0
    ? [vscode.l10n.t('This is a new version of {0}. The earlier comment stays.', shortHash(first))]
    : [vscode.l10n.t('These are new versions of {0} commits. The earlier comments stay.', others.length + 1)];
}

/** As `questionText`, so short that a pick has room for it: one commit and its stories without their names. */
export function shortQuestionText(asked: readonly Asked[]): string {
  const [first] = asked;
  if (asked.length > 1 || !first) return questionText(asked);
  const named = first.stories.map(({ story }) => `#${story.id}`).join(', ');
  return vscode.l10n.t('Link commit {0} to {1}?', shortHash(first.commit.hash), named);
}

/** Stories that a button names; of more the number is said. */
const MOST_ON_BUTTON = 3;

interface LinkLabels {
  readonly link: string;
  readonly always: string;
}

/** What linking commits does, by their markers: some finish or deliver stories. */
export function linkLabels({ backlogs }: Pick<App, 'backlogs'>, asked: readonly PlannedCommit[]): LinkLabels {
  const { finished, delivered } = endedStories(backlogs, asked);
  if (finished.length > 0 && delivered.length > 0) {
    return {
      link: vscode.l10n.t('Link, Finish {0} and Deliver {1}', namesOf(finished), namesOf(delivered)),
      always: vscode.l10n.t('Always Link, Finish and Deliver'),
    };
  }
  if (finished.length > 0) {
    const link = vscode.l10n.t('Link and Finish {0}', namesOf(finished));
    return { link, always: vscode.l10n.t('Always Link and Finish') };
  }
  if (delivered.length > 0) {
    const link = vscode.l10n.t('Link and Deliver {0}', namesOf(delivered));
    return { link, always: vscode.l10n.t('Always Link and Deliver') };
  }
  return { link: vscode.l10n.t('Link'), always: vscode.l10n.t('Always Link') };
}

/** Stories whose state the markers of commits change. */
function endedStories(backlogs: App['backlogs'], asked: readonly PlannedCommit[]) {
  const ends = { finish: new Set<number>(), deliver: new Set<number>() };
  for (const { commit, stories, unwanted } of asked) {
    const effects = storyEffects(postedMessage(commit.message, unwanted));
    for (const { key, story } of stories) {
      const effect = effects.get(story.id);
      const rules = backlogs.peek(key)?.project ?? {};
      if (!effect || effect === 'comment' || stateAfterCommit(story, effect, rules) === story.state) continue;
      ends[effect].add(story.id);
    }
  }
  return { delivered: [...ends.deliver], finished: [...ends.finish].filter((id) => !ends.deliver.has(id)) };
}

function namesOf(ids: readonly number[]): string {
  return ids.length > MOST_ON_BUTTON ? vscode.l10n.t('{0} Stories', ids.length) : ids.map((id) => `#${id}`).join(', ');
}
