import * as vscode from 'vscode';
import { TrackerError } from '../../core/errors.ts';
import { isPendingStory } from '../../core/intents/edit.ts';
import { commitOf } from '../../core/outbox/withUnsentIntents.ts';
import { olderPartsOf, type Story } from '../../core/story/story.ts';
import type { MadeStory } from './newStories.ts';
import type { WantedAgain } from './storyCopies.ts';

/** What is said of stories that are deleted and made again. */

/** What a story had and was made again without. */
export function lostFields(gone: readonly Story[], made: readonly MadeStory<WantedAgain>[]): readonly string[] {
  const lacks = (name: 'ownedBy' | 'requestedBy' | 'ticket') =>
    made.some(
      ({ wanted }) =>
        wanted.story[name] === undefined &&
        gone.some((story) => story.id === wanted.former && story[name] !== undefined),
    );
  const isEstimatedAnew = made.some(({ wanted }) =>
    gone.some(({ id, estimate = -1 }) => id === wanted.former && estimate >= 0 && wanted.story.estimate !== estimate),
  );
  return [
    ...(lacks('ownedBy') ? [vscode.l10n.t('owner')] : []),
    ...(lacks('requestedBy') ? [vscode.l10n.t('requester')] : []),
    ...(lacks('ticket') ? [vscode.l10n.t('ticket')] : []),
    ...(isEstimatedAnew ? [vscode.l10n.t('estimate')] : []),
  ];
}

export function workedOnError(ids: readonly number[]): TrackerError | undefined {
  if (ids.length === 0) return undefined;
  const list = ids.map((id) => `#${id}`).join(', ');
  return new TrackerError('input', vscode.l10n.t('Not deleted, because it has been worked on since: {0}', list));
}

export function deletedText([first = 0, ...others]: readonly number[]): string {
  if (others.length > 0) return vscode.l10n.t('Deleted {0} stories.', others.length + 1);
  return isPendingStory({ id: first })
    ? vscode.l10n.t('Deleted the story.')
    : vscode.l10n.t('Deleted story #{0}.', first);
}

/** Stories whose former and new IDs have room in the status bar. */
export const TOLD = 3;

export function restoredText(made: readonly MadeStory<WantedAgain>[], kept: number): string {
  const [first, ...others] = made;
  if (!first) return kept === 1 ? vscode.l10n.t('Restored the story.') : vscode.l10n.t('Restored {0} stories.', kept);
  if (made.some(({ waiting }) => waiting)) {
    return others.length === 0
      ? vscode.l10n.t('Story #{0} will be restored with a new ID when the server is reachable.', first.wanted.former)
      : vscode.l10n.t('{0} stories will be restored with new IDs when the server is reachable.', made.length);
  }
  if (kept > 0) {
    const count = made.length + kept;
    return others.length === 0
      ? vscode.l10n.t('Restored {0} stories. #{1} is now #{2}.', count, first.wanted.former, first.storyId)
      : vscode.l10n.t('Restored {0} stories, {1} of them with new IDs.', count, made.length);
  }
  if (others.length === 0) {
    return vscode.l10n.t('Restored story #{0}. Its ID is now #{1}.', first.wanted.former, first.storyId);
  }
  return made.length > TOLD
    ? vscode.l10n.t('Restored {0} stories with new IDs.', made.length)
    : vscode.l10n.t('Restored {0} stories with new IDs: {1}.', made.length, newIdsText(made));
}

export function newIdsText(made: readonly MadeStory<WantedAgain>[]): string {
  const inOrder = made.toSorted((one, other) => one.wanted.former - other.wanted.former);
  return inOrder.map(({ wanted, storyId }) => vscode.l10n.t('#{0} is now #{1}', wanted.former, storyId)).join(', ');
}

/** What hangs on a story besides its fields. */
type Part = 'comments' | 'tasks' | 'files' | 'commits';

/** How much of each hangs on these stories, in words: "3 comments"; nothing of what there is none. */
export function partsTexts(stories: readonly Story[], parts: readonly Part[]): readonly string[] {
  return parts.flatMap((part) => {
    const count = stories.reduce((sum, story) => sum + countOf(story, part), 0);
    return count > 0 ? [countText(part, count)] : [];
  });
}

/** What each is called of which these stories have any: "comments". */
export function partsNames(stories: readonly Story[], parts: readonly Part[]): readonly string[] {
  const names: Readonly<Record<Part, string>> = {
    comments: vscode.l10n.t('comments'),
    tasks: vscode.l10n.t('tasks'),
    files: vscode.l10n.t('files'),
    commits: vscode.l10n.t('linked commits'),
  };
  return parts.filter((part) => stories.some((story) => countOf(story, part) > 0)).map((part) => names[part]);
}

function countOf(story: Story, part: Part): number {
  const older = olderPartsOf(story);
  if (part === 'tasks') return story.tasks.length + older.tasks;
  if (part === 'files') return story.attachments.length + older.attachments;
  const commits = story.notes.filter((note) => commitOf(note) !== undefined).length;
  return part === 'commits' ? commits : story.notes.length - commits + older.notes;
}

function countText(part: Part, count: number): string {
  switch (part) {
    case 'comments':
      return count === 1 ? vscode.l10n.t('1 comment') : vscode.l10n.t('{0} comments', count);
    case 'tasks':
      return count === 1 ? vscode.l10n.t('1 task') : vscode.l10n.t('{0} tasks', count);
    case 'files':
      return count === 1 ? vscode.l10n.t('1 file') : vscode.l10n.t('{0} files', count);
    case 'commits':
      return count === 1 ? vscode.l10n.t('1 linked commit') : vscode.l10n.t('{0} linked commits', count);
  }
}
