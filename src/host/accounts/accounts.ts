import * as vscode from 'vscode';
import { messageOf, TrackerError } from '../../core/errors.ts';
import type { Outbox } from '../../core/outbox/outbox.ts';
import type { Access } from '../../core/ports/connection.ts';
import type { Tracker } from '../../core/ports/tracker.ts';
import type { Replica, ReplicaAccount, Sync } from '../../core/replica/replica.ts';
import type { Engine } from '../engine/engine.ts';
import type { Event } from '../shell/emitter.ts';
import { builtInSettings } from '../shell/settings.ts';
import { type Account, AccountStore } from './account.ts';

/** The built-in service as accounts need it: started on first use. */
export interface BuiltInService {
  access(): Promise<Access>;
}

/** The accounts of this person, and how to reach what each is for. */
export class Accounts implements vscode.Disposable {
  private readonly store: AccountStore;
  private readonly engine: Engine;
  private readonly builtIn: BuiltInService;

  /** `memory` remembers beside the secrets whether someone is signed in. */
  constructor(secrets: vscode.SecretStorage, engine: Engine, builtIn: BuiltInService, memory?: vscode.Memento) {
    this.store = new AccountStore(secrets, memory);
    this.engine = engine;
    this.builtIn = builtIn;
  }

  /** Someone signed in or out, in this window or another. */
  get onDidChange(): Event<void> {
    return this.store.onDidChange;
  }

  /**
   * In the order in which they were first added.
   * @throws TrackerError `input` where VS Code cannot read its secret storage.
   */
  list(): Promise<readonly Account[]> {
    return this.store.list().catch(unreadable);
  }

  /** Whether someone had signed in, and not out again, whose token VS Code has not kept. */
  isForgotten(): Promise<boolean> {
    return this.store.isForgotten().catch(unreadable);
  }

  /** @throws TrackerError `unauthorized` when nobody is signed in anywhere. */
  async requireAny(): Promise<void> {
    if ((await this.list()).length > 0) return;
    throw new TrackerError('unauthorized', vscode.l10n.t('You are not signed in. Run "Story Tracker: Sign In…".'));
  }

  async find(accountId: string): Promise<Account | undefined> {
    return (await this.list()).find(({ id }) => id === accountId);
  }

  /**
   * Adds the account or replaces the one with its id, which keeps its place.
   * @throws TrackerError `input` where VS Code cannot store the token.
   */
  add(account: Account, token?: string): Promise<void> {
    return this.store.add(account, token).catch((cause: unknown) => {
      throw new TrackerError(
        'input',
        vscode.l10n.t(
          'VS Code could not store your sign-in ({0}). Unlock the keyring of this machine, or install one, and sign in again.',
          messageOf(cause),
        ),
        { cause },
      );
    });
  }

  remove(accountId: string): Promise<void> {
    return this.store.remove(accountId);
  }

  /** @throws TrackerError `unauthorized` when nobody is signed in to that account any more. */
  async access(accountId: string): Promise<Access> {
    const account = (await this.store.stored().catch(unreadable)).find(({ id }) => id === accountId);
    if (account?.kind === 'builtIn') return this.builtInAccess();
    if (account?.baseUrl !== undefined && account.token !== undefined) {
      return { baseUrl: account.baseUrl, token: account.token };
    }
    throw new TrackerError(
      'unauthorized',
      vscode.l10n.t('You are not signed in to this server. Run "Story Tracker: Sign In…".'),
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
    this.store.dispose();
  }
}

function unreadable(cause: unknown): never {
  throw new TrackerError(
    'input',
    vscode.l10n.t(
      'VS Code cannot read your sign-in ({0}). Unlock the keyring of this machine and reload the window.',
      messageOf(cause),
    ),
    { cause },
  );
}

/** The built-in service's port changes with every start; what it serves is told by where its data is. */
export function replicaAccount({ id, baseUrl }: Account): ReplicaAccount {
  return { accountId: id, address: baseUrl ?? `builtIn:${builtInSettings().dataFolder}` };
}
