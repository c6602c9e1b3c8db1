import type { Log } from '../core/log.ts';
import type { Accounts } from './accounts.ts';
import type { Copies } from './copies.ts';
import { inBackground } from './inBackground.ts';
import { projectEntries } from './projectEntry.ts';
import type { ProjectList } from './projectList.ts';

interface Needs {
  readonly accounts: Accounts;
  readonly copies: Copies;
  readonly list: ProjectList;
  readonly log: Log;
  /** The list is there, from this machine or from servers. */
  readonly onList: () => void;
  /** Servers told the list. */
  readonly onRead: () => void;
}

/** Fills the list of projects: from the replica when it is first wanted, else from servers. */
export class ProjectReader {
  private readonly needs: Needs;
  private reading: Promise<void> | undefined;
  /** What the replica has of the list of projects is being shown, before any server is asked. */
  private painting: Promise<void> | undefined;
  /** Somebody signed in or out since the list of projects was read. */
  private _areAccountsChanged = false;

  constructor(needs: Needs) {
    this.needs = needs;
  }

  get isReading(): boolean {
    return this.reading !== undefined;
  }

  /** Somebody wanted to see projects already. */
  get isWanted(): boolean {
    return this.needs.list.entries !== undefined || this.isReading || this.painting !== undefined;
  }

  get areAccountsChanged(): boolean {
    return this._areAccountsChanged;
  }

  /** Has the list read anew when it is wanted next. */
  noticeAccounts(): void {
    this._areAccountsChanged = true;
  }

  /**
   * Resolves when there is a list, read after somebody signed in or out. On first use it is what the replica has, if that
   * knows all accounts; servers are asked then too, and the answers follow.
   */
  async fill(): Promise<void> {
    const { list } = this.needs;
    if (!list.entries && !this.reading) {
      this.painting ??= this.paint();
      await this.painting;
    }
    if (!list.entries || this._areAccountsChanged) await (this.reading ?? this.read());
  }

  /** Reads the list of projects; a call that was overtaken by a later one waits for that one's answer. */
  async read(): Promise<void> {
    const mine: Promise<void> = this.ask().then((show) => (this.reading === mine ? show() : this.reading));
    this.reading = mine;
    try {
      await mine;
    } finally {
      if (this.reading === mine) this.reading = undefined;
    }
  }

  /** Resolves when what is being read has been, or could not be. */
  async settled(): Promise<void> {
    await this.reading?.catch(() => undefined);
  }

  private async ask(): Promise<() => void> {
    const { accounts, copies } = this.needs;
    const known = await accounts.list();
    const answers = await Promise.allSettled(
      known.map(async (account) => projectEntries(account, await copies.readProjects(account))),
    );
    return () => {
      const { list, log, onList, onRead } = this.needs;
      list.take(known, answers);
      for (const { account, error } of list.failed) log.warn(`${account.label}: ${String(error)}`);
      this._areAccountsChanged = false;
      copies.keep(list.keys);
      onList();
      onRead();
    };
  }

  /** Shows the list of projects that the replica has, and asks servers for theirs meanwhile when that is of all accounts. */
  private async paint(): Promise<void> {
    const { accounts, copies, list, log, onList } = this.needs;
    try {
      const all = await accounts.list();
      const known = await Promise.all(all.map((account) => copies.knownProjects(account)));
      // Who signed out while the file could not be written, or while nobody was there to do it, is forgotten now.
      if (all.length > 0) inBackground(log, copies.forgetSignedOut());
      const readAt = known.flatMap((one) => one?.readAt ?? []);
      if (list.entries || this.reading || readAt.length === 0) return;
      const entries = all.flatMap((account, index) => projectEntries(account, known[index]));
      list.paint(entries, Math.min(...readAt));
      onList();
      if (readAt.length < all.length) this.noticeAccounts();
      else inBackground(log, this.read());
    } catch (thrown) {
      log.warn(`the local copy cannot be read: ${String(thrown)}`);
    } finally {
      this.painting = undefined;
    }
  }
}
