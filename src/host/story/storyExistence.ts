import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import { findStory } from '../../core/backlog/backlog.ts';
import { isStarted } from '../../core/backlog/workflow.ts';
import { kindOf, messageOf, TrackerError } from '../../core/errors.ts';
import { isPendingStory } from '../../core/intents/edit.ts';
import { formerPositions, type StandingRun, withNumbers } from '../../core/moves/formerPositions.ts';
import { formerPlaces } from '../../core/moves/newPlaces.ts';
import { commitOf } from '../../core/outbox/withUnsentIntents.ts';
import type { ProjectKey } from '../../core/story/projectKey.ts';
import { olderPartsOf, type Story } from '../../core/story/story.ts';
import { asServersKeep } from '../../core/text.ts';
import type { App } from '../app.ts';
import { selectingLater } from '../tree/selectedRow.ts';
import type { GoneStories, GoneStory, ThereStory } from './entryValues.ts';
import {
  deletedText,
  lostFields,
  newIdsText,
  partsTexts,
  restoredText,
  TOLD,
  workedOnError,
} from './existenceTexts.ts';
import { type MadeStory, madeSince, makeStories, withdrawUnsent } from './newStories.ts';
import { offerRestored, unmadeError, withdrawUndoOffer } from './offerUndo.ts';
import { noteRestored } from './restoredNumbers.ts';
import type { Deed, Step } from './reversibleEntry.ts';
import { fieldsAgain, fitting, tasksAgain, type WantedAgain } from './storyCopies.ts';
import type { UndoWay } from './undoHistory.ts';

export type ExistenceNeeds = Pick<
  App,
  'backlogs' | 'log' | 'messages' | 'openDrafts' | 'restoredStories' | 'storiesView'
>;

/** As this window knows it: the stories that were there before are told one by one. */
type KnownStory = ThereStory & { readonly others?: ReadonlySet<number> };

/** One that was just made, as what its undo deletes again. */
export function thereStory({ storyId, wanted, others, entryId }: MadeStory): KnownStory {
  return { storyId, made: wanted.story, tasks: wanted.tasks ?? [], others, ...(entryId !== undefined && { entryId }) };
}

/** Stories are read again before they are deleted, when they are so few, so that they can be made again as they were. */
const FEW = 20;
/** Milliseconds for that; what is shown does after it. */
const READING_MS = 1500;

/**
 * Deletes stories of a project, and makes them again with their fields, labels and tasks at the places where they stood. The
 * two are each other's undo.
 */
export class StoryExistence {
  private readonly needs: ExistenceNeeds;
  private readonly key: ProjectKey;

  constructor(needs: ExistenceNeeds, key: ProjectKey) {
    this.needs = needs;
    this.key = key;
  }

  readonly remove = async (
    asked: readonly KnownStory[],
    way?: UndoWay,
  ): Promise<Deed<readonly KnownStory[], GoneStories>> => {
    const { backlogs } = this.needs;
    const areUnmade = await Promise.all(
      asked.map(({ entryId }) => this.isUnmade(entryId === undefined ? undefined : [entryId])),
    );
    const there = asked.filter((_, index) => !areUnmade[index]);
    const read = await Promise.all(there.map((one) => this.storyNow(one, there.length <= FEW)));
    const found = there.flatMap((one, index) => {
      const story = read[index];
      return story ? { one, story } : [];
    });
    const worked = way === undefined ? [] : found.filter(({ one, story }) => isWorkedOn(story, one));
    const wanted = found.filter((one) => !worked.includes(one));
    const ids = wanted.map(({ story }) => story.id);
    const backlog = backlogs.peek(this.key);
    const places = backlog ? formerPositions(backlog, ids) : [];
    const outcomes = await Promise.allSettled(ids.map((id) => this.removeStory(id)));
    const stories = wanted.flatMap(({ story }, index): readonly GoneStory[] => {
      const outcome = outcomes[index];
      return outcome?.status === 'fulfilled' ? [{ story, ...outcome.value }] : [];
    });
    for (const { story } of stories) this.needs.restoredStories.addRemoved(this.key, story.id);
    const left = wanted.flatMap(({ one }, index) => (outcomes[index]?.status === 'rejected' ? one : []));
    const [refused] = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    const unmade = there.length < asked.length ? unmadeError() : undefined;
    const problem = refused ?? workedOnError(worked.map(({ story }) => story.id)) ?? unmade;
    if (way && ids.length > 0 && problem === undefined) this.tell(deletedText(ids));
    return {
      problem,
      ...(stories.length > 0 && { done: { stories, places } }),
      ...(left.length > 0 && { left }),
    };
  };

