import * as vscode from 'vscode';
import { TrackerError } from '../../core/errors.ts';
import type { Outbox } from '../../core/outbox/outbox.ts';
import type { Tracker } from '../../core/ports/tracker.ts';
import type { Replica, Sync } from '../../core/replica/replica.ts';
import type { Access, Engine } from '../engine/engine.ts';
import type { Account } from './account.ts';

interface StoredAccount extends Account {
  readonly token?: string;
  /** Milliseconds since the epoch when it was first added; accounts are listed in this order. */
  readonly since: number;
}

/** The built-in service as accounts need it: started on first use. */
export interface BuiltInService {
  access(): Promise<Access>;
}

const SECRET_PREFIX = 'storyTracker.account.';

/**
 * The accounts of this person, kept with their tokens in SecretStorage and nowhere else. Each token lives in one record
 * with the address it was given for, so that no setting can send it elsewhere; each account has a secret of its own, so
 * that windows which write at the same time lose none.
 */
export class Accounts implements vscode.Disposable {
  private readonly secrets: vscode.SecretStorage;
  private readonly engine: Engine;
  private readonly builtIn: BuiltInService;
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly listening: vscode.Disposable;
  private writing: Promise<unknown> = Promise.resolve();
  private accounts: Promise<readonly StoredAccount[]> | undefined;
  /** What was last read or written here, to tell other windows' changes from our own. */
  private lastText: string | undefined;

  readonly onDidChange = this.changed.event;

  constructor(secrets: vscode.SecretStorage, engine: Engine, builtIn: BuiltInService) {
    this.secrets = secrets;
    this.engine = engine;
    this.builtIn = builtIn;
    this.listening = secrets.onDidChange(({ key }) => {
      if (key.startsWith(SECRET_PREFIX)) void this.noticeOtherWindow();
    });
  }

  async list(): Promise<readonly Account[]> {
    const stored = await this.stored();
    return stored.map(({ token: _token, since: _since, ...account }) => account);
  }

  /** @throws TrackerError `unauthorized` when nobody is signed in anywhere. */
  async requireAny(): Promise<void> {
    if ((await this.list()).length > 0) return;
    throw new TrackerError('unauthorized', vscode.l10n.t('Nobody is signed in. Run "Story Tracker: Sign In…".'));
  }

  async find(accountId: string): Promise<Account | undefined> {
    return (await this.list()).find(({ id }) => id === accountId);
  }

  /** Adds the account or replaces the one with its id, which keeps its place. */
  async add(account: Account, token?: string): Promise<void> {
    await this.write(async (stored) => {
      const latest = Math.max(0, ...stored.map(({ since }) => since));
      const before = stored.find(({ id }) => id === account.id);
      const since = before?.since ?? Math.max(Date.now(), latest + 1);
      const tokenSince = before?.token === token ? (before?.tokenSince ?? since) : Date.now();
      const record: StoredAccount = { ...account, since, ...(token === undefined ? {} : { token, tokenSince }) };
      await this.secrets.store(SECRET_PREFIX + account.id, JSON.stringify(record));
    });
  }

  async remove(accountId: string): Promise<void> {
    await this.write(() => this.secrets.delete(SECRET_PREFIX + accountId));
  }

  /** @throws TrackerError `unauthorized` when nobody is signed in to that account any more. */
  async access(accountId: string): Promise<Access> {
    const account = (await this.stored()).find(({ id }) => id === accountId);
    if (account?.kind === 'builtIn') return this.builtInAccess();
    if (account?.baseUrl !== undefined && account.token !== undefined) {
      return { baseUrl: account.baseUrl, token: account.token };
    }
    throw new TrackerError(
      'unauthorized',
      vscode.l10n.t('Nobody is signed in to this server. Run "Story Tracker: Sign In…".'),
    );
  }

  /** How to reach the service on this machine, signed in to or not. */
  builtInAccess(): Promise<Access> {
    return this.builtIn.access();
  }

  tracker(accountId: string): Tracker {
    return this.engine.tracker(accountId, () => this.access(accountId));
  }

  /** Brings the replica up to what the account's server says. */
  sync(accountId: string): Sync {
    return this.engine.sync(accountId, () => this.access(accountId));
  }

  /** What no server has taken yet. */
  get outbox(): Outbox {
    return this.engine.outbox;
  }

  /** As `list`, and the engine knows from then on how to reach each, whether or not anything is asked of it. */
  async reachable(): Promise<readonly Account[]> {
    const accounts = await this.list();
    for (const { id } of accounts) this.tracker(id);
    return accounts;
  }

  /** What is known of all accounts' projects without asking a server. */
  get replica(): Replica {
    return this.engine.replica;
  }

  dispose(): void {
    this.listening.dispose();
    this.changed.dispose();
  }

  private stored(): Promise<readonly StoredAccount[]> {
    this.accounts ??= this.read();
    return this.accounts;
  }

  private async read(): Promise<readonly StoredAccount[]> {
    const keys = (await this.secrets.keys()).filter((key) => key.startsWith(SECRET_PREFIX));
    const texts = await Promise.all(keys.map((key) => this.secrets.get(key)));
    const stored = texts.flatMap(storedAccount).toSorted((one, other) => one.since - other.since);
    this.lastText = JSON.stringify(stored);
    return stored;
  }

  private async noticeOtherWindow(): Promise<void> {
    await this.writing;
    const before = this.lastText;
    await this.read();
    if (this.lastText !== before) this.reread();
  }

  private write(change: (stored: readonly StoredAccount[]) => PromiseLike<void>): Promise<void> {
    const done = this.writing.then(async () => {
      await change(await this.read());
      await this.read();
      this.reread();
    });
    this.writing = done.catch(() => undefined);
    return done;
  }

  private reread(): void {
    this.accounts = undefined;
    this.changed.fire();
  }
}

/** None when the text is not ours: then signing in again mends it. */
function storedAccount(text: string | undefined): readonly StoredAccount[] {
  try {
    const parsed: unknown = JSON.parse(text ?? 'null');
    return isStoredAccount(parsed) ? [parsed] : [];
  } catch {
    return [];
  }
}

function isStoredAccount(value: unknown): value is StoredAccount {
  if (typeof value !== 'object' || value === null) return false;
  const { id, label, kind, since } = value as Record<string, unknown>;
  const isKind = kind === 'builtIn' || kind === 'server';
  return typeof id === 'string' && typeof label === 'string' && typeof since === 'number' && isKind;
}
