import * as vscode from 'vscode';
import type { Backlog } from '../../core/backlog/backlog.ts';
import { messageOf, TrackerError } from '../../core/errors.ts';
import { madeMove, withSteps } from '../../core/moves/madeMove.ts';
import { intentsOf, type MovePlan, type PossibleMove } from '../../core/moves/movePlan.ts';
import { type ShownPlace, shownPlace } from '../../core/moves/newPlaces.ts';
import type { Submission } from '../../core/outbox/outbox.ts';
import { keyText, type ProjectKey } from '../../core/story/projectKey.ts';
import type { App } from '../../host/app.ts';
import { tickStep } from '../../host/shell/commands.ts';
import { giveWay } from '../../host/shell/turnBudget.ts';
import { offerUndo, unmadeError, withdrawUndoOffer } from '../../host/story/offerUndo.ts';
import { storiesOfOneProject } from '../../host/story/storyArgument.ts';
import { tellWaiting } from '../../host/story/submitIntents.ts';
import type { EntryMakers } from '../../host/story/undoHistory.ts';
import { unsentStoryText } from '../../host/story/unsentStoryText.ts';
import { type FoundStory, StoryNode } from '../../host/tree/nodes.ts';
import { watchFocus } from '../../host/tree/selectedRow.ts';
import { MoveEntry, type MoveMeans, type ShownMove } from './moveEntry.ts';
import {
  alreadyThereText,
  changedSinceText,
  concurrentMoveText,
  foreseenSlips,
  madeSlips,
  refusalError,
  refusedSteps,
  retracedText,
} from './moveTexts.ts';

export type MoveNeeds = Pick<
  App,
  'backlogs' | 'log' | 'messages' | 'restoredStories' | 'storiesView' | 'storyArgument' | 'undoHistory'
> & {
  /** The latest move that is shown of each project, those that make up for others included; by the project's text. */
  readonly latestShown: Map<string, PossibleMove>;
  /** Called once the move is shown and can be taken back, or a person is asked first. */
  readonly shown?: () => void;
};

/** Milliseconds for which a key waits until the tree tells again of the rows that are selected. */
const PATIENCE_MS = 3000;

interface ChosenStories {
  readonly key: ProjectKey;
  readonly storyIds: readonly number[];
}

/** The stories to move: the rows clicked or selected, the one a program names, or one picked; `undefined`: turned away. */
export async function chosenStories(
  { storyArgument, shown }: MoveNeeds,
  args: readonly unknown[],
): Promise<ChosenStories | undefined> {
  const selection = { selectionOf: 'person', patience: PATIENCE_MS, ...(shown && { beforeAsking: shown }) } as const;
  return ofOneProject(await storyArgument.several(args, vscode.l10n.t('Story to move'), selection));
}

/** @throws TrackerError when they are of several projects. */
export function ofOneProject(found: readonly FoundStory[]): ChosenStories | undefined {
  const severalProjects = vscode.l10n.t('Stories from different projects cannot be moved together.');
  const chosen = storiesOfOneProject(found, severalProjects);
  return chosen && { key: chosen.key, storyIds: chosen.stories.map(({ id }) => id) };
}

/** Whether the selection goes along, or comes to the rows; `byKey`: the rows have the focus, which goes along too. */
type Follow = 'whenSelected' | 'always' | 'byKey';

/** How a move is carried out. */
interface Manner {
  readonly follow: Follow;
  /** It makes up for no other: what it pushes away is told with a way to undo it. */
  readonly isNew: boolean;
}

/**
 * Shows a planned move at once and resolves when the server has answered, or when it waits in the outbox; it can be undone
 * from the moment it is shown. @throws TrackerError when the plan is a refusal, or as `carryOut` does.
 */
export async function moveStories(
  needs: MoveNeeds,
  key: ProjectKey,
  backlog: Backlog,
  plan: MovePlan,
  follow: Follow = 'whenSelected',
): Promise<void> {
  if ('refusal' in plan) throw refusalError(plan.refusal);
  if (plan.steps.length === 0) {
    needs.messages.status(alreadyThereText(backlog, plan));
    return;
  }
  const shown = withSteps(backlog, plan.steps);
  const made = madeMove(backlog, shown, plan.storyIds);
  const entry = made && new MoveEntry(moveMeans(needs), key, made);
  if (entry) needs.undoHistory.add(entry);
  const submission = await carryOut(needs, key, { before: backlog, shown, plan }, { follow, isNew: true }).catch(
    (thrown) => {
      if (entry) needs.undoHistory.remove(entry);
      withdrawUndoOffer();
      throw thrown;
    },
  );
  tickStep('storyTracker.hasMovedStories');
  if (!entry) return;
  entry.submission = submission;
  needs.undoHistory.noteKnown();
}

