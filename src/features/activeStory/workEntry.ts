import type { StoryEdit } from '../../core/story/story.ts';
import type { App } from '../../host/app.ts';
import type { EntryValue } from '../../host/story/entryValues.ts';
import { offerUndo } from '../../host/story/offerUndo.ts';
import type { RetraceOutcome, UndoEntry, UndoWay } from '../../host/story/undoHistory.ts';
import type { FoundStory } from '../../host/tree/nodes.ts';

/** What was done with Git, which knows how to make up for it. */
export interface GitDeed {
  /** Takes it back, or does it again. @throws Error with a sentence where nothing was changed. */
  retrace(way: UndoWay): Promise<RetracedDeed>;
}

interface RetracedDeed {
  /** What makes up, in turn, for what this did. */
  readonly inverse: GitDeed;
  /** What was done, and what was not. */
  readonly text: string;
  /** Where work is that is not committed and could not be brought back. */
  readonly warning?: string | undefined;
}

interface WorkParts {
  readonly git?: GitDeed | undefined;
  readonly edit?: UndoEntry | undefined;
}

type About = Pick<UndoEntry, 'key' | 'storyIds'>;

/** A story that was started or finished, with what that did in a repository: one undo takes all of it back. */
class WorkEntry implements UndoEntry {
  readonly kind = 'edit';
  readonly key: UndoEntry['key'];
  readonly storyIds: UndoEntry['storyIds'];
  private readonly messages: Pick<App['messages'], 'offer' | 'status'>;
  private readonly parts: WorkParts;

  constructor(messages: Pick<App['messages'], 'offer' | 'status'>, { key, storyIds }: About, parts: WorkParts) {
    this.messages = messages;
    this.key = key;
    this.storyIds = storyIds;
    this.parts = parts;
  }

  /** What was done to the story: in the repository much else may have been done by the time another window takes it back. */
  toValue(): EntryValue | undefined {
    return this.parts.edit?.toValue();
  }

  /** The repository comes first: what is not committed there may keep it as it is, and then the story stays as it is, too. */
  retrace(way: UndoWay) {
    return { inverse: this.of({}), outcome: this.makeUp(way) };
  }

  private async makeUp(way: UndoWay): Promise<RetraceOutcome> {
    const { git, edit } = this.parts;
    const done = await git?.retrace(way);
    if (done?.warning !== undefined) void this.messages.offer(done.warning);
    const edited = edit
      ? await edit.retrace(way).outcome.catch((problem: unknown): RetraceOutcome => ({ left: edit, problem }))
      : {};
    if (done && edited.problem === undefined) this.messages.status(done.text);
    return {
      problem: edited.problem,
      ...((done || edited.inverse) && { inverse: this.of({ git: done?.inverse, edit: edited.inverse }) }),
      ...(edited.left && { left: this.of({ edit: edited.left }) }),
    };
  }

  private of(parts: WorkParts): WorkEntry {
    return new WorkEntry(this.messages, this, parts);
  }
}

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
    // In the one place or the other: both are in the status bar.
    if (git) offerUndo(done);
    else messages.status(done);
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
