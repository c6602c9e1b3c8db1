import type { StoryEdit } from '../../core/story/story.ts';
import type { App } from '../../host/app.ts';
import { offerUndo } from '../../host/story/offerUndo.ts';
import type { UndoEntry } from '../../host/story/undoHistory.ts';
import type { FoundStory } from '../../host/tree/nodes.ts';
import { type GitDeed, WorkEntry } from './workEntry.ts';

interface WantedEdit {
  readonly story: FoundStory['story'];
  readonly intent: { readonly kind: 'edit'; readonly storyId: number; readonly edit: StoryEdit };
}

export interface EditNeeds extends Pick<App, 'messages' | 'undoHistory'> {
  /** Makes edits that one undo takes back, with what `around` adds to it. @throws TrackerError in the server's words. */
  readonly applyEdits: (
    key: FoundStory['key'],
    wanted: readonly WantedEdit[],
    done: string,
    around?: (edit: UndoEntry) => UndoEntry,
  ) => Promise<unknown>;
}

/** What takes back what was done with Git, where the story itself stays as it is. */
export function entryOf({ messages }: EditNeeds, { key, story }: FoundStory, git: GitDeed): UndoEntry {
  return new WorkEntry(messages, { key, storyIds: [story.id] }, { git });
}

/**
 * Edits a story after something was done with Git for it; one undo takes both back. `done` says what was.
 * @throws TrackerError in the server's words when it refuses; what was done with Git stays and can be undone.
 */
export async function editWithWork(
  needs: EditNeeds,
  found: FoundStory,
  edit: StoryEdit,
  git: GitDeed | undefined,
  done: string,
): Promise<void> {
  const { key, story } = found;
  const { messages, undoHistory } = needs;
  if (Object.keys(edit).length === 0) {
    if (git) undoHistory.add(entryOf(needs, found, git));
    if (git) offerUndo(done);
    messages.status(done);
    return;
  }
  const around = (one: UndoEntry) => new WorkEntry(messages, { key, storyIds: [story.id] }, { git, edit: one });
  try {
    const intent = { kind: 'edit', storyId: story.id, edit } as const;
    await needs.applyEdits(key, [{ story, intent }], done, around);
  } catch (thrown) {
    if (git) undoHistory.add(entryOf(needs, found, git));
    throw thrown;
  }
}
