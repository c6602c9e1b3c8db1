import type { App } from '../../host/app.ts';
import type { EntryValue } from '../../host/story/entryValues.ts';
import type { RetraceOutcome, UndoEntry, UndoWay } from '../../host/story/undoHistory.ts';

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
export class WorkEntry implements UndoEntry {
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
