import type { MovePlace } from '../../core/backlog/ordering.ts';

/** Next to which story something is put. */
export interface Spot {
  readonly place: MovePlace;
  readonly targetId: number;
}
