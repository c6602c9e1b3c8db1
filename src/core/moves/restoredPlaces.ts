import type { Backlog } from '../backlog/backlog.ts';
import type { Intent } from '../intents/intent.ts';
import { withIntent } from '../intents/intentRules.ts';
import { formerPositions, isPlaceThere, type StandingRun, spotOfRun } from './formerPositions.ts';

/** How stories come to stand where they stood. */
interface RestoredPlaces {
  readonly moves: readonly Intent<'move'>[];
  /** Those that stay where they are, since others stand where they stood. */
  readonly lost: readonly number[];
}

/**
 * What puts those of the stories back that stood elsewhere, each run between the two stories between which it stood. Only of
 * those for whom `isCertain` is it known where they stand now: others are moved in any case.
 */
export function restoredPlaces(
  backlog: Backlog,
  formerly: readonly StandingRun[],
  storyIds: readonly number[],
  isCertain: (run: StandingRun) => boolean,
): RestoredPlaces {
  const moves: Intent<'move'>[] = [];
  const lost: number[] = [];
  let known = backlog;
  for (const former of formerly) {
    const run = { ...former, storyIds: former.storyIds.filter((id) => storyIds.includes(id)) };
    const [first, ...others] = run.storyIds;
    if (first === undefined || (isCertain(run) && isInPlace(known, run))) continue;
    if (!isPlaceThere(known, run, storyIds)) {
      lost.push(...run.storyIds);
      continue;
    }
    const spot = spotOfRun(known, run);
    const steps = [
      ...(spot ? [{ kind: 'move', storyId: first, ...spot } as const] : []),
      ...others.map((storyId, index) => {
        const targetId = run.storyIds[index] ?? first;
        return { kind: 'move', storyId, place: 'after', targetId } as const;
      }),
    ];
    moves.push(...steps);
    known = steps.reduce((before, move) => withIntent(before, move), known);
  }
  return { moves, lost };
}

function isInPlace(backlog: Backlog, { kind, storyIds, above, below }: StandingRun): boolean {
  const [now, another] = formerPositions(backlog, storyIds);
  if (!now || another || now.kind !== kind || now.above !== above || now.below !== below) return false;
  return now.storyIds.every((id, index) => id === storyIds[index]);
}
