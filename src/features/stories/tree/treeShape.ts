import type { Memento } from 'vscode';
import { rememberedNameOn } from '../../../host/accounts/ownNames.ts';
import { isText, rememberedTexts } from '../../../host/shell/remembered.ts';
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
