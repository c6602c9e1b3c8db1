import { type Backlog, withStory } from '../core/backlog.ts';
import { backlogWithChanges } from '../core/backlogWithChanges.ts';
import type { BacklogChanges, KnownProjects, RefreshOptions, ReplicaAccount, Since } from '../core/replica.ts';
import type { Story } from '../core/story.ts';
import type { Account, Accounts } from './accounts.ts';
import { keyText, type ProjectKey } from './nodes.ts';
import { builtInSettings } from './settings.ts';

interface Copy {
  readonly backlog: Backlog;
  /** Up to where the replica's changes are in it. */
  readonly mark: string;
}

/** The backlogs as servers last said, in this window; they follow the replica, which all windows share. */
export class Copies {
  private readonly accounts: Accounts;
  private readonly copies = new Map<string, Copy>();

  constructor(accounts: Accounts) {
    this.accounts = accounts;
  }

  get(key: ProjectKey): Backlog | undefined {
    return this.copies.get(keyText(key))?.backlog;
  }

  /** What the replica has of an account's projects; no server is asked. */
  knownProjects(account: Account): Promise<KnownProjects | undefined> {
    return this.accounts.replica.projects(replicaAccount(account));
  }

  readProjects(account: Account): Promise<KnownProjects> {
    return this.accounts.sync(account.id).readProjects(replicaAccount(account));
  }

  /** Takes over what the replica has, unless there is something already; no server is asked. */
  async paint(key: ProjectKey): Promise<void> {
    const project = await this.replicaProject(key);
    const changes = await collected({}, (since) => this.accounts.replica.backlog(project, since));
    if (changes && !this.copies.has(keyText(key))) this.take(key, changes);
  }

  async refresh(key: ProjectKey, options: Omit<RefreshOptions, keyof Since>): Promise<void> {
    const project = await this.replicaProject(key);
    const sync = this.accounts.sync(key.accountId);
    this.take(key, await collected(this.since(key), (since) => sync.refresh(project, { ...options, ...since })));
  }

  async readMoreDone(key: ProjectKey, count: number): Promise<void> {
    const project = await this.replicaProject(key);
    const sync = this.accounts.sync(key.accountId);
    this.take(key, await collected(this.since(key), (since) => sync.readMoreDone(project, count, since)));
  }

  async put(key: ProjectKey, story: Story): Promise<void> {
    const copy = this.copies.get(keyText(key));
    if (copy) this.copies.set(keyText(key), { ...copy, backlog: withStory(copy.backlog, story) });
    await this.accounts.replica.put(await this.replicaProject(key), story);
  }

  /** Forgets the backlogs of all other projects in this window. */
  keep(keys: readonly ProjectKey[]): void {
    const kept = new Set(keys.map(keyText));
    for (const text of this.copies.keys()) if (!kept.has(text)) this.copies.delete(text);
  }

  /** Forgets what the replica has of those who are no longer signed in. */
  async forgetSignedOut(): Promise<void> {
    await this.accounts.replica.keepAccounts((await this.accounts.list()).map(replicaAccount));
  }

  private since(key: ProjectKey): Since {
    const copy = this.copies.get(keyText(key));
    return copy ? { mark: copy.mark } : {};
  }

  /** Additions to a backlog that was forgotten meanwhile belong nowhere. */
  private take(key: ProjectKey, changes: BacklogChanges): void {
    const before = this.get(key);
    if (!before && !changes.isWhole) return;
    this.copies.set(keyText(key), { backlog: backlogWithChanges(before, changes), mark: changes.mark });
  }

  private async replicaProject({ accountId, projectId }: ProjectKey) {
    const account = await this.accounts.find(accountId);
    return { ...(account ? replicaAccount(account) : { accountId, address: '' }), projectId };
  }
}

/** The built-in service's port changes with every start; what it serves is told by where its data is. */
function replicaAccount({ id, baseUrl }: Account): ReplicaAccount {
  return { accountId: id, address: baseUrl ?? `builtIn:${builtInSettings().dataFolder}` };
}

/** Takes stories in portions as they come, so that a long backlog does not arrive in one piece. */
async function collected<T extends BacklogChanges | undefined>(
  since: Since,
  ask: (since: Since) => Promise<T>,
): Promise<T> {
  const stories: Story[] = [];
  const onStories = (portion: readonly Story[]) => {
    stories.push(...portion);
  };
  const changes = await ask({ ...since, onStories });
  return changes && { ...changes, stories };
}
