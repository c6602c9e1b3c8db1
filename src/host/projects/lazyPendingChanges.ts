import type { Backlog } from '../../core/backlog/backlog.ts';
import type { ProjectKey } from '../tree/nodes.ts';
import type { PendingChanges, PendingNeeds } from './pendingChanges.ts';

/** The changes under way, whose code is read from disk when somebody first looks at a backlog: only those need it. */
export class LazyPendingChanges {
  private readonly needs: PendingNeeds;
  private _opened: PendingChanges | undefined;
  private opening: Promise<PendingChanges> | undefined;

  constructor(needs: PendingNeeds) {
    this.needs = needs;
  }

  /** `undefined` before `open` has resolved; there are no changes of this window then. */
  get opened(): PendingChanges | undefined {
    return this._opened;
  }

  open(): Promise<PendingChanges> {
    this.opening ??= import('./pendingChanges.ts').then(({ PendingChanges }) => {
      this._opened = new PendingChanges(this.needs);
      return this._opened;
    });
    return this.opening;
  }

  applied(key: ProjectKey, backlog: Backlog): Backlog {
    return this._opened?.applied(key, backlog) ?? backlog;
  }

  dispose(): void {
    this._opened?.dispose();
  }
}
