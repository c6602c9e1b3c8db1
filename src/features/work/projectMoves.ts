import * as vscode from 'vscode';
import { messageOf } from '../../core/errors.ts';
import type { Intent } from '../../core/intents/intent.ts';
import { restoredPlaces, type StandingRun, withNumbers } from '../../core/moves/formerPositions.ts';
import type { EntryProblem } from '../../core/outbox/outbox.ts';
import type { ProjectKey } from '../../core/story/projectKey.ts';
import type { Story } from '../../core/story/story.ts';
import type { App } from '../../host/app.ts';
import { inBackground } from '../../host/shell/turnBudget.ts';
import type { CarriedStories, EntryValue } from '../../host/story/entryValues.ts';
import { unmadeError, withdrawUndoOffer } from '../../host/story/offerUndo.ts';
import { type Deed, mayBeDoneLater, type Step } from '../../host/story/reversibleEntry.ts';
import { waitingText } from '../../host/story/submitIntents.ts';
import type { UndoWay } from '../../host/story/undoHistory.ts';
import { selectingLater } from '../../host/tree/selectedRow.ts';
import { storiesInSentence, withLostPlaces } from './applyEdits.ts';
import { refusalIn } from './editEntry.ts';

type Needs = Pick<App, 'backlogs' | 'log' | 'messages' | 'restoredStories' | 'storiesView'>;

/** Takes stories from one project to another, and back to where they stood. */
export class ProjectMoves {
  private readonly needs: Needs;
  private readonly from: ProjectKey;
  private readonly to: ProjectKey;
  /** Back by now, and not yet where they stood. */
  private readonly arrived: Story[] = [];
  private putting: Promise<unknown> = Promise.resolve();

  constructor(needs: Needs, from: ProjectKey, to: ProjectKey) {
    this.needs = needs;
    this.from = from;
    this.to = to;
  }

  readonly there = async (carried: CarriedStories, way?: UndoWay): Promise<Deed<CarriedStories, CarriedStories>> => {
    const selectRow = selectingLater(this.needs);
    const { stories, places } = this.withNumbersOf(this.from, carried);
    const { done, left, problem, ...waits } = await this.carry(this.from, this.to, stories, carried.waitingEntries);
    if (way && !problem) {
      this.tell(waits.waiting, vscode.l10n.t('Moved {0} to the other project again.', storiesInSentence(done)));
    }
    if (way && done[0]) await selectRow(this.to, done[0].id);
    return {
      problem,
      ...(done.length > 0 && { done: { stories: done, places, ...waits } }),
      ...(left.length > 0 && { left: { stories: left, places } }),
    };
  };

  readonly back = async (carried: CarriedStories, way?: UndoWay): Promise<Deed<CarriedStories, CarriedStories>> => {
    const selectRow = selectingLater(this.needs);
    const { stories, places } = this.withNumbersOf(this.to, carried);
    const { done, made, left, problem, ...waits } = await this.carry(
      this.to,
      this.from,
      stories,
      carried.waitingEntries,
    );
    const { waiting } = waits;
    const waitingEntries = new Map(waits.waitingEntries);
    const [placed] = await Promise.allSettled([
      this.putBack(
        made.filter(({ id }) => !waitingEntries.has(id)),
        places,
      ),
    ]);
    for (const story of made) this.putBackOnceSent(story, waitingEntries.get(story.id), places);
    const why = problem ?? (placed.status === 'rejected' ? placed.reason : undefined);
    const lost = placed.status === 'fulfilled' ? placed.value : [];
    if (way && !why) this.tell(waiting, this.backText(done, lost));
    if (way && done[0]) await selectRow(this.from, done[0].id);
    return {
      problem: why,
      ...(done.length > 0 && { done: { stories: done, places, ...waits } }),
      ...(left.length > 0 && { left: { stories: left, places } }),
    };
  };

  readonly goingThere: Step<CarriedStories, CarriedStories> = {
    go: this.there,
    toValue: (carried) => this.valueOf('there', carried),
  };

