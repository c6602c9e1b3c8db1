import { isCancelled } from '../../core/errors.ts';
import type {
  BacklogChanges,
  KnownProjects,
  RefreshOptions,
  ReplicaAccount,
  ReplicaProject,
  Since,
  Sync,
} from '../../core/replica/replica.ts';
import type { ReplicaFile } from '../file/replicaFile.ts';
import { accountKey, rowOf } from '../file/replicaRows.ts';
import { putTrouble, removeStrayTroubles, removeTrouble } from './troubles.ts';

interface NotedSyncNeeds {
  readonly sync: Sync;
  readonly file: ReplicaFile;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Told of a server that answers after it had failed. */
  readonly onBack?: (account: ReplicaAccount) => void;
}

type Place = ReplicaAccount & { readonly projectId?: number };

/** Notes in the replica how each call went, so that every window knows what is stale and why. */
export class FailureRecordingSync implements Sync {
  private readonly needs: NotedSyncNeeds;

  constructor(needs: NotedSyncNeeds) {
    this.needs = needs;
  }

  readProjects(account: ReplicaAccount): Promise<KnownProjects> {
    return this.noted(account, () => this.needs.sync.readProjects(account));
  }

  refresh(project: ReplicaProject, options: RefreshOptions): Promise<BacklogChanges> {
    return this.noted(project, () => this.needs.sync.refresh(project, options));
  }

  readMoreDone(project: ReplicaProject, count: number, since: Since): Promise<BacklogChanges> {
    return this.needs.sync.readMoreDone(project, count, since);
  }

  /** What kept the server of an account from being asked at all. */
  async failed(place: Place, thrown: unknown): Promise<void> {
    if (isCancelled(thrown)) return;
    const { file, now } = this.needs;
    await file.ready();
    file.change((database) => {
      const account = accountKey(database, place);
      if (account === undefined) return;
      putTrouble(database, { account, ...projectIn(place), thrown, now: now() });
    });
  }

  private async noted<T>(place: Place, ask: () => Promise<T>): Promise<T> {
    try {
      const answer = await ask();
      this.wentWell(place);
      return answer;
    } catch (thrown) {
      await this.failed(place, thrown);
      throw thrown;
    }
  }

  /** Writes nothing while all is well. */
  private wentWell(place: Place): void {
    const { file, onBack } = this.needs;
    const hasTrouble = file.run((database) => {
      const key = accountKey(database, place) ?? -1;
      return rowOf(database, 'SELECT 1 FROM trouble WHERE account = ? LIMIT 1', key) !== undefined;
    });
    if (!hasTrouble) return;
    file.change((database) => {
      const account = accountKey(database, place);
      if (account === undefined) return;
      removeTrouble(database, { account, ...projectIn(place) });
      removeStrayTroubles(database, account);
    });
    onBack?.({ accountId: place.accountId, address: place.address });
  }
}

function projectIn({ projectId }: Place) {
  return projectId === undefined ? {} : { projectId };
}
