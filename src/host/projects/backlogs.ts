import { type Backlog, findStory, storyById } from '../../core/backlog/backlog.ts';
import { messageOf, TrackerError } from '../../core/errors.ts';
import type { Intent } from '../../core/intents/intent.ts';
import type { OutboxEntry, Outcome, Submission } from '../../core/outbox/outbox.ts';
import type { CallOptions, Tracker } from '../../core/ports/tracker.ts';
import type { RefreshOptions } from '../../core/replica/replica.ts';
import { isMeant, type ProjectKey } from '../../core/story/projectKey.ts';
import type { Story } from '../../core/story/story.ts';
import type { Account } from '../accounts/account.ts';
import { Emitter, type Event, type Subscription } from '../shell/emitter.ts';
import type { FoundStory } from '../tree/nodes.ts';
import type { BacklogStore, StoreNeeds } from './backlogStore.ts';
import type { AccountFailure, AccountState, ProjectEntry } from './projectList.ts';
import type { RemovalKind } from './unsentChanges.ts';

/** What a person reads when something cannot be done, in their language. */
interface BacklogTexts {
  /** There is no project yet; with how to make one. */
  readonly noProject: string;
  /** The project that was meant is no longer there. */
  readonly goneProject: string;
  /** A story that its server does not have yet cannot be changed. */
  readonly unsentStory: string;
  /** Nobody is signed in to the project's server. */
  readonly signedOut: string;
}

interface Needs extends StoreNeeds {
  readonly texts: BacklogTexts;
}

/**
 * What is known of every project: as the server last said, with the changes on top that are under way. Views and
 * commands read it; nobody else asks servers for backlogs. What does so is read from disk when a project is first wanted, and
 * until then nothing is known.
 */
export class Backlogs {
  private readonly needs: Needs;
  private readonly changed = new Emitter<ProjectKey | undefined>();
  private readonly listening: Subscription;
  private store: BacklogStore | undefined;
  private opening: Promise<BacklogStore> | undefined;

  /** The project whose backlog changed; `undefined` when the list of projects did. */
  readonly onDidChange: Event<ProjectKey | undefined> = this.changed.event;

  constructor(needs: Needs) {
    this.needs = needs;
    this.listening = needs.accounts.onDidChange(() => {
      // From then on it follows them itself.
      if (this.store) return;
      this.changed.fire(undefined);
      this.open().then(
        (store) => store.forgetSignedOut(),
        (thrown) => needs.log.warn(messageOf(thrown)),
      );
    });
  }

  /** Accounts that could not be read the last time; then those of projects that could not, their list being there. */
  get failures(): readonly AccountFailure[] {
    return this.store?.state.list.failures ?? [];
  }

  /** Whether the account's server has told its projects, or why it does not. */
  isAnswered(account: Account): boolean {
    return this.store?.state.list.isAnswered(account) === true;
  }

  /** Whether this window has been waiting for the account's server for long. */
  isSlow(accountId: string): boolean {
    return this.store?.state.slow.has(accountId) === true;
  }

  /** When a server last told all it has, in milliseconds since the epoch; absent before that. */
  get readAt(): number | undefined {
    return this.store?.state.list.readAt;
  }

  tracker(key: ProjectKey): Tracker {
    return this.needs.accounts.tracker(key.accountId);
  }

  /**
   * As `projects`, for what can do nothing without one.
   * @throws TrackerError `unauthorized` when nobody is signed in, `notFound` when there is no project, or what a server said.
   */
  async requireProjects(): Promise<readonly ProjectEntry[]> {
    await this.needs.accounts.requireAny();
    const projects = await this.projects();
    if (projects.length > 0) return projects;
    const [failure] = this.failures;
    if (failure) throw failure.error;
    throw new TrackerError('notFound', this.needs.texts.noProject);
  }

  /**
   * Every project of every account, read after someone signed in or out. On first use those that the replica has, if it
   * knows all accounts; servers are asked then too, and the answers follow.
   */
  async projects(): Promise<readonly ProjectEntry[]> {
    const { projectReader, state } = this.store ?? (await this.open());
    await projectReader.fill();
    return state.list.entries ?? [];
  }

  /** As `projects`, as far as this window or the replica has them: no server is asked. */
  async knownProjects(): Promise<readonly ProjectEntry[]> {
    const { projectReader, state } = this.store ?? (await this.open());
    return state.list.entries ?? projectReader.known();
  }

  /** Whether someone who is signed in has this project, as far as servers have told; its backlog need not be loaded. */
  async has(key: ProjectKey): Promise<boolean> {
    return this.entryOf(key) !== undefined && (await this.needs.accounts.find(key.accountId)) !== undefined;
  }

  /** Resolves when no list of projects is being read. */
  async settled(): Promise<void> {
    await this.store?.projectReader.settled();
  }

