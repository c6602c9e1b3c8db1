import type { ZonedDate } from '../calendar.ts';
import type { Story } from './story.ts';

/** The groups of `/iterations/<group>` (protocol.md); `current_backlog` is endpoint 1. */
export type IterationGroup = 'done' | 'current' | 'backlog' | 'current_backlog';

export interface Iteration {
  readonly id: number;
  readonly number: number;
  readonly start?: ZonedDate;
  /** When the next iteration starts. */
  readonly finish?: ZonedDate;
  /** 1 is a full team. */
  readonly teamStrength?: number;
  readonly stories: readonly Story[];
}
