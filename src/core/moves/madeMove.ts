import type { Backlog } from '../backlog/backlog.ts';
import { withIntent } from '../intents/intentRules.ts';
import {
  formerPositions,
  isPlaceThere,
  type StandingRun,
  spotOfRun,
  strayedStory,
  withNumbers,
} from './formerPositions.ts';
import { intentsOf, type MoveStep, type PossibleMove, planInto } from './movePlan.ts';

/** A move as it was made: where its stories came to stand together, and where they stood before. */
export interface MadeMove {
  readonly storyIds: readonly number[];
  readonly now: readonly StandingRun[];
  readonly formerly: readonly StandingRun[];
}

/** Why a move cannot be taken back: one of its stories is not as it was put, or its former place is no more. */
export interface ChangedSince {
  readonly changed: 'story' | 'place';
  readonly storyId: number;
}

/** `undefined` when the stories do not stand together after it. */
export function madeMove(before: Backlog, after: Backlog, storyIds: readonly number[]): MadeMove | undefined {
  const now = formerPositions(after, storyIds);
  const isTogether = now.every(({ kind }, index) => now.findIndex((one) => one.kind === kind) === index);
  const count = now.reduce((sum, run) => sum + run.storyIds.length, 0);
  if (!isTogether || count !== storyIds.length) return undefined;
  return { storyIds, now, formerly: formerPositions(before, storyIds) };
}

/** The move where stories have other numbers by now. */
export function renumberedMove({ storyIds, now, formerly }: MadeMove, numberOf: (storyId: number) => number): MadeMove {
  const renumbered = (run: StandingRun) => withNumbers(run, numberOf);
  return { storyIds: storyIds.map(numberOf), now: now.map(renumbered), formerly: formerly.map(renumbered) };
}

/** What taking a move back made, or will have made, so that the move can be made again. */
export function takenBack({ storyIds, now, formerly }: MadeMove): MadeMove {
  return { storyIds, now: formerly, formerly: now };
}

/** How to take a move back, which is only where all stands as it left it: nothing is guessed. */
export function planBack(backlog: Backlog, { storyIds, now, formerly }: MadeMove): PossibleMove | ChangedSince {
  for (const run of now) {
    const strayed = strayedStory(backlog, run);
    if (strayed !== undefined) return { changed: 'story', storyId: strayed };
  }
  const steps: MoveStep[] = [];
  let known = backlog;
  for (const run of formerly) {
    if (!isPlaceThere(known, run, storyIds)) return { changed: 'place', storyId: run.storyIds[0] ?? 0 };
    const plan = planInto(known, run.area, run.storyIds, spotOfRun(known, run));
    if ('refusal' in plan) return { changed: 'story', storyId: plan.refusal.storyId };
    steps.push(...plan.steps);
    known = withSteps(known, plan.steps);
  }
  return { storyIds, steps };
}

/** The backlog once these steps were taken. */
export function withSteps(backlog: Backlog, steps: readonly MoveStep[]): Backlog {
  return intentsOf(steps).reduce((known, intent) => withIntent(known, intent), backlog);
}
