import type { Memento } from 'vscode';
import { rememberedNameOn } from '../../../host/accounts/ownNames.ts';
import { isText, rememberedTable, rememberedTexts } from '../../../host/shell/remembered.ts';
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

/** Whether rows stand in the order that moves change. */
export function isInPriorityOrder({ groupBy, filter }: TreeShape): boolean {
  return groupBy === 'iteration' && filter?.order === undefined;
}

const FILTER = 'storyTracker.filter';
const HISTORY = 'storyTracker.filterHistory';
const GROUP_BY = 'storyTracker.groupBy';
const HISTORY_LENGTH = 10;

/** What a workspace keeps of how its story tree is shown. */
export class ShapeMemory {
  private readonly memory: Memento;

  constructor(memory: Memento) {
    this.memory = memory;
  }

  get filter(): string | undefined {
    const kept: unknown = this.memory.get(FILTER);
    return isText(kept) ? kept : undefined;
  }

  /** The filters used, latest first. */
  get history(): readonly string[] {
    return rememberedTexts(this.memory, HISTORY);
  }

  get groupBy(): GroupBy {
    const kept = this.memory.get<string>(GROUP_BY);
    return groupings.find((one) => one === kept) ?? wholeTree.groupBy;
  }

  /** One's own name there. */
  ownName(accountId: string): string | undefined {
    return rememberedNameOn(this.memory, accountId);
  }

  async keepFilter(text: string | undefined): Promise<void> {
    await this.memory.update(FILTER, text);
    if (text === undefined) return;
    const others = this.history.filter((one) => one !== text);
    await this.memory.update(HISTORY, [text, ...others].slice(0, HISTORY_LENGTH));
  }

  async keepGroupBy(by: GroupBy): Promise<void> {
    await this.memory.update(GROUP_BY, by);
  }
}

/** What of an item is looked at. */
interface Expandable {
  id?: string;
  collapsibleState?: number;
}

const KEPT = 'storyTracker.expandedRows';
/** Rows whose state is remembered; those that were opened or folded first are forgotten first. */
const MOST = 500;
/** As in `vscode.TreeItemCollapsibleState`. */
const STATES = { folded: 1, open: 2 } as const;

/** Which rows a person opened or folded in this workspace, so that they are so again after a reload. */
export class ExpandedRows {
  private readonly memory: Pick<Memento, 'get' | 'update'>;
  private readonly states: Map<string, boolean>;
  private isWriting = false;

  constructor(memory: Pick<Memento, 'get' | 'update'>) {
    this.memory = memory;
    this.states = new Map(Object.entries(rememberedTable(memory, KEPT, isState)));
  }

  /** `id` is that of the row's item. */
  note(id: string, isOpen: boolean): void {
    this.states.delete(id);
    this.states.set(id, isOpen);
    for (const oldest of this.states.keys()) {
      if (this.states.size <= MOST) break;
      this.states.delete(oldest);
    }
    void this.write();
  }

  /** Opens or folds the item of a row that can be, as a person last did. */
  apply<T extends Expandable>(item: T): T {
    const isOpen = item.collapsibleState && item.id !== undefined ? this.states.get(item.id) : undefined;
    if (isOpen !== undefined) item.collapsibleState = isOpen ? STATES.open : STATES.folded;
    return item;
  }

  /** *Collapse All* folds many rows at once, which are written together. */
  private async write(): Promise<void> {
    if (this.isWriting) return;
    this.isWriting = true;
    await Promise.resolve();
    this.isWriting = false;
    await this.memory.update(KEPT, Object.fromEntries(this.states));
  }
}

function isState(value: unknown): value is boolean {
  return typeof value === 'boolean';
}
