import * as vscode from 'vscode';
import type { NewCommit } from '../../core/ports/history.ts';
import type { FoundStory } from '../../host/tree/nodes.ts';
import type { LinkedStories } from './linkedStories.ts';

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
  const commit = `${hash.slice(0, 8)} “${message.split('\n', 1)[0] ?? ''}”`;
  return versionOf === undefined
    ? vscode.l10n.t('Link commit {0} to {1}?', commit, named)
    : vscode.l10n.t('Link commit {0}, a new version of {1}, to {2}?', commit, versionOf.slice(0, 8), named);
}

function questionForMany(asked: readonly Asked[], ids: readonly number[]): string {
  const named = ids.map((id) => `#${id}`).slice(0, ids.length > MOST_NAMED + 1 ? MOST_NAMED : ids.length);
  const others = ids.length - named.length;
  const stories = (others > 0 ? [...named, vscode.l10n.t('and {0} others', others)] : named).join(', ');
  const versions = asked.filter(({ commit }) => commit.versionOf !== undefined).length;
  if (versions === 1) {
    return vscode.l10n.t(
      'Link {0} new commits, one of them a new version of an earlier one, to the stories that they name ({1})?',
      asked.length,
      stories,
    );
  }
  return versions > 0
    ? vscode.l10n.t(
        'Link {0} new commits, {1} of them new versions of earlier ones, to the stories that they name ({2})?',
        asked.length,
        versions,
        stories,
      )
    : vscode.l10n.t('Link {0} new commits to the stories that they name ({1})?', asked.length, stories);
}

/** Says of amended, rebased and picked commits that what was linked before stays; short, since a status bar is. */
export function versionTexts(commits: readonly NewCommit[], linked: LinkedStories): readonly string[] {
  const [first, ...others] = commits.flatMap(({ versionOf }) =>
    versionOf !== undefined && linked(versionOf).length > 0 ? [versionOf] : [],
  );
  if (first === undefined) return [];
  return others.length === 0
    ? [vscode.l10n.t('New version of {0}, whose comment stays.', first.slice(0, 8))]
    : [vscode.l10n.t('New versions of {0} commits, whose comments stay.', others.length + 1)];
}
