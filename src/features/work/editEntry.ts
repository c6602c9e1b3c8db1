import { type Backlog, findStory } from '../../core/backlog/backlog.ts';
import type { Intent } from '../../core/intents/intent.ts';
import { isAsLeft } from '../../core/intents/intentRules.ts';
import type { OutboxEntry, Submission } from '../../core/outbox/outbox.ts';
import { isSameProject, type ProjectKey } from '../../core/story/projectKey.ts';
import type { Story } from '../../core/story/story.ts';
import type { RetraceOutcome, UndoEntry, UndoWay } from '../../host/story/undoHistory.ts';

/** One change that was made, and what takes it back. */
export interface MadeEdit {
  readonly intent: Intent;
  readonly back: Intent;
}

/** What making up for changes takes. */
export interface EditMeans {
  readonly backlogs: {
    readonly unsent: readonly Pick<OutboxEntry, 'project' | 'intent'>[];
    submit(key: ProjectKey, intents: readonly Intent[]): Promise<Submission>;
    refreshStory(key: ProjectKey, storyId: number): Promise<Story>;
    peek(key: ProjectKey): Backlog | undefined;
  };
  /** Tells the person that these stories are as they were, or were changed again. */
  tellRetraced(way: UndoWay, storyIds: readonly number[]): void;
  /** Says that someone else has changed these stories since, so that they stay as they are. */
  changedError(way: UndoWay, storyIds: readonly number[]): Error;
}

/** Why a change was not taken; `undefined` when it was, or waits. */
export function refusalIn(outcome: PromiseSettledResult<Submission> | undefined): unknown {
  if (!outcome) return undefined;
  return outcome.status === 'rejected' ? outcome.reason : outcome.value.refused;
}

/** Changes that were made together. */
export class EditEntry implements UndoEntry {
  readonly kind = 'edit';
  readonly key: ProjectKey;
  private readonly means: EditMeans;
  private readonly made: Promise<readonly MadeEdit[]>;

  /** `made` are those that were not refused, once that is known. */
  constructor(means: EditMeans, key: ProjectKey, made: Promise<readonly MadeEdit[]>) {
    this.means = means;
    this.key = key;
    this.made = made;
  }

  /** By changing the stories back, each by itself; those that someone else has changed since stay as they are. */
  retrace(way: UndoWay) {
    return { inverse: this.inverseOf(this.made), outcome: this.makeUp(way) };
  }

  private async makeUp(way: UndoWay): Promise<RetraceOutcome> {
    const { means, key } = this;
    const made = await this.made;
    if (made.length === 0) return {};
    const { open, changed } = await this.sorted(made);
    const outcomes = await Promise.allSettled(open.map(({ back }) => means.backlogs.submit(key, [back])));
    // What could not be undone can be another time; what was is not undone twice.
    const left = open.filter((_, index) => refusalIn(outcomes[index]));
    const retraced = open.filter((_, index) => !refusalIn(outcomes[index]));
    const problem = outcomes.map(refusalIn).find(Boolean) ?? this.changedError(way, changed);
    if (!problem) means.tellRetraced(way, idsOf(retraced));
    return {
      problem,
      ...(retraced.length > 0 && { inverse: this.inverseOf(Promise.resolve(retraced)) }),
      ...(left.length > 0 && { left: new EditEntry(means, key, Promise.resolve(left)) }),
    };
  }

  private inverseOf(made: Promise<readonly MadeEdit[]>): EditEntry {
    const inverses = made.then((edits) => edits.map(({ intent, back }) => ({ intent: back, back: intent })));
    return new EditEntry(this.means, this.key, inverses);
  }

  private changedError(way: UndoWay, changed: readonly MadeEdit[]): Error | undefined {
    return changed.length > 0 ? this.means.changedError(way, idsOf(changed)) : undefined;
  }

  /** Which are as they were left, and which are not. */
  private async sorted(made: readonly MadeEdit[]) {
    const stories = await Promise.all(made.map(({ intent }) => this.storyNow(intent.storyId)));
    const isOpen = ({ intent }: MadeEdit, index: number) => {
      const story = stories[index];
      return !story || isAsLeft(story, intent);
    };
    return { open: made.filter(isOpen), changed: made.filter((edit, index) => !isOpen(edit, index)) };
  }

  /**
   * As its server says, since what is shown may be older than what someone else did; as it is shown while a change of it waits
   * or the server cannot be asked. `undefined` when neither can be had: what waits is told by its answer then.
   */
  private async storyNow(storyId: number): Promise<Story | undefined> {
    const { means, key } = this;
    const { backlogs } = means;
    const shown = () => {
      const backlog = backlogs.peek(key);
      return backlog && findStory(backlog, storyId);
    };
    const waits = backlogs.unsent.some(
      ({ project, intent }) => isSameProject(project, key) && intent.storyId === storyId,
    );
    return (waits && shown()) || backlogs.refreshStory(key, storyId).catch(shown);
  }
}

function idsOf(edits: readonly MadeEdit[]): readonly number[] {
  return edits.map(({ intent }) => intent.storyId);
}