  readonly goingBack: Step<CarriedStories, CarriedStories> = {
    go: this.back,
    toValue: (carried) => this.valueOf('back', carried),
  };

  private valueOf(way: 'back' | 'there', carried: CarriedStories): EntryValue<'carriedStories'> {
    return { kind: 'carriedStories', value: { to: this.to, way, carried } };
  }

  /** `done` are those that are where they are to be, or are about to be; `made` those of them for which something was sent. */
  private async carry(
    from: ProjectKey,
    to: ProjectKey,
    stories: readonly Story[],
    waits: CarriedStories['waitingEntries'] = [],
  ) {
    const waitingEntries = new Map(waits);
    const areKept = await Promise.all(stories.map(({ id }) => this.isWithdrawn(waitingEntries.get(id))));
    const kept = stories.filter((_, index) => areKept[index]);
    const areUnmade = await Promise.all(
      stories.map(({ id }, index) => !areKept[index] && this.isUnmade(waitingEntries.get(id))),
    );
    const unmade = stories.filter((_, index) => areUnmade[index]);
    const gone = stories.filter((_, index) => !areKept[index] && !areUnmade[index]);
    const { problem, ...submitted } = await this.submitAll(from, to, gone);
    if (gone.length > 0) await this.readBoth();
    const never = unmade.length > 0 ? unmadeError(unmade.map(({ id }) => id)) : undefined;
    return { ...submitted, problem: problem ?? never, done: [...kept, ...submitted.made] };
  }

  /** A story whose way back waits for the server, as soon as it is back, together with others that are by then. */
  private putBackOnceSent(story: Story, [entryId]: readonly string[] = [], places: readonly StandingRun[]): void {
    if (entryId === undefined) return;
    const { backlogs, log } = this.needs;
    const follow = async () => {
      if ((await backlogs.whenGone(entryId)).kind !== 'sent') return;
      this.arrived.push(story);
      this.putting = this.putting.catch(() => undefined).then(() => this.putArrived(places));
      await this.putting;
    };
    inBackground(log, follow());
  }

  private async putArrived(places: readonly StandingRun[]): Promise<void> {
    const stories = this.arrived.splice(0);
    if (stories.length === 0) return;
    await this.needs.backlogs.reload(this.from);
    const lost = await this.putBack(stories, places);
    if (lost.length > 0) this.tell(undefined, this.backText(stories, lost));
  }

  private backText(stories: readonly Story[], lost: readonly number[]): string {
    return withLostPlaces(vscode.l10n.t('Moved {0} back.', storiesInSentence(stories)), lost);
  }

  /** Whether a move never went, since it waited until now. */
  private async isWithdrawn(entryIds: readonly string[] | undefined): Promise<boolean> {
    return entryIds !== undefined && this.needs.backlogs.withdraw(entryIds);
  }

  private async isUnmade(entryIds: readonly string[] | undefined): Promise<boolean> {
    return entryIds !== undefined && this.needs.backlogs.areUnmade(entryIds);
  }

  /** Those that were deleted in the project where they are and made again have other numbers, by which they are known in both. */
  private withNumbersOf(project: ProjectKey, { stories, places }: CarriedStories): CarriedStories {
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
      ...(waits[0] && { waiting: waits[0].waiting }),
      waitingEntries: waits.map(({ story, entryIds }) => [story.id, entryIds] as const),
    };
  }

  private async readBoth(): Promise<void> {
    const { backlogs, log } = this.needs;
    const reads = [this.from, this.to].map((key) => backlogs.reload(key));
    for (const one of await Promise.allSettled(reads)) if (one.status === 'rejected') log.debug(messageOf(one.reason));
  }

  /** Where they stood, with the links to tickets that they had; tells those for which there is no such place any more. */
  private async putBack(stories: readonly Story[], places: readonly StandingRun[]): Promise<readonly number[]> {
    if (stories.length === 0) return [];
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

  private tell(waiting: EntryProblem | undefined, done: string): void {
    withdrawUndoOffer();
    const { backlogs, messages } = this.needs;
    messages.status(waiting ? waitingText(waiting, backlogs.signInOf(this.from)) : done);
  }
}
