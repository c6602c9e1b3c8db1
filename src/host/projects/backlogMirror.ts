import { type Backlog, withStory } from '../../core/backlog/backlog.ts';
import { backlogSteps } from '../../core/replica/backlogWithChanges.ts';
import type {
  BacklogChanges,
  BacklogLists,
  FirstIteration,
  KnownProjects,
  RefreshOptions,
  Since,
} from '../../core/replica/replica.ts';
import { keyText, type ProjectKey } from '../../core/story/projectKey.ts';
import type { Story } from '../../core/story/story.ts';
import type { Account } from '../accounts/account.ts';
import { stepwise } from '../shell/turnBudget.ts';
import type { ProjectAccounts, ReplicaAccountOf } from './projectAccounts.ts';

interface Needs {
  readonly accounts: Pick<ProjectAccounts, 'list' | 'find' | 'replica' | 'sync'>;
  readonly replicaAccount: ReplicaAccountOf;
}

/** How to refresh; the rest is the mirror's own. */
export type MirrorRefresh = Omit<RefreshOptions, keyof Since | 'onFirst'>;

interface Mirrored {
  readonly backlog: Backlog;
  /** Up to where the replica's changes are in it. */
  readonly mark: string;
}

/** The backlogs as servers last said, in this window; they follow the replica, which all windows share. */
export class BacklogMirror {
  private readonly needs: Needs;
  private readonly mirrored = new Map<string, Mirrored>();
  /** What is known of backlogs that were never read while they come in, or of which the rest could not be read. */
  private readonly parts = new Map<string, Backlog>();
  /** Stories put in while changes are being taken over, which are older than those. */
  private readonly putMeanwhile = new Map<string, Story[]>();

  constructor(needs: Needs) {
    this.needs = needs;
  }

  get(key: ProjectKey): Backlog | undefined {
    return this.mirrored.get(keyText(key))?.backlog;
  }

  /** As `get`; with what `missing` tells of, while there is no more than the current iteration. */
  getSome(key: ProjectKey): Backlog | undefined {
    return this.get(key) ?? this.parts.get(keyText(key));
  }

  /** What the replica has of an account's projects; no server is asked. */
  knownProjects(account: Account): Promise<KnownProjects | undefined> {
    return this.needs.accounts.replica.projects(this.needs.replicaAccount(account));
  }

  readProjects(account: Account): Promise<KnownProjects> {
    return this.needs.accounts.sync(account.id).readProjects(this.needs.replicaAccount(account));
  }

  /**
   * Takes over what the replica has, unless there is something already; no server is asked. `onPart` is told when there is
   * something to show before all of it is.
   */
  async paint(key: ProjectKey, onPart: () => void): Promise<void> {
    const project = await this.replicaProject(key);
    const onFirst = this.firstInto(key, onPart);
    const changes = await collectedChanges({}, (since) =>
      this.needs.accounts.replica.backlog(project, { ...since, onFirst }),
    );
    if (changes) await this.takeChanges(key, changes, () => !this.mirrored.has(keyText(key)));
  }

  /** Takes over what changed in the replica since; tells whether anything did. No server is asked. */
  async follow(key: ProjectKey): Promise<boolean> {
    const before = this.get(key);
    const project = await this.replicaProject(key);
    const changes = await collectedChanges(this.since(key), (since) =>
      this.needs.accounts.replica.backlog(project, since),
    );
    if (!changes || (before && isNothing(before, changes))) return false;
    await this.takeChanges(key, changes);
    return true;
  }

  /** `onPart` is as for `paint`. */
  async refresh(key: ProjectKey, options: MirrorRefresh, onPart: () => void): Promise<void> {
    const project = await this.replicaProject(key);
    const sync = this.needs.accounts.sync(key.accountId);
    const onFirst = this.firstInto(key, onPart);
    const part = this.parts.get(keyText(key));
    if (part) this.putPart(key, { ...part, missing: {} });
    try {
      const asked = { ...options, ...(!this.get(key) && { onFirst }) };
      await this.takeChanges(
        key,
        await collectedChanges(this.since(key), (since) => sync.refresh(project, { ...asked, ...since })),
      );
    } catch (error) {
      const part = this.parts.get(keyText(key));
      if (part) this.putPart(key, { ...part, missing: { error } });
      throw error;
    }
  }

  async readMoreDone(key: ProjectKey, count: number): Promise<void> {
    const project = await this.replicaProject(key);
    const sync = this.needs.accounts.sync(key.accountId);
    await this.takeChanges(
      key,
      await collectedChanges(this.since(key), (since) => sync.readMoreDone(project, count, since)),
    );
  }

  async putStory(key: ProjectKey, story: Story): Promise<void> {
    const text = keyText(key);
    const known = this.mirrored.get(text);
    if (known) this.mirrored.set(text, { ...known, backlog: withStory(known.backlog, story) });
    const part = this.parts.get(text);
    if (part) this.parts.set(text, withStory(part, story));
    this.putMeanwhile.get(text)?.push(story);
    await this.needs.accounts.replica.put(await this.replicaProject(key), story);
  }

