import '../../../../src/host/projects/backlogStore.ts';
import { setImmediate } from 'node:timers/promises';
import { type Backlog, storiesOf } from '../../../../src/core/backlog/backlog.ts';
import { TrackerError } from '../../../../src/core/errors.ts';
import type { Log } from '../../../../src/core/log.ts';
import type { Tracker } from '../../../../src/core/ports/tracker.ts';
import { listsOf } from '../../../../src/core/replica/backlogWithChanges.ts';
import type {
  BacklogChanges,
  KnownProjects,
  ReadOptions,
  RefreshOptions,
  Replica,
  ReplicaAccount,
  ReplicaProject,
  Since,
  Sync,
} from '../../../../src/core/replica/replica.ts';
import type { Project } from '../../../../src/core/story/project.ts';
import type { ProjectKey } from '../../../../src/core/story/projectKey.ts';
import type { Story } from '../../../../src/core/story/story.ts';
import type { Account } from '../../../../src/host/accounts/account.ts';
import type { ProjectAccounts } from '../../../../src/host/projects/projectAccounts.ts';
import { Emitter } from '../../../../src/host/shell/emitter.ts';
import { aBacklog, anIteration, aProject } from '../../../support/builders/builders.ts';
import { HeldOutbox } from './heldOutbox.ts';

export const bakery: Account = { id: 'bakery', label: 'Bakery', kind: 'server', baseUrl: 'https://bakery.example' };
export const mill: Account = { id: 'mill', label: 'Mill', kind: 'server', baseUrl: 'https://mill.example' };
export const key: ProjectKey = { accountId: 'bakery', projectId: 1 };
export const away = new TrackerError('unreachable', 'Nobody there.');

/** Lets everything happen that waits for nothing but its turn. */
export async function settled(): Promise<void> {
  for (let times = 0; times < 8; times++) await setImmediate();
}

/** Calls that wait until a test answers them, each with what it asked. */
export class HeldCalls<Asked, Answer> {
  readonly asked: Asked[] = [];
  private readonly waiting: PromiseWithResolvers<Answer>[] = [];

  ask(asked: Asked): Promise<Answer> {
    const call = Promise.withResolvers<Answer>();
    this.asked.push(asked);
    this.waiting.push(call);
    return call.promise;
  }

  /** How many are not answered yet. */
  get open(): number {
    return this.waiting.length;
  }

  /** Answers the oldest that waits, or the one behind so many others. */
  async answer(answer: Answer, behind = 0): Promise<void> {
    this.next(behind).resolve(answer);
    await settled();
  }

  async fail(error: unknown = away): Promise<void> {
    this.next(0).reject(error);
    await settled();
  }

  private next(behind: number): PromiseWithResolvers<Answer> {
    const [call] = this.waiting.splice(behind, 1);
    if (!call) throw new Error('Nobody asks.');
    return call;
  }
}

type Asked<Options> = Options & { readonly project: ReplicaProject };

/** As the worker answers: stories and lists come before the answer, which then has none. */
function inPortions(changes: BacklogChanges, { onStories, onLists }: Since): BacklogChanges {
  const { lists, ...rest } = changes;
  onStories?.(changes.stories);
  if (lists) onLists?.(lists);
  return { ...rest, stories: [] };
}

/** A server of which tests tell what it answers, and when. */
export class HeldSync implements Sync {
  readonly lists = new HeldCalls<ReplicaAccount, KnownProjects>();
  readonly refreshes = new HeldCalls<Asked<RefreshOptions>, BacklogChanges>();
  readonly pages = new HeldCalls<Asked<Since> & { readonly count: number }, BacklogChanges>();

  readProjects(account: ReplicaAccount): Promise<KnownProjects> {
    return this.lists.ask(account);
  }

  async refresh(project: ReplicaProject, options: RefreshOptions): Promise<BacklogChanges> {
    return inPortions(await this.refreshes.ask({ ...options, project }), options);
  }

  async readMoreDone(project: ReplicaProject, count: number, since: Since): Promise<BacklogChanges> {
    return inPortions(await this.pages.ask({ ...since, count, project }), since);
  }
}

