import type { Memento } from 'vscode';
import { rememberedTable } from '../../../host/shell/remembered.ts';

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
