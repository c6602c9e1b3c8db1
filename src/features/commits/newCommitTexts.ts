import * as vscode from 'vscode';
import type { NewCommit } from '../../core/newCommits.ts';
import type { FoundStory } from '../../host/foundStory.ts';

interface Asked {
  readonly commit: NewCommit;
  readonly stories: readonly FoundStory[];
}

/** Asks whether commits are to be linked to the stories they name. */
export function questionText(asked: readonly Asked[]): string {
  const stories = new Map(asked.flatMap((one) => one.stories.map(({ story }) => [story.id, story.name] as const)));
  const [first] = asked;
  if (asked.length > 1 || !first) {
    const ids = [...stories.keys()].map((id) => `#${id}`).join(', ');
    return vscode.l10n.t('Link {0} new commits to the stories that they name ({1})?', asked.length, ids);
  }
  const { hash, message, versionOf } = first.commit;
  const named = [...stories].map(([id, name]) => `#${id} ${name}`).join(', ');
  const commit = `${hash.slice(0, 8)} “${message.split('\n', 1)[0] ?? ''}”`;
  return versionOf === undefined
    ? vscode.l10n.t('Link commit {0} to {1}?', commit, named)
    : vscode.l10n.t('Link commit {0}, a new version of {1}, to {2}?', commit, versionOf.slice(0, 8), named);
}

/** Says of amended, rebased and picked commits that what was linked before stays. */
export function versionTexts(commits: readonly NewCommit[]): readonly string[] {
  const old = commits.flatMap(({ versionOf }) => (versionOf === undefined ? [] : [versionOf.slice(0, 8)]));
  if (old.length === 0) return [];
  return [vscode.l10n.t('New versions of {0}, whose comments stay.', old.join(', '))];
}