  readonly restore = async (
    { stories, places }: GoneStories,
    way?: UndoWay,
  ): Promise<Deed<GoneStories, readonly KnownStory[]>> => {
    const selectRow = selectingLater(this.needs);
    const areKept = await Promise.all(stories.map((one) => this.isKept(one)));
    const kept = stories.filter((_, index) => areKept[index]);
    const areUnmade = await Promise.all(
      stories.map(({ waitingEntries }, index) => !areKept[index] && this.isUnmade(waitingEntries)),
    );
    const unmade = stories.filter((_, index) => areUnmade[index]);
    const gone = stories.filter((_, index) => !areKept[index] && !areUnmade[index]);
    const { made, refused } = await this.makeAgain(this.wantedAgain(gone, places));
    for (const { story } of [...kept, ...unmade]) this.needs.restoredStories.addKept(this.key, story.id);
    const tasksOf = (id: number) => gone.find(({ story }) => story.id === id)?.story.tasks ?? [];
    await Promise.all(made.map((one) => noteRestored(this.needs, this.key, one, tasksOf(one.wanted.former))));
    const left = gone.filter(({ story }) => refused.some(({ wanted }) => wanted.former === story.id));
    const never = unmade.length > 0 ? unmadeError(unmade.map(({ story }) => story.id)) : undefined;
    const problem = refused[0]?.problem ?? never;
    if (way && problem === undefined) this.tellRestored(gone, made, kept.length);
    const [back] = [...kept.map(({ story }) => story.id), ...made.map(({ storyId }) => storyId)];
    if (way && back !== undefined) await selectRow(this.key, back);
    const done = [...kept.map(({ story }) => ({ storyId: story.id })), ...made.map(thereStory)];
    return {
      problem,
      ...(done.length > 0 && { done }),
      ...(left.length > 0 && { left: { stories: left, places } }),
    };
  };

  /** What the undo of making stories, or of making them again, does. */
  readonly removing: Step<readonly KnownStory[], GoneStories> = {
    go: this.remove,
    toValue: (there) => ({ kind: 'thereStories', value: there.map(withoutOthers) }),
  };

  /** What the undo of deleting stories does. */
  readonly restoring: Step<GoneStories, readonly KnownStory[]> = {
    go: this.restore,
    toValue: ({ stories, places }) => ({
      kind: 'goneStories',
      value: { stories: stories.map((one) => ({ ...one, story: leanStory(one.story) })), places },
    }),
  };

  /** What tells, where the deletion waits, how it is taken back. @throws TrackerError when the server refuses. */
  private async removeStory(storyId: number): Promise<Omit<GoneStory, 'story'>> {
    if (isPendingStory({ id: storyId })) {
      await this.discardUnsent(storyId);
      return {};
    }
    const { refused, waiting, entryIds } = await this.needs.backlogs.submit(this.key, [
      { kind: 'deleteStory', storyId },
    ]);
    if (refused) throw refused;
    return waiting ? { waiting, waitingEntries: entryIds } : {};
  }

