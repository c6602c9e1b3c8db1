import * as vscode from 'vscode';
import { messageOf } from '../../core/errors.ts';
import type { Intent } from '../../core/intents/intent.ts';
import { restoredPlaces, type StandingRun, withNumbers } from '../../core/moves/formerPositions.ts';
import type { EntryProblem } from '../../core/outbox/outbox.ts';
import type { ProjectKey } from '../../core/story/projectKey.ts';
import type { Story } from '../../core/story/story.ts';
import type { App } from '../../host/app.ts';
import { withdrawUndoOffer } from '../../host/story/offerUndo.ts';
import { type Deed, mayBeDoneLater } from '../../host/story/reversibleEntry.ts';
import type { UndoWay } from '../../host/story/undoHistory.ts';
import { storiesInSentence, withLostPlaces } from './applyEdits.ts';
import { refusalIn } from './editEntry.ts';

/** Stories of the project that they are taken from, as they were and stood there. */
interface StandingStories {
  readonly stories: readonly Story[];
  readonly places: readonly StandingRun[];
}

/** The same once they are in the other project, or are about to be. */
interface MovedStories extends StandingStories {
  readonly waiting?: EntryProblem;
  /** What the outbox calls what waits, by the story that it is to move. */
  readonly waitingEntries: ReadonlyMap<number, readonly string[]>;
}

type Needs = Pick<App, 'backlogs' | 'log' | 'messages' | 'restoredStories'>;

/** Takes stories from one project to another, and back to where they stood. */
export class ProjectMoves {
  private readonly needs: Needs;
  private readonly from: ProjectKey;
  private readonly to: ProjectKey;

  constructor(needs: Needs, from: ProjectKey, to: ProjectKey) {
    this.needs = needs;
    this.from = from;
    this.to = to;
  }

  readonly there = async (standing: StandingStories, way?: UndoWay): Promise<Deed<StandingStories, MovedStories>> => {
    const { stories, places } = this.withNumbersOf(this.from, standing);
    const { made, left, problem, waiting, waitingEntries } = await this.submitAll(this.from, this.to, stories);
    await this.readBoth();
    if (way && !problem) this.tell(vscode.l10n.t('Moved {0} to the other project again.', storiesInSentence(made)));
    return {
      problem,
      ...(made.length > 0 && { done: { stories: made, places, waitingEntries, ...(waiting && { waiting }) } }),
      ...(left.length > 0 && { left: { stories: left, places } }),
    };
  };

  readonly back = async (moved: MovedStories, way?: UndoWay): Promise<Deed<MovedStories, StandingStories>> => {
    const { waitingEntries } = moved;
    const { stories, places } = this.withNumbersOf(this.to, moved);
    const areKept = await Promise.all(stories.map(({ id }) => this.isWithdrawn(waitingEntries.get(id))));
    const kept = stories.filter((_, index) => areKept[index]);
    const gone = stories.filter((_, index) => !areKept[index]);
    const { made, left, problem, waiting } = await this.submitAll(this.to, this.from, gone);
    if (gone.length > 0) await this.readBoth();
    const [placed] = await Promise.allSettled([waiting ? [] : this.putBack(made, places)]);
    const why = problem ?? (placed.status === 'rejected' ? placed.reason : undefined);
    const done = [...kept, ...made];
    const lost = placed.status === 'fulfilled' ? placed.value : [];
    if (way && !why) this.tell(withLostPlaces(vscode.l10n.t('Moved {0} back.', storiesInSentence(done)), lost));
    return {
      problem: why,
      ...(done.length > 0 && { done: { stories: done, places } }),
      ...(left.length > 0 && { left: { stories: left, places, waitingEntries: new Map() } }),
    };
  };

  /** Whether a move never went, since it waited until now. */
  private async isWithdrawn(entryIds: readonly string[] | undefined): Promise<boolean> {
    return entryIds !== undefined && this.needs.backlogs.withdraw(entryIds);
  }

  /** Those that were deleted in the project where they are and made again have other numbers, by which they are known in both. */
  private withNumbersOf(project: ProjectKey, { stories, places }: StandingStories): StandingStories {
    const { restoredStories } = this.needs;
    const numbers = new Map(stories.map(({ id }) => [id, restoredStories.numberNow(project, id)]));
    for (const [id, now] of numbers) {
      if (id === now) continue;
      for (const key of [this.from, this.to]) {
        if (restoredStories.numberNow(key, id) !== now) restoredStories.addRestored(key, id, now);
      }
    }
    const numberOf = (id: number) => numbers.get(id) ?? restoredStories.numberNow(this.from, id);
    return {
      stories: stories.map((story) => ({ ...story, id: numberOf(story.id) })),
      places: places.map((run) => withNumbers(run, numberOf)),
    };
  }

  /** Each by itself: one that a project does not take keeps none of the others from it. */
  private async submitAll(from: ProjectKey, { projectId }: ProjectKey, stories: readonly Story[]) {
    const intents = stories.map(
      ({ id }) => ({ kind: 'moveToProject', storyId: id, targetProjectId: projectId }) as const,
    );
    const outcomes = await Promise.allSettled(intents.map((intent) => this.needs.backlogs.submit(from, [intent])));
    const waits = outcomes.flatMap((one, index) => {
      const story = stories[index];
      return story && one.status === 'fulfilled' && one.value.waiting ? [{ story, ...one.value }] : [];
    });
    return {
      made: stories.filter((_, index) => refusalIn(outcomes[index]) === undefined),
      left: stories.filter((_, index) => mayBeDoneLater(refusalIn(outcomes[index]))),
      problem: outcomes.map(refusalIn).find((refusal) => refusal !== undefined),
      waiting: waits[0]?.waiting,
      waitingEntries: new Map(waits.map(({ story, entryIds }) => [story.id, entryIds])),
    };
  }

  private async readBoth(): Promise<void> {
    const { backlogs, log } = this.needs;
    const reads = [this.from, this.to].map((key) => backlogs.reload(key));
    for (const one of await Promise.allSettled(reads)) if (one.status === 'rejected') log.debug(messageOf(one.reason));
  }

  /** Where they stood, with the links to tickets that they had; tells those for which there is no such place any more. */
  private async putBack(stories: readonly Story[], places: readonly StandingRun[]): Promise<readonly number[]> {
    const { backlogs } = this.needs;
    const backlog = backlogs.peek(this.from);
    const ids = stories.map(({ id }) => id);
    const { moves, lost } = backlog ? restoredPlaces(backlog, places, ids, () => true) : { moves: [], lost: [] };
    const links = stories.flatMap(({ id, ticket }): readonly Intent[] => {
      if (!ticket) return [];
      const { url: _url, ...linked } = ticket;
      return [{ kind: 'edit', storyId: id, edit: { ticket: linked } }];
    });
    for (const intents of [moves, links]) {
      if (intents.length === 0) continue;
      const { refused } = await backlogs.submit(this.from, intents);
      if (refused) throw refused;
    }
    return lost;
  }

  private tell(text: string): void {
    withdrawUndoOffer();
    this.needs.messages.status(text);
  }
}
