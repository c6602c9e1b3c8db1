import type { Backlog } from '../../core/backlog/backlog.ts';
import type { Log } from '../../core/log.ts';
import { inBackground } from '../shell/turnBudget.ts';
import { keyText, type ProjectKey } from '../tree/nodes.ts';
import type { BacklogMirror, MirrorRefresh } from './backlogMirror.ts';
import type { LazyPendingChanges } from './lazyPendingChanges.ts';
import type { ProjectList } from './projectList.ts';

interface Needs {
  readonly mirror: BacklogMirror;
  readonly pending: LazyPendingChanges;
  readonly list: ProjectList;
  readonly log: Log;
  readonly changed: (key: ProjectKey) => void;
  /** A server answered for a project that was asked for by itself. */
  readonly onAnswer: (key: ProjectKey) => void;
}

const DONE_PAGE = 5;

/** Reads the backlogs of projects, each project's one after the other, and tells how they are to be shown. */
export class BacklogReader {
  private readonly needs: Needs;
  private readonly loading = new Map<string, Promise<void>>();

  constructor(needs: Needs) {
    this.needs = needs;
  }

  /** The backlog with what is under way on it, once all of it has been read. */
  peek(key: ProjectKey): Backlog | undefined {
    const known = this.needs.mirror.get(key);
    return known && this.needs.pending.applied(key, known);
  }

  /** As `peek`; while the backlog is read for the first time also what has come of it. */
  peekSome(key: ProjectKey): Backlog | undefined {
    const some = this.needs.mirror.getSome(key);
    return some && this.needs.pending.applied(key, some);
  }

  /** Has all of a backlog there: on first use what the replica has, the server's answer following, else that answer. */
  async fill(key: ProjectKey): Promise<void> {
    const { mirror } = this.needs;
    if (!mirror.get(key)) await this.paint(key);
    if (!mirror.get(key)) await this.loading.get(keyText(key))?.catch(() => undefined);
    if (!mirror.get(key)) await this.read(key, {});
  }

  /** A second call while one is under way waits for a fresh answer of its own. */
  read(key: ProjectKey, options: MirrorRefresh): Promise<void> {
    return this.queued(key, () => this.load(key, options));
  }

  /** Takes over a backlog that changed in the replica, where it is shown or was to be. */
  async follow(key: ProjectKey): Promise<void> {
    const { mirror, list, changed } = this.needs;
    if (!mirror.getSome(key) && !list.isUnread(key)) return;
    await this.queued(key, async () => {
      if (await mirror.follow(key)) changed(key);
    });
  }

  async readMoreDone(key: ProjectKey): Promise<void> {
    await this.queued(key, () => this.needs.mirror.readMoreDone(key, DONE_PAGE));
    this.needs.changed(key);
  }

  /** What the replica tells builds on what it told before, so a project's answers are taken in one after the other. */
  private async queued(key: ProjectKey, run: () => Promise<void>): Promise<void> {
    const text = keyText(key);
    const before = this.loading.get(text);
    const next = (before ?? Promise.resolve()).catch(() => undefined).then(run);
    this.loading.set(text, next);
    try {
      await next;
    } finally {
      if (this.loading.get(text) === next) this.loading.delete(text);
    }
  }

  /** Tells of a change only when something is shown otherwise than before. */
  private async load(key: ProjectKey, options: MirrorRefresh): Promise<void> {
    const { mirror, pending, list, log, changed, onAnswer } = this.needs;
    const before = this.peekSome(key);
    try {
      const forgetAnswered = pending.opened?.beforeReading(key);
      await mirror.refresh(key, options, () => changed(key));
      forgetAnswered?.();
      const wasUnread = list.markRead(key);
      if (!options.isListed) onAnswer(key);
      if (wasUnread || this.peekSome(key) !== before) changed(key);
    } catch (thrown) {
      log.warn(`project ${key.projectId}: ${String(thrown)}`);
      list.markUnread(key, thrown);
      changed(key);
      throw thrown;
    }
  }

  private async paint(key: ProjectKey): Promise<void> {
    const { mirror, log, changed } = this.needs;
    try {
      let isBegun = false;
      await mirror.paint(key, () => {
        isBegun = true;
        changed(key);
      });
      if (isBegun) changed(key);
    } catch (thrown) {
      log.warn(`the local copy cannot be read: ${String(thrown)}`);
    }
    if (!mirror.get(key) || this.loading.has(keyText(key))) return;
    inBackground(log, this.read(key, {}));
  }
}
