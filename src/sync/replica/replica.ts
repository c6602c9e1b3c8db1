import type { DatabaseSync } from 'node:sqlite';
import type {
  BacklogChanges,
  BacklogLists,
  FirstIteration,
  KnownProjects,
  PlacedIteration,
  ReadOptions,
  Replica,
  ReplicaAccount,
  ReplicaProject,
} from '../../core/replica/replica.ts';
import type { Iteration } from '../../core/story/iteration.ts';
import type { Project } from '../../core/story/project.ts';
import type { Story } from '../../core/story/story.ts';
import type { ReplicaFile } from '../file/replicaFile.ts';
import {
  accountKey,
  hasAccount,
  listsIn,
  madeAccountKey,
  putStory,
  rowOf,
  rowsOf,
  stateOf,
  valueIn,
} from '../file/replicaRows.ts';
import { listedIds } from './backlogSnapshot.ts';
import { inSlices } from './inSlices.ts';
import { keepPositions } from './readPositions.ts';

/** The copies of servers' projects in one SQLite file. */
export class LocalReplica implements Replica {
  private readonly file: ReplicaFile;

  constructor(file: ReplicaFile) {
    this.file = file;
  }

  async projects(account: ReplicaAccount): Promise<KnownProjects | undefined> {
    await this.file.ready();
    return this.file.run((database) => {
      const key = accountKey(database, account);
      return key === undefined ? undefined : projectsIn(database, key);
    });
  }

  /** Where an account's answers belong, to be asked before its server is; another one after the account was forgotten. */
  async placeFor(account: ReplicaAccount): Promise<AccountPlace> {
    await this.file.ready();
    return this.file.change((database) => ({
      epoch: stateOf(database).epoch,
      key: madeAccountKey(database, account),
    }));
  }

  /**
   * Takes over an account's list of projects, unless it was forgotten; the backlogs of those that left the list go. Where there
   * is one that was asked for later, which a slow answer must not undo, nothing changes and that one is returned.
   */
  async putProjects({ epoch, key }: AccountPlace, list: KnownProjects, now: number): Promise<KnownProjects> {
    const { projects, readAt } = list;
    await this.file.ready();
    return this.file.change((database) => {
      if (stateOf(database).epoch !== epoch || !hasAccount(database, key)) return list;
      const newer = projectsIn(database, key);
      // One of the future was read by a clock that has been set right since.
      if (newer && newer.readAt > readAt && newer.readAt <= now) return newer;
      database.prepare('UPDATE account SET readAt = ? WHERE key = ?').run(readAt, key);
      database.prepare('DELETE FROM project WHERE account = ?').run(key);
      const insert = database.prepare('INSERT OR REPLACE INTO project (account, id, place, value) VALUES (?, ?, ?, ?)');
      for (const [place, project] of projects.entries()) insert.run(key, project.id, place, JSON.stringify(project));
      const left = 'account = ?1 AND id NOT IN (SELECT id FROM project WHERE account = ?1)';
      database.prepare(`DELETE FROM backlog WHERE ${left}`).run(key);
      return list;
    });
  }

  async backlog(project: ReplicaProject, options: ReadOptions): Promise<BacklogChanges | undefined> {
    const { mark, onStories, onLists, onFirst } = options;
    await this.file.ready();
    if (this.isBehind(project)) return undefined;
    const first = onFirst && this.file.run((database) => keptFirst(database, project));
    if (first) await onFirst(first);
    const found = this.file.run((database) => changedRows(database, project, mark));
    if (!found) return undefined;
    const stories: Story[] = [];
    await inSlices(found.values, async (slice) => {
      const portion = slice.map((value) => JSON.parse(value) as Story);
      if (onStories) await onStories(portion);
      else stories.push(...portion);
    });
    const { lists, ...changes } = found.changes;
    if (!lists || !onLists) return { ...found.changes, stories };
    for (const portion of listPortions(lists)) await onLists(portion);
    return { ...changes, stories };
  }

  /** Whether what the file has of a project is older than what this window knows: it is not to be shown before it was read again. */
  isBehind({ projectId, ...account }: ReplicaProject): boolean {
    const sql = `SELECT backlog.readAt FROM backlog JOIN account ON account.key = backlog.account
      WHERE account.id = ? AND account.address = ? AND backlog.id = ?`;
    const values = [account.accountId, account.address, projectId] as const;
    const readAt = this.file.run((database) => rowOf(database, sql, ...values)?.readAt);
    return readAt !== undefined && this.file.isBehind(Number(readAt));
  }

  async put(project: ReplicaProject, story: Story): Promise<void> {
    await this.file.ready();
    this.file.change((database) => putStory(database, project, story));
  }

  async keepAccounts(accounts: readonly ReplicaAccount[]): Promise<void> {
    await this.file.ready();
    const kept = new Set(accounts.map(({ accountId, address }) => JSON.stringify([accountId, address])));
    this.file.change((database) => {
      for (const { key, id, address } of rowsOf(database, 'SELECT key, id, address FROM account')) {
        if (kept.has(JSON.stringify([id, address]))) continue;
        keepPositions(database, Number(key));
        database.prepare('DELETE FROM account WHERE key = ?').run(Number(key));
      }
    });
  }
}

