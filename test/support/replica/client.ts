import type { DatabaseSync } from 'node:sqlite';
import { type Backlog, withStory } from '../../../src/core/backlog/backlog.ts';
import type { Log } from '../../../src/core/log.ts';
import type { Tracker } from '../../../src/core/ports/tracker.ts';
import { backlogSteps } from '../../../src/core/replica/backlogWithChanges.ts';
import type { BacklogChanges, RefreshOptions, ReplicaAccount } from '../../../src/core/replica/replica.ts';
import type { Story } from '../../../src/core/story/story.ts';
import { ReplicaFile } from '../../../src/sync/file/replicaFile.ts';
import { TrackerSync } from '../../../src/sync/refresh/trackerSync.ts';
import { LocalReplica } from '../../../src/sync/replica/replica.ts';
import { silentLog } from '../silentLog.ts';

export const account: ReplicaAccount = { accountId: 'ada', address: 'https://tracker.example' };

export interface ClientOptions {
  readonly path?: string;
  readonly tracker: Tracker;
  readonly now?: () => number;
  readonly log?: Log;
  readonly busyMs?: number;
  /** Instead of one made of the path. */
  readonly file?: ReplicaFile;
}

/** The version of what is in a replica's file. */
export function schemaVersion(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version);
}

/** The backlog after these changes, made in one go. */
export function backlogWithChanges(before: Backlog | undefined, changes: BacklogChanges): Backlog {
  const steps = backlogSteps(before, changes);
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

/** One window: the worker's side of the replica, and what the host shows of it. */
export class Client {
  readonly file: ReplicaFile;
  readonly replica: LocalReplica;
  readonly sync: TrackerSync;
  private readonly shown = new Map<number, { readonly backlog: Backlog; readonly mark: string }>();
  /** What the last answer made different. */
  last: BacklogChanges | undefined;

  constructor({ path, tracker, now = Date.now, log = silentLog, busyMs, file }: ClientOptions) {
    const options = { log, now, ...(path !== undefined && { path }), ...(busyMs !== undefined && { busyMs }) };
    this.file = file ?? new ReplicaFile(options);
    this.replica = new LocalReplica(this.file);
    this.sync = new TrackerSync({ file: this.file, replica: this.replica, tracker: () => tracker, log, now });
  }

  backlog(projectId = 1): Backlog | undefined {
    return this.shown.get(projectId)?.backlog;
  }

  async paint(projectId = 1): Promise<Backlog | undefined> {
    const changes = await this.replica.backlog({ ...account, projectId }, this.since(projectId));
    return changes && this.take(projectId, changes);
  }

  async refresh(projectId = 1, options: RefreshOptions = {}): Promise<Backlog> {
    const asked = { ...options, ...this.since(projectId) };
    return this.take(projectId, await this.sync.refresh({ ...account, projectId }, asked));
  }

  async readMoreDone(count: number, projectId = 1): Promise<Backlog> {
    return this.take(projectId, await this.sync.readMoreDone({ ...account, projectId }, count, this.since(projectId)));
  }

  put(projectId: number, story: Story): Promise<void> {
    const shown = this.shown.get(projectId);
    if (shown) this.shown.set(projectId, { ...shown, backlog: withStory(shown.backlog, story) });
    return this.replica.put({ ...account, projectId }, story);
  }

  /** As after signing out. */
  forget(): Promise<void> {
    this.shown.clear();
    return this.replica.keepAccounts([]);
  }

  close(): void {
    this.file.close();
  }

  private since(projectId: number) {
    const mark = this.shown.get(projectId)?.mark;
    return mark === undefined ? {} : { mark };
  }

  /** As a host does, leaves out additions to what was forgotten meanwhile. */
  private take(projectId: number, changes: BacklogChanges): Backlog {
    this.last = changes;
    const before = this.shown.get(projectId)?.backlog;
    const backlog = backlogWithChanges(before, changes);
    if (before || changes.isWhole) this.shown.set(projectId, { backlog, mark: changes.mark });
    return backlog;
  }
}