  private async discardUnsent(storyId: number): Promise<void> {
    const became = await withdrawUnsent(this.needs.backlogs, storyId);
    if (became === 'withdrawn') return;
    const texts = {
      sent: vscode.l10n.t('This story was sent to the server in the meantime. Delete it again.'),
      heard: vscode.l10n.t('The server may have this story already. Delete it once it has its ID.'),
      sending: vscode.l10n.t('This story is being sent to the server. Try again in a moment.'),
    };
    throw new TrackerError('input', texts[became]);
  }

  /** Whether the story never went, since its deletion waited until now. */
  private async isKept({ waitingEntries }: GoneStory): Promise<boolean> {
    return waitingEntries !== undefined && this.needs.backlogs.withdraw(waitingEntries);
  }

  /** Whether what waited was refused or discarded, so that there is nothing to make up for. */
  private async isUnmade(entryIds: readonly string[] | undefined): Promise<boolean> {
    return entryIds !== undefined && this.needs.backlogs.areUnmade(entryIds);
  }

  /** In the order in which they come to stand where they stood. */
  private wantedAgain(gone: readonly GoneStory[], places: readonly StandingRun[]): readonly WantedAgain[] {
    const backlog = this.needs.backlogs.peek(this.key);
    // Neighbours that were made again since have other numbers.
    const numberNow = (id: number) => this.needs.restoredStories.numberNow(this.key, id);
    const placed = backlog
      ? formerPlaces(
          backlog,
          places.map((run) => withNumbers(run, numberNow)),
        )
      : [];
    const isPlaced = (id: number) => placed.some(({ storyId }) => storyId === id);
    const steps = [
      ...placed,
      ...gone.map(({ story }) => ({ storyId: story.id })).filter((one) => !isPlaced(one.storyId)),
    ];
    return steps.flatMap(({ storyId, ...spot }) => {
      const one = gone.find(({ story }) => story.id === storyId);
      return one ? { former: storyId, story: fieldsAgain(one.story), tasks: tasksAgain(one.story), ...spot } : [];
    });
  }

  /** What is refused as it was, for people who left, a ticket that is gone, or points of another scale, is made as it fits. */
  private async makeAgain(wanted: readonly WantedAgain[]) {
    const { backlogs } = this.needs;
    const first = await makeStories(backlogs, this.key, wanted);
    const isRefused = ({ problem }: { readonly problem: unknown }) => kindOf(problem) === 'refused';
    const again = first.refused.filter(isRefused).map((one) => fitting(one.wanted, backlogs.peek(this.key)?.project));
    if (again.length === 0) return first;
    const second = await makeStories(backlogs, this.key, again);
    const others = first.refused.filter((one) => !isRefused(one));
    return { made: [...first.made, ...second.made], refused: [...others, ...second.refused] };
  }