  /** The backlog as it is to be shown, once it has been loaded. */
  peek(key: ProjectKey): Backlog | undefined {
    return this.store?.state.peek(key);
  }

  /** As `peek`; while the backlog is read for the first time also what has come of it. */
  peekSome(key: ProjectKey): Backlog | undefined {
    return this.store?.state.peekSome(key);
  }

  /** As `backlog`, as soon as there is something of it to show; the rest follows. */
  async some(key: ProjectKey): Promise<Backlog> {
    const whole = this.backlog(key);
    const part = new Promise<Backlog>((resolve) => {
      const resolveWhenKnown = () => {
        const some = this.peekSome(key);
        if (some) resolve(some);
      };
      const listening = this.onDidChange(resolveWhenKnown);
      const stop = () => listening.dispose();
      whole.then(stop, stop);
      resolveWhenKnown();
    });
    return Promise.race([whole, part]);
  }

  /** The backlog as it is to be shown. On first use what the replica has, the server's answer following, else that answer. */
  async backlog(key: ProjectKey): Promise<Backlog> {
    const { reader, state } = this.store ?? (await this.open());
    await reader.fill(key);
    const backlog = state.peek(key);
    if (!backlog) throw new Error(this.needs.texts.goneProject);
    return backlog;
  }

  /** Every loaded backlog; loads those of all projects first when asked. */
  async all(): Promise<readonly { readonly key: ProjectKey; readonly backlog: Backlog }[]> {
    const projects = await this.projects();
    return Promise.all(projects.map(async ({ key }) => ({ key, backlog: await this.backlog(key) })));
  }

  /** A story among those loaded, in any project or those that `where` means: ids are unique on a server only. */
  peekStory(storyId: number, where: Partial<ProjectKey> = {}): FoundStory | undefined {
    for (const key of this.keysOf(where)) {
      const backlog = this.peekSome(key);
      const story = backlog && findStory(backlog, storyId);
      if (story) return { key, story };
    }
    return undefined;
  }

  /** As `peekStory`, in each account that has one; then those that had the id before their project was moved to its server. */
  peekStories(storyId: number): readonly FoundStory[] {
    const byAccount = new Map<string, FoundStory>();
    for (const key of this.keysOf({})) {
      const backlog = byAccount.has(key.accountId) ? undefined : this.peekSome(key);
      const story = backlog && storyById(backlog, storyId);
      if (story) byAccount.set(key.accountId, { key, story });
    }
    return [...byAccount.values(), ...this.peekFormer(storyId)];
  }

  private peekFormer(formerId: number): readonly FoundStory[] {
    const places = this.store?.formerIds.storiesOf(formerId) ?? [];
    return places.flatMap(({ key, storyId }) => {
      const backlog = this.entryOf(key) && this.peekSome(key);
      const story = backlog && storyById(backlog, storyId);
      return story ? [{ key, story }] : [];
    });
  }

  /** Has servers tell once which IDs stories had before their projects were moved there, for `peekStories`. */
  async readFormerIds(): Promise<void> {
    await (await this.open()).formerIds.read(this.keysOf({}));
  }

  /**
   * A story by id, asked of the servers when it is not among those loaded; where none has it, the one that had it before its
   * project was moved. `undefined` when no project has it, or several had it.
   * @throws TrackerError of a server that could not be asked, when no other has the story.
   */
  async story(storyId: number, where: Partial<ProjectKey> = {}): Promise<FoundStory | undefined> {
    const loaded = this.peekStory(storyId, where);
    if (loaded) return loaded;
    await this.projects();
    // A list from the replica may lack what is new.
    await this.settled();
    const store = await this.open();
    const { found, errors } = await store.askForStory(this.keysOf(where), storyId);
    const meant = found ?? (await store.askForFormer(this.keysOf(where), storyId));
    if (meant) return meant;
    const [error] = [...errors, ...(this.store?.state.list.failed ?? []).map((failure) => failure.error)];
    if (error) throw error;
    return undefined;
  }

  /** What servers have not taken yet, or refused when nobody waited for it. */
  get unsent(): readonly OutboxEntry[] {
    return this.store?.state.unsent?.entries ?? [];
  }

  /** What takes a story off its project: a change that is under way, of whatever window, or was made since it was read. */
  removalOf(key: ProjectKey, storyId: number): RemovalKind | undefined {
    return this.store?.state.unsent?.removalOf(key, storyId);
  }

  /** Takes a change back that no server has; `false` when it is being sent just now. */
  async discard(id: string): Promise<boolean> {
    return (await this.open()).pending.discard(id);
  }

  /** As `discard` for changes that belong together: all of them, or none when a server may have heard of one. */
  async withdraw(ids: readonly string[]): Promise<boolean> {
    return (await this.open()).pending.withdraw(ids);
  }

