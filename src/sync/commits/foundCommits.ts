import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Commit, NewCommit } from '../../core/ports/git.ts';
import { LONGEST_LEASE_MS, leaseOf, releaseLease, takeLease } from '../file/lease.ts';
import type { ReplicaFile } from '../file/replicaFile.ts';
import { rowOf, rowsOf, valueIn } from '../file/replicaRows.ts';

const KEPT_COMMITS = 5000;

/** Of branches that are gone. */
const KEPT_TIPS = 2000;

/** How long a window is believed to be there that has not said so; its number alone may be another process's by now. */
const CLAIM_MS = LONGEST_LEASE_MS;
const SAY_SO_MS = CLAIM_MS / 5;

/** A clock is not set back by more, unless it is quite wrong. */
const SET_BACK_MS = 24 * 60 * 60 * 1000;
/** How long ago a commit may have been made, at most, that a look finds at once. */
const LOOK_LATE_MS = 10 * 60 * 1000;

interface SeenTips {
  readonly firstAt: number;
  readonly tips: readonly { readonly ref: string; readonly hash: string }[];
}

interface FoundCommitsNeeds {
  readonly file: ReplicaFile;
  readonly now: () => number;
  /** Of the window that asks. */
  readonly process: number;
  readonly isRunning: (process: number) => boolean;
  /** Keeps no process alive. */
  readonly wait?: (milliseconds: number) => Promise<unknown>;
}

/** What was seen of repositories and found in them, in the replica's file, for all windows. */
export class StoredFoundCommits {
  private readonly needs: FoundCommitsNeeds;
  private isKeeping = false;

  constructor(needs: FoundCommitsNeeds) {
    this.needs = needs;
  }

  /** Where a repository stood the last time, the latest first; `undefined` for one that was never looked at. */
  async seen(repository: string): Promise<SeenTips | undefined> {
    await this.needs.file.ready();
    return this.needs.file.run((database) => {
      const row = rowOf(database, 'SELECT firstAt FROM seenRepository WHERE repository = ?', repository);
      const sql = 'SELECT ref, hash FROM seenTip WHERE repository = ? ORDER BY at DESC, ref';
      const tips = rowsOf(database, sql, repository).map(({ ref, hash }) => ({ ref: String(ref), hash: String(hash) }));
      return row && { firstAt: firstLook(Number(row.firstAt), this.needs.now()), tips };
    });
  }

  /** Remembers both in one transaction, so that no commit is lost between them; tells what this window is to ask about. */
  async note(
    repository: string,
    tips: ReadonlyMap<string, string>,
    found: readonly Commit[],
  ): Promise<readonly NewCommit[]> {
    await this.needs.file.ready();
    const at = this.needs.now();
    const open = this.needs.file.changeDurably((database) => {
      putTips(database, repository, tips, at);
      const insert = database.prepare('INSERT OR IGNORE INTO foundCommit VALUES (?, ?, ?, ?, NULL, 0)');
      for (const commit of withEarlierVersions(database, repository, found)) {
        insert.run(repository, commit.hash, JSON.stringify(commit), at);
      }
      forgetOld(database, repository, tips);
      return this.takeOpen(database, repository);
    });
    if (open.length > 0) void this.keepClaims();
    return open;
  }

  async settle(repository: string, hashes: readonly string[]): Promise<void> {
    await this.needs.file.ready();
    this.needs.file.changeDurably((database) => {
      const settle = database.prepare('UPDATE foundCommit SET isSettled = 1 WHERE repository = ? AND hash = ?');
      for (const hash of hashes) settle.run(repository, hash);
    });
  }

  async repositories(): Promise<readonly string[]> {
    await this.needs.file.ready();
    const sql = 'SELECT repository FROM seenRepository ORDER BY rowid DESC';
    return this.needs.file.run((database) => rowsOf(database, sql).map(({ repository }) => String(repository)));
  }

  async move(from: string, to: string): Promise<void> {
    await this.needs.file.ready();
    this.needs.file.changeDurably((database) => {
      if (rowOf(database, 'SELECT firstAt FROM seenRepository WHERE repository = ?', to)) return;
      database
        .prepare('INSERT INTO seenRepository SELECT ?2, firstAt FROM seenRepository WHERE repository = ?1')
        .run(from, to);
      for (const table of ['seenTip', 'foundCommit']) {
        database.prepare(`UPDATE ${table} SET repository = ?2 WHERE repository = ?1`).run(from, to);
      }
      database.prepare('DELETE FROM seenRepository WHERE repository = ?').run(from);
    });
  }

  /** What no other window that is still there has taken. */
  private takeOpen(database: DatabaseSync, repository: string): readonly NewCommit[] {
    const sql =
      'SELECT rowid, value, process FROM foundCommit WHERE repository = ? AND isSettled = 0 ORDER BY at, rowid';
    const take = database.prepare('UPDATE foundCommit SET process = ? WHERE rowid = ?');
    const open = rowsOf(database, sql, repository).flatMap((row) => {
      const owner = row.process === null ? this.needs.process : Number(row.process);
      if (owner !== this.needs.process && this.isThere(database, owner)) return [];
      if (row.process === null || owner !== this.needs.process) take.run(this.needs.process, Number(row.rowid));
      return [valueIn<NewCommit>(row, 'value')];
    });
    if (open.length > 0) this.sayThere(database);
    return open;
  }