  /** The story as its server has it, where that can be read quickly; else as it is shown. */
  private async storyNow(one: KnownStory, mayRead: boolean): Promise<Story | undefined> {
    const { backlogs, log } = this.needs;
    const backlog = backlogs.peek(this.key);
    const storyId = this.numberNow(one);
    const shown = backlog && findStory(backlog, storyId);
    const isWhole = shown && olderPartsOf(shown).tasks === 0;
    if (isPendingStory({ id: storyId }) || (isWhole && !mayRead)) return shown;
    const reading = backlogs.refreshStory(this.key, storyId);
    const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), READING_MS));
    const read = await Promise.race([reading, late]).catch((thrown: unknown) => {
      log.debug(messageOf(thrown));
      return undefined;
    });
    return read ?? shown ?? (await reading);
  }

  /** One that waited when it was made may have its number by now, and one that was deleted since and made again has another. */
  private numberNow({ storyId: formerId, made, others, newestOther = 0 }: KnownStory): number {
    const { backlogs, restoredStories } = this.needs;
    const storyId = restoredStories.numberNow(this.key, formerId);
    const waits = backlogs.unsent.some(({ intent }) => intent.storyId === storyId);
    if (!isPendingStory({ id: storyId }) || waits || !made) return storyId;
    return madeSince(backlogs, this.key, made, (id) => (others ? !others.has(id) : id > newestOther)) ?? storyId;
  }

  private tell(text: string): void {
    withdrawUndoOffer();
    this.needs.messages.status(text);
  }

  private offerOpen(text: string, storyId: number): void {
    this.needs.log.info(text);
    offerRestored(text, { ...this.key, storyId });
  }

  private tellRestored(gone: readonly GoneStory[], made: readonly MadeStory<WantedAgain>[], kept: number): void {
    const ofGone = gone.map(({ story }) => story);
    const lost = [...partsTexts(ofGone, ['comments', 'commits', 'files']), ...lostFields(ofGone, made)].join(', ');
    const [first, another] = made;
    const text = restoredText(made, kept);
    if (made.length > TOLD && made.every(({ waiting }) => !waiting)) this.needs.log.info(`${newIdsText(made)}.`);
    const isOne = first !== undefined && !another && !isPendingStory({ id: first.storyId });
    if (lost === '' || !first) {
      if (isOne) this.offerOpen(text, first.storyId);
      else this.tell(text);
      return;
    }
    withdrawUndoOffer();
    const open = vscode.l10n.t('Open Story');
    const answers = isOne ? [open] : [];
    const whole = `${text} ${vscode.l10n.t('Not restored: {0}.', lost)}`;
    void this.needs.messages.info(whole, ...answers).then((answer) => {
      const story = { storyId: first.storyId, ...this.key, caller: 'person' };
      if (answer === open) void vscode.commands.executeCommand(commandIds.openStory, story);
    });
  }
}

function withoutOthers({ others, newestOther, ...there }: KnownStory): ThereStory {
  const newest = others ? [...others].reduce((one, other) => Math.max(one, other), 0) : newestOther;
  return { ...there, ...(newest !== undefined && { newestOther: newest }) };
}

/** With what making it again takes, and of what does not come back that it was there: comments can be long. */
function leanStory(story: Story): Story {
  const notes = story.notes.map((note) => ({ id: note.id, text: commitOf(note) === undefined ? '' : note.text }));
  return { ...story, notes, attachments: story.attachments.map(({ id, filename }) => ({ id, filename })) };
}

type Made = NonNullable<ThereStory['made']>;
type IsWork = (story: Story, made: Made, tasks: NonNullable<ThereStory['tasks']>) => boolean;

const keptText = (value: string | null | undefined) => asServersKeep(value ?? '');
/** Of what a person sets again in a moment, or a server sets itself. */
const isNoWork: IsWork = () => false;

/** By field, whether it holds what the window that made the story did not put there. */
const WORK: Readonly<Record<keyof Story, IsWork>> = {
  name: (story, made) => keptText(story.name) !== keptText(made.name),
  description: (story, made) => keptText(story.description) !== keptText(made.description),
  state: (story, made) => isStarted(story.state) && !isStarted(made.state ?? ''),
  tasks: (story, _made, tasks) => {
    const ours = new Set(tasks.map(({ description }) => keptText(description)));
    return story.tasks.some(({ description }) => !ours.has(keptText(description)));
  },
  notes: ({ notes }) => notes.length > 0,
  attachments: ({ attachments }) => attachments.length > 0,
  id: isNoWork,
  projectId: isNoWork,
  url: isNoWork,
  type: isNoWork,
  estimate: isNoWork,
  requestedBy: isNoWork,
  ownedBy: isNoWork,
  createdAt: isNoWork,
  updatedAt: isNoWork,
  acceptedAt: isNoWork,
  deadline: isNoWork,
  labels: isNoWork,
  rank: isNoWork,
  ticket: isNoWork,
};

/** Whether there is something on the story that the window which made it did not put there. */
function isWorkedOn(story: Story, { made, tasks = [] }: ThereStory): boolean {
  return made !== undefined && Object.values(WORK).some((isWork) => isWork(story, made, tasks));
}
