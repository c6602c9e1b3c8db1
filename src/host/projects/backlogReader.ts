import type { Log } from '../../core/log.ts';
import { keyText, type ProjectKey } from '../../core/story/projectKey.ts';
import { Emitter } from '../shell/emitter.ts';
import { inBackground } from '../shell/turnBudget.ts';
import type { MirrorRefresh } from './backlogMirror.ts';
import type { BacklogState } from './backlogState.ts';

interface Needs {
  readonly state: BacklogState;
  readonly log: Log;
}

interface NextRead {
  options: MirrorRefresh;
  readonly done: Promise<void>;
}

/** Done iterations that are read at a time. */
const DONE_PAGE = 5;

/** Reads the backlogs of projects, each project's one after the other, and tells when they are to be shown otherwise. */
export class BacklogReader {
  private readonly needs: Needs;
  private readonly loading = new Map<string, Promise<void>>();
  /** Reads that begin when what is under way has ended. */
  private readonly next = new Map<string, NextRead>();
  private readonly answered = new Emitter<ProjectKey>();

  /** A server answered for a project that was asked for by itself. */
  readonly onDidAnswer = this.answered.event;

  constructor(needs: Needs) {
    this.needs = needs;
  }

  /** Has all of a backlog there: on first use what the replica has, the server's answer following, else that answer. */
  async fill(key: ProjectKey): Promise<void> {
    const { mirror } = this.needs.state;
    if (!mirror.get(key)) await this.paint(key);
    const underWay = mirror.get(key) ? undefined : this.loading.get(keyText(key));
    // Nothing is awaited without one, so that of several who come at the same time only the first asks.
    if (underWay) await underWay.catch(() => undefined);
    if (!mirror.get(key)) await this.read(key, {});
  }

  /** Something of the backlog is being read, or is to be. */
  isReading(key: ProjectKey): boolean {
    return this.loading.has(keyText(key));
  }

  /** Calls while a read is under way wait for a fresh answer, which all of them share: the next read begins after they asked. */
  read(key: ProjectKey, options: MirrorRefresh): Promise<void> {
    const text = keyText(key);
    if (!this.isReading(key)) return this.queued(key, () => this.load(key, options));
    const shared = this.next.get(text);
    if (shared) {
      shared.options = optionsForBoth(shared.options, options);
      return shared.done;
    }
    const done = this.queued(key, () => {
      this.next.delete(text);
      return this.load(key, mine.options);
    });
    const mine: NextRead = { options, done };
    this.next.set(text, mine);
    return done;
  }

  /** As `read`, after something was written to the project. */
  reload(key: ProjectKey): Promise<void> {
    return this.read(key, { isWritten: true });
  }

  /** Takes over a backlog that changed in the replica, where it is shown or was to be. */
  async follow(key: ProjectKey): Promise<void> {
    const { state } = this.needs;
    if (!state.isKnown(key) && !state.list.isUnread(key)) return;
    await this.queued(key, async () => {
      if (await state.mirror.follow(key)) state.tellChanged(key);
    });
  }

  async readMoreDone(key: ProjectKey): Promise<void> {
    const { state } = this.needs;
    await this.queued(key, () => state.slow.watched(key.accountId, state.mirror.readMoreDone(key, DONE_PAGE)));
    state.tellChanged(key);
  }

  dispose(): void {
    this.answered.dispose();
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
    const { state, log } = this.needs;
    const before = state.peekSome(key);
    try {
      const forgetAnswered = state.unsent?.beforeReading(key);
      const refreshing = state.mirror.refresh(key, options, () => state.tellChanged(key));
      await state.slow.watched(key.accountId, refreshing);
      forgetAnswered?.();
      const wasUnread = state.list.markRead(key);
      if (!options.isListed) this.answered.fire(key);
      if (wasUnread || state.peekSome(key) !== before) state.tellChanged(key);
    } catch (thrown) {
      log.warn(`project ${key.projectId}: ${String(thrown)}`);
      state.list.markUnread(key, thrown);
      state.tellChanged(key);
      throw thrown;
    }
  }

  private async paint(key: ProjectKey): Promise<void> {
    const { state, log } = this.needs;
    const before = state.peekSome(key);
    try {
      await state.mirror.paint(key, () => state.tellChanged(key));
      if (state.peekSome(key) !== before) state.tellChanged(key);
    } catch (thrown) {
      log.warn(`could not read the local copy: ${String(thrown)}`);
    }
    if (!state.mirror.get(key) || this.loading.has(keyText(key))) return;
    inBackground(log, this.read(key, {}));
  }
}

/** What satisfies whoever asked for either; the time that it may take is counted from when the later one asked. */
function optionsForBoth(earlier: MirrorRefresh, later: MirrorRefresh): MirrorRefresh {
  return {
    ...{ ...earlier, ...later },
    isListed: earlier.isListed === true && later.isListed === true,
    waitingSince: later.waitingSince ?? Date.now(),
  };
}
