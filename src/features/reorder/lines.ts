import type { Backlog } from '../../core/backlog/backlog.ts';
import { isInProgress } from '../../core/backlog/workflow.ts';
import { type Area, isMovable, movableIn } from './movePlan.ts';

/**
 * Stories whose priority among each other shows in the lists. One in progress is listed in the current iteration, before
 * stories of the backlog that may come before it, so that those are a line of their own.
 */
export interface Line {
  readonly kind: 'open' | 'inProgress' | 'icebox';
  readonly area: Area;
  readonly storyIds: readonly number[];
}

/** Backlogs never change, and one is looked at many times in a move. */
const known = new WeakMap<Backlog, readonly Line[]>();

/** The stories that can be moved, in their lines; none that no server has yet. */
export function linesOf(backlog: Backlog): readonly Line[] {
  const lines = known.get(backlog) ?? madeLines(backlog);
  known.set(backlog, lines);
  return lines;
}

/** `undefined` when the story cannot be moved, or is not there. */
export function lineOf(backlog: Backlog, storyId: number): Line | undefined {
  return linesOf(backlog).find(({ storyIds }) => storyIds.includes(storyId));
}

function madeLines(backlog: Backlog): readonly Line[] {
  const open: number[] = [];
  const inProgress: number[] = [];
  for (const { stories } of backlog.iterations) {
    for (const story of stories) {
      if (isMovable(story)) (isInProgress(story.state) ? inProgress : open).push(story.id);
    }
  }
  return [
    { kind: 'open', area: 'scheduled', storyIds: open },
    { kind: 'inProgress', area: 'scheduled', storyIds: inProgress },
    { kind: 'icebox', area: 'icebox', storyIds: movableIn(backlog, 'icebox') },
  ];
}
