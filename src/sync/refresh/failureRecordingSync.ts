import type { DatabaseSync } from 'node:sqlite';
import { failureMeans, isCancelled, messageOf, TrackerError } from '../../core/errors.ts';
import type { Trouble } from '../../core/replica/polling.ts';
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
import { accountKey, rowOf, rowsOf, valueIn } from '../file/replicaRows.ts';

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

/** As the replica keeps it, for all windows. */
export interface KnownTrouble extends Trouble {
  /** In a row. */
  readonly failures: number;
  /** Milliseconds that the server asked us to wait. */
  readonly retryAfter?: number;
}

type Value = Pick<KnownTrouble, 'kind' | 'message' | 'retryAfter'>;

/** The row of an account's list of projects stands at this id. */
const LIST = 0;
/** Failures closer together count as one: someone retried several times. */
const SAME_MS = 4000;
/** Whether it is no project's own: the next one would fail in the same way. */
export function isOfTheServer({ kind }: Pick<Trouble, 'kind'>): boolean {
  return failureMeans(kind, 'everyProject');
}

export function troublesOf(database: DatabaseSync, account: number): readonly KnownTrouble[] {
  const rows = rowsOf(database, 'SELECT * FROM trouble WHERE account = ? ORDER BY project', account);
  return rows.map((row) => ({
    ...valueIn<Value>(row, 'value'),
    failures: Number(row.failures),
    at: Number(row.at),
    ...(row.project !== LIST && { projectId: Number(row.project) }),
  }));
}

/** Without a project, of the list of projects. */
function putTrouble(
  database: DatabaseSync,
  { account, projectId = LIST, thrown, now }: TroublePlace & { readonly thrown: unknown; readonly now: number },
): void {
  database
    .prepare(
      `INSERT INTO trouble (account, project, value, failures, at) VALUES (?1, ?2, ?3, 1, ?4)
       ON CONFLICT (account, project) DO UPDATE SET
         value = ?3, failures = failures + (abs(?4 - at) >= ?5), at = ?4`,
    )
    .run(account, projectId, JSON.stringify(noted(thrown)), now, SAME_MS);
}

function removeTrouble(database: DatabaseSync, { account, projectId = LIST }: TroublePlace): void {
  database.prepare('DELETE FROM trouble WHERE account = ? AND project = ?').run(account, projectId);
}

/** Of projects that left the list. */
function removeStrayTroubles(database: DatabaseSync, account: number): void {
  database
    .prepare(
      `DELETE FROM trouble WHERE account = ?1 AND project <> ${LIST}
       AND project NOT IN (SELECT id FROM project WHERE account = ?1)`,
    )
    .run(account);
}

interface TroublePlace {
  readonly account: number;
  readonly projectId?: number;
}

function noted(thrown: unknown): Value {
  if (!(thrown instanceof TrackerError)) return { kind: 'server', message: messageOf(thrown) };
  const { kind, message, retryAfter } = thrown;
  return { kind, message, ...(retryAfter !== undefined && { retryAfter }) };
}
