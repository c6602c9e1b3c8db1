import type { Backlog } from '../../core/backlog.ts';
import type { Iteration } from '../../core/iteration.ts';
import type { Story } from '../../core/story.ts';
import type { GroupKind } from '../../host/nodes.ts';

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
export function groupsOf({ project, iterations, done, icebox }: Backlog): Groups {
  const numbers = new Set<number>();
  const ids = new Set<number>();
  const group = (kind: GroupKind, iteration: Iteration): readonly Group[] =>
    firstTime(numbers, iteration.number) ? [{ kind, iteration, stories: unseen(ids, iteration.stories) }] : [];
  const now = Math.max(
    0,
    iterations.findIndex(({ number }) => number === project.currentIterationNumber),
  );
  const scheduled = iterations.flatMap((iteration, index) => group(index === now ? 'current' : 'backlog', iteration));
  const kept = { kind: 'icebox', iteration: undefined, stories: unseen(ids, icebox) } as const;
  return {
    current: scheduled.filter(({ kind }) => kind === 'current'),
    backlog: scheduled.filter(({ kind }) => kind === 'backlog'),
    done: done.toReversed().flatMap((iteration) => group('done', iteration)),
    icebox: kept,
  };
}

function unseen(ids: Set<number>, stories: readonly Story[]): readonly Story[] {
  return stories.filter(({ id }) => firstTime(ids, id));
}

function firstTime(seen: Set<number>, one: number): boolean {
  if (seen.has(one)) return false;
  seen.add(one);
  return true;
}
