import * as vscode from 'vscode';
import { stateAfterCommit } from '../../core/backlog/workflow.ts';
import { storyEffects } from '../../core/marker/markerSyntax.ts';
import type { NewCommit } from '../../core/ports/git.ts';
import { shortHash } from '../../core/text.ts';
import type { App } from '../../host/app.ts';
import type { FoundStory } from '../../host/tree/nodes.ts';
import type { LinkedStories, PlannedCommit } from './plannedCommits.ts';
import { postedMessage } from './postedMessage.ts';

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

/** Stories that a button names; of more the number is said. */
const MOST_ON_BUTTON = 3;

/** What linking commits does, by their markers: some finish or deliver stories. */
export function linkLabel({ backlogs }: Pick<App, 'backlogs'>, asked: readonly PlannedCommit[]): string {
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
  const delivered = [...ends.deliver];
  const finished = [...ends.finish].filter((id) => !ends.deliver.has(id));
  if (finished.length > 0 && delivered.length > 0) {
    return vscode.l10n.t('Link, Finish {0} and Deliver {1}', namesOf(finished), namesOf(delivered));
  }
  if (finished.length > 0) return vscode.l10n.t('Link and Finish {0}', namesOf(finished));
  return delivered.length > 0 ? vscode.l10n.t('Link and Deliver {0}', namesOf(delivered)) : vscode.l10n.t('Link');
}

function namesOf(ids: readonly number[]): string {
  return ids.length > MOST_ON_BUTTON ? vscode.l10n.t('{0} Stories', ids.length) : ids.map((id) => `#${id}`).join(', ');
}
