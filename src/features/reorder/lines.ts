import type { Backlog } from '../../core/backlog.ts';
import { isInProgress } from '../../core/workflow.ts';
import { type Area, isMovable } from './movePlan.ts';

/**
 * Stories whose priority among each other shows in the lists. One in progress is listed in the current iteration, before
 * stories of the backlog that may come before it, so that those are a line of their own.
 */
export interface Line {
  readonly kind: 'open' | 'inProgress' | 'icebox';
  readonly area: Area;
  readonly storyIds: readonly number[];
}

/** The stories that can be moved, in their lines; none that no server has yet. */
export function linesOf({ iterations, icebox }: Backlog): readonly Line[] {
  const scheduled = iterations.flatMap(({ stories }) => stories).filter(isMovable);
  const ids = (wanted: boolean) => scheduled.filter(({ state }) => isInProgress(state) === wanted).map(({ id }) => id);
  return [
    { kind: 'open', area: 'scheduled', storyIds: ids(false) },
    { kind: 'inProgress', area: 'scheduled', storyIds: ids(true) },
    { kind: 'icebox', area: 'icebox', storyIds: icebox.filter(isMovable).map(({ id }) => id) },
  ];
}

/** `undefined` when the story cannot be moved, or is not there. */
export function lineOf(backlog: Backlog, storyId: number): Line | undefined {
  return linesOf(backlog).find(({ storyIds }) => storyIds.includes(storyId));
}
