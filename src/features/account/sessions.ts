import * as vscode from 'vscode';
import { TrackerError } from '../../core/errors.ts';
import { type Account, BUILT_IN_ID } from '../../host/accounts/account.ts';
import type { Accounts } from '../../host/accounts/accounts.ts';

/** Our accounts as VS Code's Accounts menu and other extensions see them. */
export class Sessions implements vscode.AuthenticationProvider, vscode.Disposable {
  private readonly accounts: Accounts;
  private readonly signIn: () => Promise<Account | undefined>;
  private readonly signOut: (accountId: string) => Promise<void>;
  private readonly changed = new vscode.EventEmitter<vscode.AuthenticationProviderAuthenticationSessionsChangeEvent>();
  private readonly listening: vscode.Disposable;
  private known: readonly Account[] = [];

  readonly onDidChangeSessions = this.changed.event;

  constructor(
    accounts: Accounts,
    signIn: () => Promise<Account | undefined>,
    signOut: (accountId: string) => Promise<void>,
  ) {
    this.accounts = accounts;
    this.signIn = signIn;
    this.signOut = signOut;
    this.listening = accounts.onDidChange(() => void this.tellChanges());
  }

  /** The built-in service is not started just to list it: its token is given only to who asks for a session. */
  async getSessions(scopes: readonly string[] | undefined): Promise<vscode.AuthenticationSession[]> {
    const accounts = await this.accounts.list();
    this.known = accounts;
    return Promise.all(accounts.map((account) => this.sessionOf(account, scopes !== undefined)));
  }

  async createSession(): Promise<vscode.AuthenticationSession> {
    const account = await this.signIn();
    if (!account) throw new TrackerError('cancelled', vscode.l10n.t('Canceled.'));
    return this.sessionOf(account, true);
  }

  async removeSession(sessionId: string): Promise<void> {
    await this.signOut(sessionId);
  }

  dispose(): void {
    this.listening.dispose();
    this.changed.dispose();
  }

  private async sessionOf(account: Account, start: boolean): Promise<vscode.AuthenticationSession> {
    const accessToken = account.kind === 'builtIn' && !start ? '' : (await this.accounts.access(account.id)).token;
    return { ...sessionWithoutToken(account), accessToken };
  }

  private async tellChanges(): Promise<void> {
    const before = this.known;
    const now = await this.accounts.list();
    this.known = now;
    const missingIn = (others: readonly Account[]) => (account: Account) => !others.some(({ id }) => id === account.id);
    const added = now.filter(missingIn(before));
    this.changed.fire({
      added: added.map(sessionWithoutToken),
      removed: before.filter(missingIn(now)).map(sessionWithoutToken),
      changed: now.filter((account) => !added.includes(account)).map(sessionWithoutToken),
    });
  }
}

function sessionWithoutToken({ id, label }: Account): vscode.AuthenticationSession {
  return { id, accessToken: '', account: { id, label }, scopes: [] };
}

export function builtInAccount(): Account {
  return { id: BUILT_IN_ID, label: vscode.l10n.t('Built-in Service'), kind: 'builtIn' };
}
