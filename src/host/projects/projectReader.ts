import type { Log } from '../../core/log.ts';
import type { Account } from '../accounts/account.ts';
import { Emitter } from '../shell/emitter.ts';
import { inBackground } from '../shell/turnBudget.ts';
import type { BacklogState } from './backlogState.ts';
import type { ProjectAccounts } from './projectAccounts.ts';
import { type ProjectEntry, projectEntries } from './projectList.ts';

interface Needs {
  readonly accounts: Pick<ProjectAccounts, 'list'>;
  readonly state: BacklogState;
  readonly log: Log;
}

/** Fills the list of projects: from the replica when it is first wanted, else from servers. */
export class ProjectReader {
  private readonly needs: Needs;
  private reading: Promise<void> | undefined;
  /** The accounts whose servers have not answered yet. */
  private asked: ReadonlySet<string> = new Set();
  /** What the replica has of the list of projects is being shown, before any server is asked. */
  private painting: Promise<void> | undefined;
  /** Resolves when there is a list, of some accounts at least. */
  private readonly first = Promise.withResolvers<void>();
  /** Someone signed in or out since the list of projects was read. */
  private _areAccountsChanged = false;
  private readonly listed = new Emitter<void>();

  /** The list is there, from this machine or from servers. */
  readonly onDidList = this.listed.event;

  constructor(needs: Needs) {
    this.needs = needs;
  }

  get isReading(): boolean {
    return this.reading !== undefined;
  }

  isAsking(accountId: string): boolean {
    return this.isReading && this.asked.has(accountId);
  }

  /** Projects have already been requested. */
  get isWanted(): boolean {
    return this.needs.state.list.entries !== undefined || this.isReading || this.painting !== undefined;
  }

  get areAccountsChanged(): boolean {
    return this._areAccountsChanged;
  }

  /** Has the list read anew when it is wanted next. */
  noticeAccounts(): void {
    this._areAccountsChanged = true;
  }

  /**
   * Resolves when there is a list, read after someone signed in or out. On first use it is what the replica has, if that
   * knows all accounts; servers are asked then too, and the answers follow. Else it is that of the first that has projects.
   */
  async fill(): Promise<void> {
    const { list } = this.needs.state;
    if (!list.entries && !this.reading) {
      this.painting ??= this.paint();
      await this.painting;
    }
    if (list.entries && !this._areAccountsChanged) return;
    const all = this.reading ?? this.read();
    await (list.entries ? all : Promise.race([all, this.first.promise]));
  }

  /** What the replica has of the list of projects. */
  async known(): Promise<readonly ProjectEntry[]> {
    const { accounts, state } = this.needs;
    const all = await accounts.list();
    const known = await Promise.all(all.map((account) => state.mirror.knownProjects(account)));
    return all.flatMap((account, index) => projectEntries(account, known[index]));
  }

  /**
   * Reads the list of projects; a call that was overtaken by a later one waits for that one's answer. Each account's is there
   * when its own server has answered, of which `onAnswer` is told, or has not.
   */
  async read(onAnswer: (accountId: string) => void = () => undefined): Promise<void> {
    const mine: Promise<void> = this.ask((accountId, show) => {
      if (this.reading !== mine) return;
      this.asked = new Set([...this.asked].filter((one) => one !== accountId));
      show();
      if (accountId !== undefined) onAnswer(accountId);
    }).then(() => (this.reading === mine ? undefined : this.reading));
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

  dispose(): void {
    this.listed.dispose();
  }

  /** `showAnswers` is given what shows the answers that have come, one after the other, with whose the last one is. */
  private async ask(showAnswers: (accountId: string | undefined, show: () => void) => void): Promise<void> {
    const { accounts, state } = this.needs;
    const known = await accounts.list();
    this.asked = new Set(known.map(({ id }) => id));
    const answers: (PromiseSettledResult<readonly ProjectEntry[]> | undefined)[] = known.map(() => undefined);
    const asking = known.map(async (account, index) => {
      const listing = state.slow.watched(account.id, state.mirror.readProjects(account));
      const reading = listing.then((list) => projectEntries(account, list));
      const [answer] = await Promise.allSettled([reading]);
      answers[index] = answer;
      showAnswers(account.id, () => this.show(known, answers, account));
    });
    await Promise.all(asking);
    if (known.length === 0) showAnswers(undefined, () => this.show(known, answers));
  }

  private show(
    known: readonly Account[],
    answers: readonly (PromiseSettledResult<readonly ProjectEntry[]> | undefined)[],
    last?: Account,
  ): void {
    const { state, log } = this.needs;
    const { list, mirror } = state;
    const isWhole = answers.every((answer) => answer !== undefined);
    const isSome = answers.some((answer) => answer?.status === 'fulfilled' && answer.value.length > 0);
    // That nobody has a project is known only when all have answered.
    if (!list.entries && !isWhole && !isSome) return;
    list.takeAnswers(known, answers);
    const failed = list.failed.find(({ account }) => account.id === last?.id);
    if (failed) log.warn(`${failed.account.label}: ${String(failed.error)}`);
    if (isWhole) this._areAccountsChanged = false;
    mirror.keepOnly(list.keys);
    this.first.resolve();
    this.listed.fire();
    state.tellListChanged();
  }

  /** Shows the list of projects that the replica has, and asks servers for theirs in the meantime when that is of all accounts. */
  private async paint(): Promise<void> {
    const { accounts, state, log } = this.needs;
    const { list, mirror } = state;
    try {
      const all = await accounts.list();
      const known = await Promise.all(all.map((account) => mirror.knownProjects(account)));
      // Who signed out while the file could not be written, or while nobody was there to do it, is forgotten now.
      if (all.length > 0) inBackground(log, mirror.forgetSignedOut());
      const readAt = known.flatMap((one) => one?.readAt ?? []);
      if (list.entries || this.reading || readAt.length === 0) return;
      const entries = all.flatMap((account, index) => projectEntries(account, known[index]));
      list.paint(entries, Math.min(...readAt));
      this.listed.fire();
      if (readAt.length < all.length) this.noticeAccounts();
      else inBackground(log, this.read());
    } catch (thrown) {
      log.warn(`could not read the local copy: ${String(thrown)}`);
    } finally {
      this.painting = undefined;
    }
  }
}
