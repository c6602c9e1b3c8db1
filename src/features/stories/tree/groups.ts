import type { Backlog } from '../../../core/backlog/backlog.ts';
import type { Iteration } from '../../../core/story/iteration.ts';
import type { Story } from '../../../core/story/story.ts';
import { choosing, type Steps } from '../../../host/shell/turnBudget.ts';
import type { GroupKind } from '../../../host/tree/nodes.ts';

/** One row below a project or below its done iterations. */
export interface Group {
  readonly kind: GroupKind;
  readonly iteration: Iteration | undefined;
  readonly stories: readonly Story[];
  /** How many there are, when a filter hides some. */
  readonly total?: number;
}

export interface Groups {
  readonly current: readonly Group[];
  readonly backlog: readonly Group[];
  /** Newest first. */
  readonly done: readonly Group[];
  readonly icebox: Group;
}

/**
 * A project's groups as they are shown. The parts of a backlog are read one after the other, so a story or an iteration
 * can have come twice when it moved meanwhile: it is shown once, where work goes on.
 */
export function* groupsOf({ project, iterations, done, icebox }: Backlog): Steps<Groups> {
  const numbers = new Set<number>();
  const ids = new Set<number>();
  const isNew = ({ id }: Story) => firstTime(ids, id);
  function* groups(all: readonly Iteration[], kindOf: (index: number) => GroupKind): Steps<readonly Group[]> {
    const made: Group[] = [];
    for (const [index, iteration] of all.entries()) {
      if (!firstTime(numbers, iteration.number)) continue;
      made.push({ kind: kindOf(index), iteration, stories: yield* choosing(iteration.stories, isNew) });
    }
    return made;
  }
  const now = Math.max(
    0,
    iterations.findIndex(({ number }) => number === project.currentIterationNumber),
  );
  const scheduled = yield* groups(iterations, (index) => (index === now ? 'current' : 'backlog'));
  const kept: Group = { kind: 'icebox', iteration: undefined, stories: yield* choosing(icebox, isNew) };
  return {
    current: scheduled.filter(({ kind }) => kind === 'current'),
    backlog: scheduled.filter(({ kind }) => kind === 'backlog'),
    done: yield* groups(done.toReversed(), () => 'done'),
    icebox: kept,
  };
}

function firstTime(seen: Set<number>, one: number): boolean {
  if (seen.has(one)) return false;
  seen.add(one);
  return true;
}
