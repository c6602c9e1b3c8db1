import type { Grouping } from '../../../host/tree/nodes.ts';
import type { TreeFilter } from './treeFilter.ts';

/** What the rows below a project stand for; iterations, in which the order shows, unless something else is wished for. */
export type GroupBy = 'iteration' | Grouping;

export const groupings: readonly GroupBy[] = ['iteration', 'state', 'owner', 'label', 'type'];

/** A saved filter as the tree shows it. */
export interface SavedView {
  readonly name: string;
  readonly text: string;
  /** A sentence when the text is no filter. */
  readonly filter: TreeFilter | string;
}

/** Which stories the tree shows, and below which rows. */
export interface TreeShape {
  readonly filter: TreeFilter | undefined;
  readonly groupBy: GroupBy;
  /** Rows of their own, below the projects. */
  readonly saved: readonly SavedView[];
}

export const wholeTree: TreeShape = { filter: undefined, groupBy: 'iteration', saved: [] };
