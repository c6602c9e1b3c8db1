import type { KnownProjects } from '../../core/replica/replica.ts';
import type { Project } from '../../core/story/project.ts';
import { isSameProject, keyText, type ProjectKey } from '../../core/story/projectKey.ts';
import type { Account } from '../accounts/account.ts';

/** An account whose projects could not be read. */
export interface AccountFailure {
  readonly account: Account;
  readonly error: unknown;
}

/** How asking an account's server went the last time, in whichever window. */
export interface AccountState {
  readonly account: Account;
  /** Absent where the projects are those that were told before. */
  readonly listed?: KnownProjects;
  readonly readAt?: number;
  /** Why the projects could not be read. */
  readonly error?: unknown;
  /** Why single projects could not, by id. */
  readonly unread: ReadonlyMap<number, unknown>;
}

/** The projects of all accounts as they were last told, and what could not be read of them. */
export class ProjectList {
  private _entries: readonly ProjectEntry[] | undefined;
  private _failed: readonly AccountFailure[] = [];
  private _readAt: number | undefined;
  private readonly unread = new Map<string, unknown>();
  /** Ids of accounts whose projects were told, in this session or another. */
  private told = new Set<string>();

  /** `undefined` before any were told. */
  get entries(): readonly ProjectEntry[] | undefined {
    return this._entries;
  }

  get keys(): readonly ProjectKey[] {
    return (this._entries ?? []).map(({ key }) => key);
  }

  /** Accounts whose list of projects could not be read the last time. */
  get failed(): readonly AccountFailure[] {
    return this._failed;
  }

  /** As `failed`; then the accounts of projects that could not be read, their list being there. */
  get failures(): readonly AccountFailure[] {
    const isNew = ({ account }: ProjectEntry) => !this._failed.some((failure) => failure.account.id === account.id);
    const unread = (this._entries ?? [])
      .filter((entry) => this.unread.has(keyText(entry.key)) && isNew(entry))
      .map(({ account, key }) => ({ account, error: this.errorOf(key) }));
    return [...this._failed, ...unread];
  }

  /** When a server last told all it has, in milliseconds since the epoch; absent before that. */
  get readAt(): number | undefined {
    return this._readAt;
  }

  /** Whether the account's server has told its projects, or why it does not. */
  isAnswered({ id }: Account): boolean {
    return this.told.has(id) || this._failed.some(({ account }) => account.id === id);
  }

  entry(key: ProjectKey): ProjectEntry | undefined {
    return this._entries?.find((one) => isSameProject(one.key, key));
  }

  /** Why the project could not be read the last time. */
  errorOf(key: ProjectKey): unknown {
    return this.unread.get(keyText(key));
  }

  isUnread(key: ProjectKey): boolean {
    return this.unread.has(keyText(key));
  }

  markUnread(key: ProjectKey, error: unknown): void {
    this.unread.set(keyText(key), error);
  }

  /** Tells whether the project could not be read before. */
  markRead(key: ProjectKey): boolean {
    return this.unread.delete(keyText(key));
  }

  /** Takes over what was told in another session; `readAt` is when it was. */
  paint(entries: readonly ProjectEntry[], readAt: number): void {
    this._entries = entries;
    this._readAt = readAt;
    for (const { account } of entries) this.told.add(account.id);
  }

  /**
   * Takes over what the servers of accounts answered just now; `undefined` is of one that has not yet. Who has not, or could not
   * be asked, keeps the projects told before.
   */
  takeAnswers(
    accounts: readonly Account[],
    answers: readonly (PromiseSettledResult<readonly ProjectEntry[]> | undefined)[],
  ): void {
    this._failed = accounts.flatMap((account, index) => {
      const answer = answers[index];
      if (!answer) return this._failed.filter((failure) => failure.account.id === account.id);
      return answer.status === 'rejected' ? [{ account, error: answer.reason }] : [];
    });
    this._entries = accounts.flatMap((account, index) => {
      const answer = answers[index];
      return answer?.status === 'fulfilled' ? answer.value : this.entriesOf(account);
    });
    const isTold = ({ id }: Account, index: number) => answers[index]?.status === 'fulfilled' || this.told.has(id);
    this.told = new Set(accounts.filter(isTold).map(({ id }) => id));
    this.forgetOthers();
    if (accounts.length === 0 || answers.some((answer) => answer?.status === 'fulfilled')) this._readAt = Date.now();
  }

  /** Takes over what was found out without being asked for; returns the ids of accounts that were away and are back. */
  follow(states: readonly AccountState[]): ReadonlySet<string> {
    const isTold = (account: Account) => states.some((state) => state.account.id === account.id);
    const back = new Set(this._failed.map(({ account }) => account.id));
    this._failed = [
      ...this._failed.filter(({ account }) => !isTold(account)),
      ...states.flatMap(({ account, error }) => (error === undefined ? [] : [{ account, error }])),
    ];
    for (const state of states) this.followOne(state);
    for (const { account } of this._failed) back.delete(account.id);
    this._readAt = Math.max(this._readAt ?? 0, ...states.map(({ readAt }) => readAt ?? 0)) || undefined;
    return back;
  }

  private followOne({ account, listed, unread }: AccountState): void {
    if (listed) {
      this.replace(account, projectEntries(account, listed));
      this.told.add(account.id);
    }
    for (const { key } of this.entriesOf(account)) {
      const error = unread.get(key.projectId);
      if (error === undefined) this.markRead(key);
      else this.markUnread(key, error);
    }
  }

  /** An account's projects keep their place among those of the others. */
  private replace(account: Account, listed: readonly ProjectEntry[]): void {
    const entries = this._entries ?? [];
    const at = entries.findIndex(({ key }) => key.accountId === account.id);
    const others = entries.filter(({ key }) => key.accountId !== account.id);
    this._entries = others.toSpliced(at < 0 ? others.length : at, 0, ...listed);
    this.forgetOthers();
  }

  private forgetOthers(): void {
    const kept = new Set(this.keys.map(keyText));
    for (const text of this.unread.keys()) if (!kept.has(text)) this.unread.delete(text);
  }

  private entriesOf(account: Account | undefined): readonly ProjectEntry[] {
    return (this._entries ?? []).filter(({ key }) => key.accountId === account?.id);
  }
}

/** A project in the list of those of all accounts. */
export interface ProjectEntry {
  readonly account: Account;
  readonly key: ProjectKey;
  readonly project: Project;
}

export function projectEntries(account: Account, known: KnownProjects | undefined): readonly ProjectEntry[] {
  const projects = known?.projects ?? [];
  return projects.map((project) => ({ account, project, key: { accountId: account.id, projectId: project.id } }));
}