/** What is kept on this machine: nothing, unless a test puts it there. */
export class FakeReplica implements Replica {
  /** By account. */
  readonly lists = new Map<string, KnownProjects>();
  /** Calls for a backlog; answered with what is in `backlogs` unless `isHeld`. */
  readonly reads = new HeldCalls<Asked<ReadOptions>, BacklogChanges | undefined>();
  backlogs: BacklogChanges | undefined;
  isHeld = false;
  readonly stories: Story[] = [];
  kept: readonly ReplicaAccount[] | undefined;
  /** What is thrown instead of an answer. */
  failure: unknown;

  async projects({ accountId }: ReplicaAccount): Promise<KnownProjects | undefined> {
    if (this.failure) throw this.failure;
    return this.lists.get(accountId);
  }

  async backlog(project: ReplicaProject, options: ReadOptions): Promise<BacklogChanges | undefined> {
    if (this.failure) throw this.failure;
    const changes = this.isHeld ? await this.reads.ask({ ...options, project }) : this.backlogs;
    return changes && inPortions(changes, options);
  }

  async put(_project: ReplicaProject, story: Story): Promise<void> {
    this.stories.push(story);
  }

  async keepAccounts(accounts: readonly ReplicaAccount[]): Promise<void> {
    this.kept = accounts;
  }
}

/** The accounts of a person who is signed in to the bakery, unless a test says otherwise. */
export class FakeAccounts implements ProjectAccounts {
  accounts: readonly Account[] = [bakery];
  readonly outbox = new HeldOutbox();
  readonly replica = new FakeReplica();
  /** By what somebody wants from the servers by themselves. */
  trackers: (accountId: string) => Partial<Tracker> = () => ({});
  private readonly syncs = new Map<string, HeldSync>();
  private readonly changed = new Emitter<void>();

  readonly onDidChange = this.changed.event;

  async list(): Promise<readonly Account[]> {
    return this.accounts;
  }

  async find(accountId: string): Promise<Account | undefined> {
    return this.accounts.find(({ id }) => id === accountId);
  }

  async requireAny(): Promise<void> {
    if (this.accounts.length === 0) throw new TrackerError('unauthorized', 'Nobody is signed in.');
  }

  reachable(): Promise<readonly Account[]> {
    return this.list();
  }

  tracker(accountId: string): Tracker {
    return this.trackers(accountId) as Tracker;
  }

  sync(accountId: string): HeldSync {
    const sync = this.syncs.get(accountId) ?? new HeldSync();
    this.syncs.set(accountId, sync);
    return sync;
  }

  /** These are signed in now, and who listens is told. */
  async change(...accounts: readonly Account[]): Promise<void> {
    this.accounts = accounts;
    this.changed.fire();
    await settled();
  }
}

export function replicaAccount({ id, baseUrl = 'here' }: Account): ReplicaAccount {
  return { accountId: id, address: baseUrl };
}

/** A log that remembers what it was warned of. */
export class RememberingLog implements Log {
  readonly warnings: string[] = [];
  debug(): void {}
  info(): void {}
  warn(message: string): void {
    this.warnings.push(message);
  }
  error(message: string | Error): void {
    this.warnings.push(String(message));
  }
}

/** The list of projects as told at this moment, in milliseconds since the epoch. */
export function known(readAt: number, ...projects: readonly Project[]): KnownProjects {
  return { projects, readAt };
}

/** Projects with these ids. */
export function projects(...ids: readonly number[]): KnownProjects {
  return known(1, ...ids.map((id) => aProject({ id, name: `Project ${id}` })));
}

/** All of a backlog, which has these stories in its current iteration. */
export function whole(mark: string, ...stories: readonly Story[]): BacklogChanges {
  return wholeOf(mark, aBacklog({ iterations: [anIteration({ stories })] }));
}

export function wholeOf(mark: string, backlog: Backlog): BacklogChanges {
  const { project } = backlog;
  return { mark, isWhole: true, readAt: 1, project, lists: listsOf(backlog), stories: storiesOf(backlog) };
}

/** Newer versions of stories that stay where they are; nothing new without any. */
export function additions(mark: string, ...stories: readonly Story[]): BacklogChanges {
  return { mark, isWhole: false, readAt: 1, project: aProject(), stories };
}

/** What a backlog shows, by name. */
export function namesIn(backlog: Backlog | undefined): readonly string[] | undefined {
  return backlog && storiesOf(backlog).map(({ name }) => name);
}