  /** Forgets the backlogs of all other projects in this window. */
  keepOnly(keys: readonly ProjectKey[]): void {
    const kept = new Set(keys.map(keyText));
    for (const text of this.mirrored.keys()) if (!kept.has(text)) this.mirrored.delete(text);
    for (const text of this.parts.keys()) if (!kept.has(text)) this.parts.delete(text);
  }

  /** Forgets what the replica has of those who are no longer signed in. */
  async forgetSignedOut(): Promise<void> {
    await this.needs.accounts.replica.keepAccounts((await this.needs.accounts.list()).map(this.needs.replicaAccount));
  }

  private since(key: ProjectKey): Since {
    const known = this.mirrored.get(keyText(key));
    return known ? { mark: known.mark } : {};
  }

  /** Additions to a backlog that was forgotten in the meantime belong nowhere. */
  private async takeChanges(key: ProjectKey, changes: BacklogChanges, isWanted = () => true): Promise<void> {
    const text = keyText(key);
    const meanwhile: Story[] = [];
    this.putMeanwhile.set(text, meanwhile);
    const before = this.mirrored.get(text);
    const backlog = await backlogAfter(before?.backlog, changes);
    if (this.putMeanwhile.get(text) === meanwhile) this.putMeanwhile.delete(text);
    const isFollowing = changes.isWhole || (before && this.mirrored.get(text)?.mark === before.mark);
    if (!backlog || !isFollowing || !isWanted()) return;
    this.mirrored.set(text, { backlog: meanwhile.reduce(withStory, backlog), mark: changes.mark });
    this.parts.delete(text);
  }

  private firstInto(key: ProjectKey, onPart: () => void) {
    return ({ project, iteration }: FirstIteration) => {
      this.putPart(key, { project, iterations: [iteration], icebox: [], done: [], missing: {} });
      onPart();
    };
  }

  private putPart(key: ProjectKey, part: Backlog): void {
    if (!this.get(key)) this.parts.set(keyText(key), part);
  }

  private async replicaProject({ accountId, projectId }: ProjectKey) {
    const account = await this.needs.accounts.find(accountId);
    return { ...(account ? this.needs.replicaAccount(account) : { accountId, address: '' }), projectId };
  }
}

function isNothing({ project }: Backlog, { isWhole, lists, stories, project: now }: BacklogChanges): boolean {
  const isMore = isWhole || lists !== undefined || stories.length > 0;
  return !isMore && JSON.stringify(project) === JSON.stringify(now);
}

/** The backlog after these changes; made in slices, since a backlog may be long. */
function backlogAfter(before: Backlog | undefined, changes: BacklogChanges): Promise<Backlog | undefined> {
  return stepwise(backlogSteps(before, changes));
}

/** Takes stories and lists in portions as they come, so that a long backlog does not arrive in one piece. */
async function collectedChanges<T extends BacklogChanges | undefined>(
  since: Since,
  ask: (since: Since) => Promise<T>,
): Promise<T> {
  const stories: Story[] = [];
  const values = new SharedValues();
  const portions: BacklogLists[] = [];
  const onStories = (portion: readonly Story[]) => void stories.push(...values.in(portion));
  const onLists = (portion: BacklogLists) => void portions.push(portion);
  const changes = await ask({ ...since, onStories, onLists });
  return changes && { ...changes, stories, ...(portions.length > 0 && { lists: joined(portions) }) };
}

function joined(portions: readonly BacklogLists[]): BacklogLists {
  return {
    iterations: portions.flatMap(({ iterations }) => iterations),
    icebox: portions.flatMap(({ icebox }) => icebox),
    done: portions.flatMap(({ done }) => done),
  };
}

/** More different words than members, labels and states of any project there is; what comes after them is not shared. */
const MOST = 4096;

/** Lists of a story that nearly always have nothing in them. */
const LISTS = ['labels', 'attachments', 'notes', 'tasks'] as const;

const WORDS = ['type', 'state', 'requestedBy', 'ownedBy'] as const;

const NONE: readonly never[] = Object.freeze([]);

/**
 * Makes stories that came from another thread, where each has copies of its own of everything, share what is equal: names,
 * states, empty lists. With long backlogs that is near half of what they hold, and as much less for the collector to move.
 */
class SharedValues {
  private readonly words = new Map<string, string>();

  /** Takes the stories over: nobody else may have them yet. */
  in(stories: readonly Story[]): readonly Story[] {
    for (const story of stories) this.share(story);
    return stories;
  }

  private share(story: Writable<Story>): void {
    for (const name of LISTS) if (story[name].length === 0) story[name] = NONE;
    for (const name of WORDS) {
      const word = story[name];
      if (word !== undefined) story[name] = this.word(word);
    }
    if (story.updatedAt && story.updatedAt.text === story.createdAt?.text) story.updatedAt = story.createdAt;
  }

  private word(word: string): string {
    const known = this.words.get(word);
    if (known !== undefined) return known;
    if (this.words.size < MOST) this.words.set(word, word);
    return word;
  }
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };
