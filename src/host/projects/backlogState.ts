import type { Backlog } from '../../core/backlog/backlog.ts';
import type { ProjectKey } from '../../core/story/projectKey.ts';
import { Emitter } from '../shell/emitter.ts';
import type { BacklogMirror } from './backlogMirror.ts';
import { ProjectList } from './projectList.ts';
import { SlowServers } from './slowServers.ts';
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
