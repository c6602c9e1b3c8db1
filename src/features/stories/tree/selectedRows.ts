import type { Event } from 'vscode';
import type { TreeNode } from '../../../host/tree/nodes.ts';

/** What VS Code tells of the rows of a view. */
interface Selecting {
  readonly selection: readonly TreeNode[];
  readonly onDidChangeSelection: Event<{ readonly selection: readonly TreeNode[] }>;
}

/** Milliseconds that VS Code may take to have rows again which it paints anew. */
const PAINTING_MS = 1000;

/**
 * The rows that are selected. VS Code forgets those that it is about to paint anew, and then says for a moment that none of them
 * is selected: until it has them again, it is what it said last.
 */
export class SelectedRows {
  private readonly view: Selecting;
  private readonly isShown: (row: TreeNode) => boolean;
  /** Milliseconds on a clock that nobody sets. */
  private readonly now: () => number;
  private known: readonly TreeNode[] = [];
  private paintedAt = Number.NEGATIVE_INFINITY;

  /** `isShown`: whether the tree still has this row. */
  constructor(view: Selecting, isShown: (row: TreeNode) => boolean, now: () => number = () => performance.now()) {
    this.view = view;
    this.isShown = isShown;
    this.now = now;
    view.onDidChangeSelection(({ selection }) => {
      this.known = selection;
    });
  }

  /** Rows are about to be painted anew. */
  noticePainting(): void {
    this.known = this.current();
    this.paintedAt = this.now();
  }

  current(): readonly TreeNode[] {
    const { selection } = this.view;
    if (selection.length > 0) return selection;
    return this.now() - this.paintedAt < PAINTING_MS ? this.known.filter(this.isShown) : [];
  }
}
