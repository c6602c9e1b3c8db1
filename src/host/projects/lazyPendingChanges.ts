import type { BacklogState } from './backlogState.ts';
import type { PendingChanges, PendingNeeds } from './pendingChanges.ts';

interface Needs extends PendingNeeds {
  readonly state: BacklogState;
}

/** The changes under way, whose code is read from disk when a backlog is first shown: only those need it. */
export class LazyPendingChanges {
  private readonly needs: Needs;
  private _opened: PendingChanges | undefined;
  private opening: Promise<PendingChanges> | undefined;

  constructor(needs: Needs) {
    this.needs = needs;
  }

  /** `undefined` before `open` has resolved; there are no changes of this window then. */
  get opened(): PendingChanges | undefined {
    return this._opened;
  }

  /** From then on the state has what is under way. */
  open(): Promise<PendingChanges> {
    this.opening ??= import('./pendingChanges.ts').then(({ PendingChanges }) => {
      this._opened = new PendingChanges(this.needs);
      this.needs.state.unsent = this._opened.unsent;
      return this._opened;
    });
    return this.opening;
  }

  dispose(): void {
    this._opened?.dispose();
  }
}
