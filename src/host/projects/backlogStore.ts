import { findStory } from '../../core/backlog/backlog.ts';
import { TrackerError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { isSameProject, type ProjectKey } from '../../core/story/projectKey.ts';
import type { Story } from '../../core/story/story.ts';
import type { Subscription } from '../shell/emitter.ts';
import { inBackground } from '../shell/turnBudget.ts';
import type { FoundStory } from '../tree/nodes.ts';
import { BacklogMirror } from './backlogMirror.ts';
import { BacklogReader } from './backlogReader.ts';
import { BacklogState } from './backlogState.ts';
import { FormerIds } from './formerIds.ts';
import { PendingChanges } from './pendingChanges.ts';
import type { ProjectAccounts, ReplicaAccountOf } from './projectAccounts.ts';
import { ProjectReader } from './projectReader.ts';
import { ProjectRefresh } from './projectRefresh.ts';

export interface StoreNeeds {
  readonly accounts: ProjectAccounts;
  readonly replicaAccount: ReplicaAccountOf;
  readonly log: Log;
}

/** What the servers of projects told of a story. */
interface StoryAnswer {
  readonly found?: FoundStory;
  /** Why some could not be asked. */
  readonly errors: readonly unknown[];
}

/** The state of all projects, with what reads it from the replica and servers and what changes it. Asks nobody by itself. */
export class BacklogStore {
  readonly state: BacklogState;
  readonly reader: BacklogReader;
  readonly projectReader: ProjectReader;
  readonly pending: PendingChanges;
  readonly refreshing: ProjectRefresh;
  readonly formerIds: FormerIds;
  private readonly needs: StoreNeeds;
  private readonly listening: Subscription;

  constructor(needs: StoreNeeds) {
    this.needs = needs;
    const { accounts, replicaAccount, log } = needs;
    const state = new BacklogState(new BacklogMirror(needs));
    const reader = new BacklogReader({ state, log });
    const projectReader = new ProjectReader({ accounts, state, log });
    const attendedAccounts = async () => (await accounts.reachable()).map(replicaAccount);
    const pending = new PendingChanges({ outbox: accounts.outbox, attendedAccounts, state, reader, log });
    state.unsent = pending.unsent;
    this.refreshing = new ProjectRefresh({ accounts, state, projectReader, reader, log });
    this.formerIds = new FormerIds({ accounts, log });
    this.listening = projectReader.onDidList(() => inBackground(log, pending.attend()));
    this.state = state;
    this.reader = reader;
    this.projectReader = projectReader;
    this.pending = pending;
  }

  /** Takes in a story as its server has just told it. */
  putStory(key: ProjectKey, story: Story): void {
    inBackground(this.needs.log, this.state.mirror.putStory(key, story));
    this.state.tellChanged(key);
  }

  /** Asks for a story by id in each of the projects at once. */
  async askForStory(keys: readonly ProjectKey[], storyId: number): Promise<StoryAnswer> {
    const answers = await Promise.allSettled(keys.map((key) => this.askIn(key, storyId)));
    const [found] = answers.flatMap((answer) => (answer.status === 'fulfilled' && answer.value ? [answer.value] : []));
    const errors = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
    return found ? { found, errors } : { errors };
  }

  /** The story that had an id before its project was moved here; `undefined` where there is none, or where several had it. */
  async askForFormer(keys: readonly ProjectKey[], formerId: number): Promise<FoundStory | undefined> {
    await this.formerIds.read(this.state.list.keys);
    const places = this.formerIds.storiesOf(formerId).filter(({ key }) => keys.some((one) => isSameProject(one, key)));
    const [place, ...others] = places;
    if (!place || others.length > 0) return undefined;
    const backlog = this.state.peekSome(place.key);
    const story = backlog && findStory(backlog, place.storyId);
    return story ? { key: place.key, story } : (await this.askForStory([place.key], place.storyId)).found;
  }

  /** Forgets what the replica has of those who are no longer signed in. */
  forgetSignedOut(): void {
    inBackground(this.needs.log, this.state.mirror.forgetSignedOut());
  }

  dispose(): void {
    const { listening, refreshing, formerIds, pending, projectReader, reader, state } = this;
    for (const one of [listening, refreshing, formerIds, pending, projectReader, reader, state]) one.dispose();
  }

  private async askIn(key: ProjectKey, storyId: number): Promise<FoundStory | undefined> {
    const { accounts, log } = this.needs;
    try {
      return { key, story: await accounts.tracker(key.accountId).getStory({ projectId: key.projectId, storyId }) };
    } catch (thrown) {
      if (!(thrown instanceof TrackerError) || thrown.kind !== 'notFound') throw thrown;
      log.debug(`story ${storyId} is not in project ${key.projectId}`);
      return undefined;
    }
  }
}
