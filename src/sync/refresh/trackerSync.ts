import { TrackerError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { Tracker } from '../../core/ports/tracker.ts';
import { listsOf } from '../../core/replica/backlogWithChanges.ts';
import type {
  BacklogChanges,
  KnownProjects,
  RefreshOptions,
  ReplicaAccount,
  ReplicaProject,
  Since,
  Sync,
} from '../../core/replica/replica.ts';
import type { Project } from '../../core/story/project.ts';
import { t } from '../../core/translation.ts';
import type { ReplicaFile } from '../file/replicaFile.ts';
import {
  type BacklogSnapshot,
  type BacklogUpdate,
  backlogSnapshot,
  isForgotten,
  takeOver,
} from '../replica/backlogSnapshot.ts';
import type { LocalReplica } from '../replica/replica.ts';
import type { RefreshNeeds } from './readFromServer.ts';
import { refreshed } from './refresh.ts';

interface SyncNeeds {
  readonly file: ReplicaFile;
  readonly replica: LocalReplica;
  /** An account's server, for reads that share the time of one; `waited` milliseconds have passed of it. */
  readonly tracker: (accountId: string, waited: number) => Tracker;
  readonly log: Log;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** One window is the quickest each time, and any of them about as often, so that giving up means something else is wrong. */
const TRIES = 24;

/** Keeps the replica up to date with the servers. */
export class TrackerSync implements Sync {
  private readonly needs: SyncNeeds;

  constructor(needs: SyncNeeds) {
    this.needs = needs;
  }

  async readProjects(account: ReplicaAccount): Promise<KnownProjects> {
    const { tracker, replica, now } = this.needs;
    const readAt = now();
    const place = await replica.placeFor(account);
    const known = { projects: eachOnce(await tracker(account.accountId, 0).listProjects()), readAt };
    return replica.putProjects(place, known, now());
  }

  refresh(project: ReplicaProject, options: RefreshOptions): Promise<BacklogChanges> {
    const { tracker, now } = this.needs;
    const { onFirst: _told, waitingSince, ...since } = options;
    const waited = waitingSince === undefined ? 0 : Math.max(0, now() - waitingSince);
    const needs = { ...this.needs, tracker: tracker(project.accountId, waited) };
    return this.changed(project, since, (held) => refreshed(needs, held, options));
  }

  async readMoreDone(project: ReplicaProject, count: number, since: Since): Promise<BacklogChanges> {
    const { file, replica, tracker } = this.needs;
    await file.ready();
    const needs = { ...this.needs, tracker: tracker(project.accountId, 0) };
    // Each time: a file that was out of reach may come back in the meantime, with what is older than this window knows.
    const upToDate = async () => {
      if (replica.isBehind(project)) await this.refresh(project, since);
    };
    return this.changed(project, since, (held) => withOlderDone(needs, held, count), upToDate);
  }

  /** Begins again when another window, or a change of our own, was quicker. */
  private async changed(
    project: ReplicaProject,
    since: Since,
    read: (held: BacklogSnapshot) => Promise<BacklogUpdate>,
    prepare: () => Promise<void> = async () => undefined,
  ): Promise<BacklogChanges> {
    const { file, replica } = this.needs;
    for (let tries = 0; tries < TRIES; tries++) {
      await prepare();
      const held = await backlogSnapshot(file, project);
      const isTaken = await takeOver(file, held, await read(held));
      const changes = isTaken && (await replica.backlog(project, since));
      if (changes) return changes;
      if (isForgotten(file, held)) throw new TrackerError('unauthorized', t('You are not signed in to this server.'));
    }
    throw new Error(t('The local copy keeps changing.'));
  }
}

/** A server may name a project twice; a row, a backlog and a key there is but one of. */
function eachOnce(projects: readonly Project[]): readonly Project[] {
  return [...new Map(projects.map((project) => [project.id, project])).values()];
}

/** The backlog as it is held, with so many more done iterations before those that it has. */
async function withOlderDone(needs: RefreshNeeds, held: BacklogSnapshot, count: number): Promise<BacklogUpdate> {
  const { known, projectId } = held;
  if (!known) return refreshed(needs, held, {});
  const { lists } = held.kept;
  const page = { limit: count, offset: -(lists.done.length + count) };
  const older = await needs.tracker.listIterations(projectId, 'done', page);
  const isKnown = (number: number) => lists.done.some((one) => one.number === number);
  const added = older.filter(({ number }) => !isKnown(number));
  const { done } = listsOf({ iterations: [], icebox: [], done: added });
  const { project, cursor, readAt } = known;
  return {
    ...{ project, readAt, isWhole: false, lists: { ...lists, done: [...done, ...lists.done] } },
    ...{ stories: added.flatMap(({ stories }) => stories), activities: [], ...(cursor && { cursor }) },
  };
}
