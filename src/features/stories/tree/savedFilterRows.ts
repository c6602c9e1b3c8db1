import type { Steps } from '../../../host/shell/turnBudget.ts';
import type { KeyedStory, ProjectKey, SavedFilterNode, SearchProgress, TreeNode } from '../../../host/tree/nodes.ts';
import type { Rows } from './rows.ts';
import type { RowsBelow } from './rowsBelow.ts';
import { hasOlder, type ShownProject } from './shownProject.ts';
import type { SavedView } from './treeShape.ts';

/** What the rows of saved filters say. */
export interface SavedFilterTexts {
  readonly nothingFits: string;
}

/** The rows of saved filters, below those of the projects, and what each has below it. */
export class SavedFilterRows {
  private readonly rows: Rows;
  private readonly below: RowsBelow;
  private readonly shownOf: (key: ProjectKey) => ShownProject | undefined;
  private readonly texts: SavedFilterTexts;

  constructor(
    rows: Rows,
    below: RowsBelow,
    shownOf: (key: ProjectKey) => ShownProject | undefined,
    texts: SavedFilterTexts,
  ) {
    this.rows = rows;
    this.below = below;
    this.shownOf = shownOf;
    this.texts = texts;
  }

  /** The rows with what is known now of these projects. */
  all(saved: readonly SavedView[], keys: readonly ProjectKey[]): readonly SavedFilterNode[] {
    return saved.map((view) => {
      const found = keys.flatMap((key) => this.foundIn(key, view));
      const isPartial = typeof view.filter !== 'string' && keys.some((key) => !this.shownOf(key));
      return this.rows.savedFilter(view.name, { text: view.text, found, isPartial });
    });
  }

  /** The stories, what is to be said about them, and whether more can be searched. `problem`: why some could not be read. */
  *belowOf(
    row: SavedFilterNode,
    view: SavedView | undefined,
    keys: readonly ProjectKey[],
    problem: string | undefined,
  ): Steps<readonly TreeNode[]> {
    if (!view) return [];
    const stories = yield* this.below.storyRows(row, row.found);
    const progress = this.progressOf(view, keys);
    const search = progress ? [this.rows.doneSearch(row, progress)] : [];
    const said = typeof view.filter === 'string' ? view.filter : problem;
    if (said !== undefined) return [...stories, this.rows.notice(row, said), ...search];
    const isEmpty = stories.length === 0 && !row.isPartial;
    return isEmpty
      ? [this.rows.notice(row, this.texts.nothingFits, { isQuiet: true }), ...search]
      : [...stories, ...search];
  }

  private foundIn(key: ProjectKey, { filter }: SavedView): readonly KeyedStory[] {
    const found = typeof filter === 'string' ? [] : (this.shownOf(key)?.saved.get(filter) ?? []);
    return found.map((story) => ({ key, story }));
  }

  /** How far the search of all these projects is; `undefined` when there is nothing to search. */
  private progressOf({ filter }: SavedView, keys: readonly ProjectKey[]): SearchProgress | undefined {
    if (typeof filter === 'string' || filter.hidesDone) return undefined;
    const searchable = keys.filter((key) => {
      const backlog = this.shownOf(key)?.backlog;
      return backlog !== undefined && hasOlder(backlog);
    });
    const all = searchable.flatMap((key) => filter.done.progressIn(key) ?? []);
    const inState = (state: SearchProgress['state']) => all.find((one) => one.state === state);
    return inState('searching') ?? inState('failed') ?? inState('offered');
  }
}