/** Makes moves of an earlier window entries again. What is not known to be under way has been answered since. */
export function moveMakers(needs: MoveNeeds): Pick<EntryMakers, 'move'> {
  return {
    move: async ({ key }, { made, isNew, submission = { entryIds: [] } }) => {
      const entry = new MoveEntry(moveMeans(needs), key, made, isNew);
      entry.submission = submission;
      return entry;
    },
  };
}

function moveMeans(needs: MoveNeeds): MoveMeans {
  const { backlogs, undoHistory, restoredStories, log, messages } = needs;
  return {
    backlogs,
    undoHistory,
    restoredStories,
    log,
    carryOut: (key, move) => carryOut(needs, key, move, { follow: 'whenSelected', isNew: false }),
    tellRetraced: (...what) => {
      withdrawUndoOffer();
      messages.status(retracedText(...what));
    },
    unmadeError,
    unsentError: () => new TrackerError('input', unsentStoryText(vscode)),
    changedError: (...what) => new TrackerError('conflict', changedSinceText(...what)),
  };
}

/**
 * Shows the steps of a move at once, with what slips for it, and tells how they came out where that is otherwise.
 * @throws TrackerError when, the rows being back in place, the server refuses.
 */
async function carryOut(
  needs: MoveNeeds,
  key: ProjectKey,
  { before, shown, plan }: ShownMove,
  { follow, isNew }: Manner,
): Promise<Submission> {
  const { backlogs } = needs;
  const tell = tellingSlips(needs, isNew);
  const keepInSight = keepingInSight(needs, key, plan.storyIds, follow);
  const submitted = backlogs.submit(key, intentsOf(plan.steps));
  needs.latestShown.set(keyText(key), plan);
  needs.shown?.();
  const [submission, foreseen] = await Promise.all([
    submitted,
    foreseenSlips(before, shown, plan).then(tell),
    keepInSight(),
  ]);
  if (submission.refused) throw refusedSteps(before, plan, submission, submission.refused);
  if (submission.waiting) tellWaiting(needs, key, submission);
  // The rows first: what the server answered is being painted.
  await giveWay();
  // A move after it, which is shown too, tells how it all came out.
  const isLatest = needs.latestShown.get(keyText(key)) === plan;
  if (submission.waiting || submission.isReplaced || !isLatest) return submission;
  const now = backlogs.peek(key) ?? shown;
  // Planning can put it into another iteration than it was shown in, where VS Code has another row for it.
  if (plan.storyIds.some((id) => !isSamePlace(shownPlace(shown, id), shownPlace(now, id)))) await keepInSight();
  const others = concurrentMoveText(shown, now, plan);
  if (others) {
    void needs.messages.info(others);
    return submission;
  }
  await giveWay();
  const slips = madeSlips(before, now, plan);
  if (slips !== foreseen) tell(slips ?? vscode.l10n.t('No stories slip to a later iteration.'), slips !== undefined);
  return submission;
}

/** Tells what a move pushes away, or that it is planned otherwise than asked; a new one can be undone by a click on that. */
function tellingSlips({ messages, log }: MoveNeeds, isNew: boolean) {
  return (text: string | undefined, isSurprise = true): string | undefined => {
    if (isNew) withdrawUndoOffer();
    if (text === undefined) return undefined;
    if (isNew && isSurprise) {
      log.info(text);
      offerUndo(text, 'move');
    } else messages.status(text);
    return text;
  };
}

function isSamePlace(one: ShownPlace | undefined, other: ShownPlace | undefined): boolean {
  return one?.list === other?.list && numberOf(one) === numberOf(other);
}

function numberOf(place: ShownPlace | undefined): number | undefined {
  return place && 'number' in place ? place.number : undefined;
}

/**
 * To be called before a row moves; what it gives keeps it in sight wherever it comes to be. Several rows stay selected by themselves;
 * selecting one would let go of the others.
 */
function keepingInSight(
  { storiesView, log }: MoveNeeds,
  { projectId }: ProjectKey,
  storyIds: readonly number[],
  follow: Follow,
): () => Promise<void> {
  const [only, another] = storyIds;
  const selected = () => storiesView.selection().flatMap((row) => (row instanceof StoryNode ? row.story.id : []));
  const atFirst = selected();
  if (only === undefined || another !== undefined || (follow !== 'always' && !atFirst.includes(only))) {
    return async () => undefined;
  }
  // Whoever selects another row in the meantime has it; while rows are asked for anew VS Code tells of none.
  const isWanted = () => selected().every((id) => id === only || atFirst.includes(id));
  const isHere = watchFocus();
  return async () => {
    try {
      await storiesView.reveal(only, projectId, { isWanted, focus: () => follow === 'byKey' && isHere() });
    } catch (thrown) {
      // VS Code cannot reveal a row while the tree changes again.
      log.debug(`row of story ${only} not revealed: ${messageOf(thrown)}`);
    }
  };
}
