import * as vscode from 'vscode';
import { TrackerError } from '../core/errors.ts';
import type { Tracker } from '../core/tracker.ts';
import type { Access } from './access.ts';
import type { Engine } from './engine.ts';

/** A server one is signed in to, as one user. The built-in service has no stored address and no stored token. */
export interface Account {
  readonly id: string;
  readonly label: string;
  readonly kind: 'builtIn' | 'server';
  /** Absent for the built-in service, whose port changes. */
  readonly baseUrl?: string;
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
  /** What was last read or written here, to tell other windows' changes from our own. */
  private lastText: string | undefined;

  readonly onDidChange = this.changed.event;

  constructor(secrets: vscode.SecretStorage, engine: Engine, builtIn: BuiltInService) {
    this.secrets = secrets;
    this.engine = engine;
    this.builtIn = builtIn;
    this.listening = secrets.onDidChange(({ key }) => {
      if (key === SECRET_KEY) void this.noticeOtherWindow();
    });
  }

  async list(): Promise<readonly Account[]> {
    const stored = await this.stored();
    return stored.map(({ token: _, ...account }) => account);
  }

  /** @throws TrackerError `unauthorized` when nobody is signed in anywhere. */
  async requireAny(): Promise<void> {
    if ((await this.list()).length > 0) return;
    throw new TrackerError('unauthorized', vscode.l10n.t('Nobody is signed in. Run "Story Tracker: Sign In…".'));
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

  dispose(): void {
    this.listening.dispose();
    this.changed.dispose();
  }

  private stored(): Promise<readonly StoredAccount[]> {
    this.accounts ??= this.read();
    return this.accounts;
  }

  private async read(): Promise<readonly StoredAccount[]> {
    this.lastText = await this.secrets.get(SECRET_KEY);
    return storedAccounts(this.lastText);
  }

  private async noticeOtherWindow(): Promise<void> {
    await this.writing;
    if ((await this.secrets.get(SECRET_KEY)) !== this.lastText) this.reread();
  }

  private write(change: (stored: readonly StoredAccount[]) => readonly StoredAccount[]): Promise<void> {
    const done = this.writing.then(async () => {
      const next = change(await this.read());
      this.lastText = JSON.stringify(next);
      await this.secrets.store(SECRET_KEY, this.lastText);
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
function storedAccounts(text: string | undefined): readonly StoredAccount[] {
  try {
    const parsed: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(parsed) ? parsed.filter(isStoredAccount) : [];
  } catch {
    return [];
  }
}

function isStoredAccount(value: unknown): value is StoredAccount {
  if (typeof value !== 'object' || value === null) return false;
  const { id, label, kind } = value as Record<string, unknown>;
  return typeof id === 'string' && typeof label === 'string' && (kind === 'builtIn' || kind === 'server');
}
