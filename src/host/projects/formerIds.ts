import { failureMeans, kindOf, messageOf } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { RenumberedStory } from '../../core/story/importReport.ts';
import type { ProjectKey } from '../../core/story/projectKey.ts';
import { Emitter } from '../shell/emitter.ts';
import type { ProjectAccounts } from './projectAccounts.ts';

interface Needs {
  readonly accounts: Pick<ProjectAccounts, 'tracker'>;
  readonly log: Log;
}

/** A story that had another ID before its project was moved to its server. */
interface StoryPlace {
  readonly key: ProjectKey;
  readonly storyId: number;
}

/** What a server told of the projects that an account had then. */
interface Told {
  readonly projects: string;
  reading: Promise<void>;
  /** When it is asked again, on a clock that nobody sets: never, unless it was away. */
  until: number;
}

/** A server that was away is asked again after so long. */
const RETRY_MS = 60_000;

/**
 * Which IDs stories had before their projects were moved to their servers. Each server is asked once, and again when the account has
 * other projects; one that does not tell is not asked again.
 */
export class FormerIds {
  private readonly needs: Needs;
  private readonly told = new Map<string, Told>();
  /** By account, and there by former ID. */
  private readonly places = new Map<string, ReadonlyMap<number, readonly StoryPlace[]>>();
  private readonly found = new Emitter<void>();

  /** There are stories with former IDs that were not known before. */
  readonly onDidFind = this.found.event;

  constructor(needs: Needs) {
    this.needs = needs;
  }

  /** Resolves when the servers of these projects have told, or could not. */
  async read(keys: readonly ProjectKey[]): Promise<void> {
    const accounts = Map.groupBy(keys, ({ accountId }) => accountId);
    await Promise.all([...accounts].map(([accountId, own]) => this.readAccount(accountId, own)));
  }

  /** The stories that had an ID, as far as servers have told. */
  storiesOf(formerId: number): readonly StoryPlace[] {
    return [...this.places.values()].flatMap((ofAccount) => ofAccount.get(formerId) ?? []);
  }

  /** Has servers asked again when it is next wanted: stories may have been imported. */
  forget(): void {
    this.told.clear();
  }

  dispose(): void {
    this.found.dispose();
  }

  private readAccount(accountId: string, keys: readonly ProjectKey[]): Promise<void> {
    const ids = keys.map(({ projectId }) => projectId);
    const projects = ids.toSorted((one, other) => one - other).join();
    const before = this.told.get(accountId);
    if (before?.projects === projects && before.until > performance.now()) return before.reading;
    const told: Told = { projects, reading: Promise.resolve(), until: Number.POSITIVE_INFINITY };
    this.told.set(accountId, told);
    told.reading = this.ask(accountId, told);
    return told.reading;
  }

  private async ask(accountId: string, told: Told): Promise<void> {
    const isLatest = () => this.told.get(accountId) === told;
    try {
      const stories = await this.needs.accounts.tracker(accountId).renumberedStories();
      if (!isLatest()) return;
      const byFormerId = Map.groupBy(stories, ({ formerId }) => formerId);
      const toPlace = ({ projectId, storyId }: RenumberedStory) => ({ key: { accountId, projectId }, storyId });
      this.places.set(accountId, new Map([...byFormerId].map(([id, same]) => [id, same.map(toPlace)])));
      if (stories.length > 0) this.found.fire();
    } catch (thrown) {
      this.needs.log.debug(`former IDs: ${messageOf(thrown)}`);
      if (!failureMeans(kindOf(thrown), 'notOffered')) told.until = performance.now() + RETRY_MS;
    }
  }
}
