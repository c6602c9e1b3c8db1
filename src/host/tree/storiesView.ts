import type { TreeNode } from './nodes.ts';

export interface RevealOptions {
  /** Asked when the row is there, where it is a function: by then the person may be elsewhere. */
  readonly focus?: boolean | (() => boolean);
  /** `false` where the rows that are selected stay so. */
  readonly select?: boolean;
  /** Whose project is meant; the first account's that has one of that id when not said. */
  readonly accountId?: string;
  /** Asked before each try; where it says no, the row is not selected any more. */
  readonly isWanted?: () => boolean;
  /** A view that is not on screen stays so. */
  readonly onlyIfVisible?: boolean;
  /** A filter that hides the story stays, and nothing is read to find it. */
  readonly onlyIfListed?: boolean;
  /** The row to select, where it is known. */
  readonly row?: TreeNode;
}

/** What other slices may ask of the story tree. */
export interface StoriesView {
  selection(): readonly TreeNode[];
  /** Selects and shows a story's row, once the tree has it. */
  reveal(storyId: number, projectId: number, options?: RevealOptions): Promise<void>;
}

/** Holds the story tree for slices that are made before it. */
export class StoriesViewHolder implements StoriesView {
  private view: StoriesView | undefined;

  attach(view: StoriesView): void {
    this.view = view;
  }

  selection(): readonly TreeNode[] {
    return this.view?.selection() ?? [];
  }

  async reveal(storyId: number, projectId: number, options?: RevealOptions): Promise<void> {
    await this.view?.reveal(storyId, projectId, options);
  }
}
