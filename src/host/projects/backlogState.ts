import type { Backlog } from '../../core/backlog/backlog.ts';
import type { ProjectKey } from '../../core/story/projectKey.ts';
import { Emitter } from '../shell/emitter.ts';
import type { BacklogMirror } from './backlogMirror.ts';
import { ProjectList } from './projectList.ts';
import type { UnsentChanges } from './unsentChanges.ts';

/** What is known of every project, what is under way on top of that, and who is told when either changes. Asks nobody. */
export class BacklogState {
  /** The backlogs as servers last said. */
  readonly mirror: BacklogMirror;
  readonly list = new ProjectList();
  /** The servers that keep a person waiting. */
  readonly slow = new SlowServers();
  /** What is under way on top of them. */
  unsent: UnsentChanges | undefined;
  private readonly changed = new Emitter<ProjectKey | undefined>();

  /** The project whose backlog changed; `undefined` when the list of projects did. */
  readonly onDidChange = this.changed.event;

  constructor(mirror: BacklogMirror) {
    this.mirror = mirror;
    this.slow.onDidChange(() => this.tellListChanged());
  }

  /** Whether there is something of the backlog to show. */
  isKnown(key: ProjectKey): boolean {
    return this.mirror.getSome(key) !== undefined;
  }

  /** The backlog with what is under way on it, once all of it has been read. */
  peek(key: ProjectKey): Backlog | undefined {
    return this.withUnsent(key, this.mirror.get(key));
  }

  /** As `peek`; while the backlog is read for the first time also what has come of it. */
  peekSome(key: ProjectKey): Backlog | undefined {
    return this.withUnsent(key, this.mirror.getSome(key));
  }

  tellChanged(key: ProjectKey): void {
    this.changed.fire(key);
  }

  tellListChanged(): void {
    this.changed.fire(undefined);
  }

  dispose(): void {
    this.slow.dispose();
    this.changed.dispose();
  }

  private withUnsent(key: ProjectKey, backlog: Backlog | undefined): Backlog | undefined {
    return backlog && this.unsent ? this.unsent.applied(key, backlog) : backlog;
  }
}

/** So long a server may take before a person is told that it is slow. */
const SLOW_MS = 10_000;

/** Which servers this window has been waiting for so long that a person should know. */
class SlowServers {
  /** How many slow reads there are, by account. */
  private readonly slow = new Map<string, number>();
  private readonly changed = new Emitter<void>();

  readonly onDidChange = this.changed.event;

  has(accountId: string): boolean {
    return this.slow.has(accountId);
  }

  /** Gives what the account's server answers, and counts the server as slow while that takes long. */
  async watched<T>(accountId: string, answer: Promise<T>): Promise<T> {
    let isSlow = false;
    const timer = setTimeout(() => {
      isSlow = true;
      this.count(accountId, 1);
    }, SLOW_MS);
    try {
      return await answer;
    } finally {
      clearTimeout(timer);
      if (isSlow) this.count(accountId, -1);
    }
  }

  dispose(): void {
    this.changed.dispose();
  }

  private count(accountId: string, more: 1 | -1): void {
    const before = this.slow.get(accountId) ?? 0;
    if (before + more > 0) this.slow.set(accountId, before + more);
    else this.slow.delete(accountId);
    if (before === 0 || before + more === 0) this.changed.fire();
  }
}
