import * as vscode from 'vscode';
import { TrackerError } from '../core/errors.ts';
import type { Tracker } from '../core/tracker.ts';
import type { Engine } from './engine.ts';

/** A server one is signed in to, as one user. The built-in service has no stored address and no stored token. */
export interface Account {
  readonly id: string;
  readonly label: string;
  readonly kind: 'builtIn' | 'server';
  /** Absent for the built-in service, whose port changes. */
  readonly baseUrl?: string;
}

/** How to reach an account right now. */
export interface Access {
  readonly baseUrl: string;
  readonly token: string;
}

interface StoredAccount extends Account {
  readonly token?: string;
}

/** The built-in service as accounts need it: started on first use. */
export interface BuiltInService {
  access(): Promise<Access>;
}

const SECRET_KEY = 'storyTracker.accounts';
export const BUILT_IN_ID = 'builtIn';

/**
 * The accounts of this person, kept with their tokens in SecretStorage and nowhere else. Each token lives in one record
 * with the address it was given for, so that no setting can send it elsewhere.
 */
export class Accounts implements vscode.Disposable {
  private readonly secrets: vscode.SecretStorage;
  private readonly engine: Engine;
  private readonly builtIn: BuiltInService;
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly listening: vscode.Disposable;
  private writing: Promise<unknown> = Promise.resolve();
  private accounts: Promise<readonly StoredAccount[]> | undefined;

  readonly onDidChange = this.changed.event;

  constructor(secrets: vscode.SecretStorage, engine: Engine, builtIn: BuiltInService) {
    this.secrets = secrets;
    this.engine = engine;
    this.builtIn = builtIn;
    this.listening = secrets.onDidChange(({ key }) => {
      if (key === SECRET_KEY) this.reread();
    });
  }

  async list(): Promise<readonly Account[]> {
    const stored = await this.stored();
    return stored.map(({ token: _, ...account }) => account);
  }

  async find(accountId: string): Promise<Account | undefined> {
    return (await this.list()).find(({ id }) => id === accountId);
  }

  /** Adds the account or replaces the one with its id. */
  async add(account: Account, token?: string): Promise<void> {
    const record = token === undefined ? account : { ...account, token };
    await this.write((stored) => [...stored.filter(({ id }) => id !== account.id), record]);
  }

  async remove(accountId: string): Promise<void> {
    await this.write((stored) => stored.filter(({ id }) => id !== accountId));
  }

  /** @throws TrackerError `unauthorized` when nobody is signed in to that account any more. */
  async access(accountId: string): Promise<Access> {
    const account = (await this.stored()).find(({ id }) => id === accountId);
    if (account?.kind === 'builtIn') return this.builtIn.access();
    if (account?.baseUrl !== undefined && account.token !== undefined) {
      return { baseUrl: account.baseUrl, token: account.token };
    }
    throw new TrackerError(
      'unauthorized',
      vscode.l10n.t('Nobody is signed in to this server. Run "Story Tracker: Sign In…".'),
    );
  }

  tracker(accountId: string): Tracker {
    return this.engine.tracker(accountId, () => this.access(accountId));
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
    const text = await this.secrets.get(SECRET_KEY);
    if (text === undefined) return [];
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed.filter(isStoredAccount) : [];
  }

  private write(change: (stored: readonly StoredAccount[]) => readonly StoredAccount[]): Promise<void> {
    const done = this.writing.then(async () => {
      const next = change(await this.read());
      await this.secrets.store(SECRET_KEY, JSON.stringify(next));
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

function isStoredAccount(value: unknown): value is StoredAccount {
  if (typeof value !== 'object' || value === null) return false;
  const { id, label, kind } = value as Record<string, unknown>;
  return typeof id === 'string' && typeof label === 'string' && (kind === 'builtIn' || kind === 'server');
}