  private isThere(database: DatabaseSync, process: number): boolean {
    const { now, isRunning } = this.needs;
    const until = leaseOf(database, claimsOf(process))?.until ?? 0;
    return until > now() && until <= now() + CLAIM_MS && isRunning(process);
  }

  private sayThere(database: DatabaseSync): void {
    const now = this.needs.now();
    const name = claimsOf(this.needs.process);
    takeLease(database, { name, owner: name, rank: 0, until: now + CLAIM_MS, now });
  }

  /** Says that this window is there as long as it has something to decide about. */
  private async keepClaims(): Promise<void> {
    if (this.isKeeping) return;
    this.isKeeping = true;
    const { file, process, wait = (milliseconds) => sleep(milliseconds, undefined, { ref: false }) } = this.needs;
    while (this.isKeeping) {
      await wait(SAY_SO_MS);
      try {
        this.isKeeping = file.change((database) => {
          const has = rowOf(database, 'SELECT 1 FROM foundCommit WHERE process = ? AND isSettled = 0', process);
          const name = claimsOf(process);
          if (has) this.sayThere(database);
          else releaseLease(database, { name, owner: name });
          return has !== undefined;
        });
      } catch {
        // The file is busy, or nothing can be kept in it; the next time may be better.
      }
    }
  }
}

function claimsOf(process: number): string {
  return `commits:${process}`;
}

/** When a repository was first looked at by a clock that was set back since: what was made from then on is no history. */
function firstLook(firstAt: number, now: number): number {
  return firstAt > now && firstAt <= now + SET_BACK_MS ? now - LOOK_LATE_MS : firstAt;
}

function putTips(database: DatabaseSync, repository: string, tips: ReadonlyMap<string, string>, at: number): void {
  const before = rowOf(database, 'SELECT firstAt FROM seenRepository WHERE repository = ?', repository);
  database
    .prepare('INSERT INTO seenRepository VALUES (?1, ?2) ON CONFLICT DO UPDATE SET firstAt = ?2')
    .run(repository, before ? firstLook(Number(before.firstAt), at) : at);
  const put = database.prepare(
    `INSERT INTO seenTip VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET hash = excluded.hash, at = excluded.at WHERE hash <> excluded.hash`,
  );
  for (const [ref, hash] of tips) put.run(repository, ref, hash, at);
}

interface Version {
  readonly hash: string;
  readonly subject: string;
}

/** Each with the one found before of the same author and time: these outlive amending, rebasing and picking, to a second. */
function withEarlierVersions(
  database: DatabaseSync,
  repository: string,
  found: readonly Commit[],
): readonly NewCommit[] {
  if (found.length === 0) return [];
  const before = versionsIn(database, repository);
  return found.map((commit) => {
    const twins = (before.get(originOf(commit)) ?? []).filter(({ hash }) => hash !== commit.hash);
    const same = twins.find((twin) => twin.subject === subject(commit.message));
    const twin = same ?? (twins.length === 1 ? twins[0] : undefined);
    return twin ? { ...commit, versionOf: twin.hash } : commit;
  });
}

/** The commits found before by what outlives a change of them, the latest first. */
function versionsIn(database: DatabaseSync, repository: string): ReadonlyMap<string, readonly Version[]> {
  const versions = new Map<string, Version[]>();
  for (const row of rowsOf(
    database,
    'SELECT value FROM foundCommit WHERE repository = ? ORDER BY rowid DESC',
    repository,
  )) {
    const commit = valueIn<NewCommit>(row, 'value');
    const version = { hash: commit.hash, subject: subject(commit.message) };
    const twins = versions.get(originOf(commit));
    if (twins) twins.push(version);
    else versions.set(originOf(commit), [version]);
  }
  return versions;
}

function originOf({ authorEmail, authoredAt }: Commit): string {
  return `${authoredAt} ${authorEmail}`;
}

function subject(message: string): string {
  return message.split('\n', 1)[0] ?? '';
}

/** Tips of branches that are there are not forgotten, however many: they would be taken for new ones the next time. */
function forgetOld(database: DatabaseSync, repository: string, tips: ReadonlyMap<string, string>): void {
  database
    .prepare(
      `DELETE FROM foundCommit WHERE isSettled = 1 AND rowid NOT IN (SELECT rowid FROM foundCommit ORDER BY at DESC LIMIT ?)`,
    )
    .run(KEPT_COMMITS);
  const kept = rowOf(database, 'SELECT count(*) AS count FROM seenTip WHERE repository = ?', repository);
  if (Number(kept?.count) <= tips.size + KEPT_TIPS) return;
  database
    .prepare(
      `DELETE FROM seenTip WHERE repository = ?1 AND ref NOT IN (SELECT value FROM json_each(?3)) AND rowid NOT IN
       (SELECT rowid FROM seenTip WHERE repository = ?1 ORDER BY at DESC LIMIT ?2)`,
    )
    .run(repository, KEPT_TIPS, JSON.stringify([...tips.keys()]));
}
