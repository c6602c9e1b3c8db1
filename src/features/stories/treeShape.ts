import type { TreeFilter } from './treeFilter.ts';

/** Which stories the tree shows. */
export interface TreeShape {
  readonly filter: TreeFilter | undefined;
}

export const wholeTree: TreeShape = { filter: undefined };