/** An account's rows in one copy of the file; a key is never given twice in it. */
interface AccountPlace {
  readonly epoch: string;
  readonly key: number;
}

interface ChangedRows {
  readonly changes: Omit<BacklogChanges, 'stories'>;
  readonly values: readonly string[];
}

function changedRows(database: DatabaseSync, project: ReplicaProject, mark: string | undefined) {
  database.exec('BEGIN');
  try {
    return readChangedRows(database, project, mark);
  } finally {
    if (database.isTransaction) database.exec('COMMIT');
  }
}

function readChangedRows(
  database: DatabaseSync,
  project: ReplicaProject,
  mark: string | undefined,
): ChangedRows | undefined {
  const key = accountKey(database, project);
  if (key === undefined) return undefined;
  const row = rowOf(database, 'SELECT * FROM backlog WHERE account = ? AND id = ?', key, project.projectId);
  if (!row) return undefined;
  const { epoch, revision } = stateOf(database);
  const [ofEpoch, sinceRevision] = (mark ?? '').split(' ');
  const isWhole = ofEpoch !== `${epoch}/${key}`;
  const since = isWhole ? -1 : Number(sinceRevision);
  const rows = rowsOf(
    database,
    'SELECT value FROM story WHERE account = ? AND project = ? AND revision > ?',
    ...[key, project.projectId, since],
  );
  const changes = {
    mark: `${epoch}/${key} ${revision}`,
    isWhole,
    readAt: Number(row.readAt),
    project: valueIn<Project>(row, 'value'),
    ...(Number(row.listsRevision) > since && { lists: listsIn(database, key, project.projectId) }),
  };
  return { changes, values: rows.map(({ value }) => String(value)) };
}

const IDS = 2000;
const ITERATIONS = 100;
const NONE: BacklogLists = { iterations: [], icebox: [], done: [] };

/** The lists in parts that are short enough to be taken in at once, one at least; an iteration is never divided. */
function* listPortions({ iterations, icebox, done }: BacklogLists): Generator<BacklogLists, void> {
  if (iterations.length + icebox.length + done.length === 0) yield NONE;
  for (const some of fewAtOnce(iterations)) yield { ...NONE, iterations: some };
  for (let from = 0; from < icebox.length; from += IDS) yield { ...NONE, icebox: icebox.slice(from, from + IDS) };
  for (const some of fewAtOnce(done)) yield { ...NONE, done: some };
}

function* fewAtOnce(iterations: readonly PlacedIteration[]): Generator<readonly PlacedIteration[], void> {
  let some: PlacedIteration[] = [];
  let ids = 0;
  for (const iteration of iterations) {
    some.push(iteration);
    ids += iteration.storyIds.length;
    if (some.length < ITERATIONS && ids < IDS) continue;
    yield some;
    [some, ids] = [[], 0];
  }
  if (some.length > 0) yield some;
}

/** Stories of an iteration that is told by itself; more would hold who is told. */
const MOST_AT_ONCE = 500;
/** Stories that are there so soon that a part of them need not be told first. */
const FEW = 1000;

/** Whether an iteration is short enough to be told in one go. */
export function isShort(iteration: Pick<PlacedIteration, 'storyIds'> | Pick<Iteration, 'stories'>): boolean {
  return ('stories' in iteration ? iteration.stories : iteration.storyIds).length <= MOST_AT_ONCE;
}

/** The current iteration as it is kept, read before all that is kept; `undefined` where that is not worth it. */
function keptFirst(database: DatabaseSync, project: ReplicaProject): FirstIteration | undefined {
  const account = accountKey(database, project);
  if (account === undefined) return undefined;
  const at = [account, project.projectId] as const;
  const row = rowOf(database, 'SELECT value FROM backlog WHERE account = ? AND id = ?', ...at);
  const lists = listsIn(database, ...at);
  const [current] = lists.iterations;
  if (!row || !current || !isShort(current) || listedIds(lists).length <= FEW) return undefined;
  const { storyIds, ...iteration } = current;
  const sql = 'SELECT id, value FROM story WHERE account = ? AND project = ? AND id = ?';
  const stories = storyIds.flatMap((id) => rowsOf(database, sql, ...at, id).map((one) => valueIn<Story>(one, 'value')));
  return { project: valueIn<Project>(row, 'value'), iteration: { ...iteration, stories } };
}

function projectsIn(database: DatabaseSync, account: number): KnownProjects | undefined {
  const readAt = rowOf(database, 'SELECT readAt FROM account WHERE key = ?', account)?.readAt ?? undefined;
  if (readAt === undefined) return undefined;
  const rows = rowsOf(database, 'SELECT value FROM project WHERE account = ? ORDER BY place', account);
  return { projects: rows.map((row) => valueIn<Project>(row, 'value')), readAt: Number(readAt) };
}