  /** What became of a change once it has left the outbox. One that is refused stays there until someone decides. */
  async whenGone(entryId: string): Promise<Outcome> {
    return (await this.open()).pending.whenGone(entryId);
  }

  /** Whether a server has made none of these changes, since each was refused or discarded. */
  async areUnmade(entryIds: readonly string[]): Promise<boolean> {
    return (await this.open()).pending.areUnmade(entryIds);
  }

  /** What to call a project's server in a sentence. */
  hostOf(key: ProjectKey): string {
    const account = this.entryOf(key)?.account;
    return account?.baseUrl === undefined ? (account?.label ?? key.accountId) : new URL(account.baseUrl).host;
  }

  /** As `hostOf`, with whose sign-in it is where several people are signed in there. */
  signInOf(key: ProjectKey): string {
    const host = this.hostOf(key);
    const account = this.entryOf(key)?.account;
    const others = (this.store?.state.list.entries ?? []).filter(({ account: { id } }) => id !== account?.id);
    return account && others.some((other) => this.hostOf(other.key) === host) ? account.label : host;
  }

  /** As `signInOf`, where there are several: with one, all is of it. */
  signInAmongSeveral(key: ProjectKey): string | undefined {
    const accounts = new Set((this.store?.state.list.entries ?? []).map((entry) => entry.key.accountId));
    return accounts.size > 1 ? this.signInOf(key) : undefined;
  }

  /** Where a project's server is, as far as that is known: its pages of stories are there too. */
  baseUrlOf(key: ProjectKey): string | undefined {
    return this.entryOf(key)?.account.baseUrl;
  }

  /** The projects of an account, as far as servers have told. */
  keysOfAccount(accountId: string): readonly ProjectKey[] {
    return this.keysOf({ accountId });
  }

  /** Shows what a person wants at once, and has it sent now, or, safe on disk, as soon as the server can be reached. */
  async submit(key: ProjectKey, intents: readonly Intent[]): Promise<Submission> {
    const { pending } = this.store ?? (await this.open());
    if (pending.areTooEarly(intents)) throw new TrackerError('input', this.needs.texts.unsentStory);
    const account = this.entryOf(key)?.account ?? (await this.needs.accounts.find(key.accountId));
    if (!account) throw new TrackerError('unauthorized', this.needs.texts.signedOut);
    return pending.submit(key, this.needs.replicaAccount(account), intents);
  }

  /** Reads one story again, for what an upload or a commit did to it. */
  async refreshStory(key: ProjectKey, storyId: number, options?: CallOptions): Promise<Story> {
    const story = await this.tracker(key).getStory({ projectId: key.projectId, storyId }, options);
    (await this.open()).putStory(key, story);
    return story;
  }

  /**
   * Reads projects and loaded backlogs again, each account's when its own server has told its projects. What is shown stays
   * until the answers are there.
   */
  async refresh(options?: Pick<RefreshOptions, 'isAskedFor'>): Promise<void> {
    const store = this.store ?? (await this.open());
    store.formerIds.forget();
    await store.refreshing.refresh(options);
  }

  /**
   * Reads a backlog again after something was written to it; a second call while one is under way waits for a fresh answer
   * of its own.
   */
  async reload(key: ProjectKey): Promise<void> {
    await (this.store ?? (await this.open())).reader.reload(key);
  }

  /** Takes over a backlog that changed in the replica, where it is shown or was to be. */
  async followProject({ accountId, projectId }: ProjectKey): Promise<void> {
    await this.store?.reader.follow({ accountId, projectId });
  }

  /** Takes over what was found out without being asked for; what this window is just asking for will be newer. */
  follow(told: readonly AccountState[]): void {
    this.store?.refreshing.follow(told);
  }

  async loadMoreDone(key: ProjectKey): Promise<void> {
    await this.backlog(key);
    await this.store?.reader.readMoreDone(key);
  }

  /** Has what waits for the people who are signed in sent, left behind by another window or an earlier start perhaps. */
  async attend(): Promise<void> {
    await (await this.open()).pending.attend();
  }

  dispose(): void {
    this.listening.dispose();
    if (this.store) this.store.dispose();
    else
      void this.opening?.then(
        (store) => store.dispose(),
        () => undefined,
      );
    this.changed.dispose();
  }

  private open(): Promise<BacklogStore> {
    this.opening ??= import('./backlogStore.ts').then((module) => {
      this.store = new module.BacklogStore(this.needs);
      this.store.state.onDidChange((key) => this.changed.fire(key));
      this.store.formerIds.onDidFind(() => this.changed.fire(undefined));
      return this.store;
    });
    return this.opening;
  }

  private entryOf(key: ProjectKey): ProjectEntry | undefined {
    return this.store?.state.list.entry(key);
  }

  private keysOf(where: Partial<ProjectKey>): readonly ProjectKey[] {
    return (this.store?.state.list.keys ?? []).filter((key) => isMeant(key, where));
  }
}
