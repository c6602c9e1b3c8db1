import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createTracker } from '../../../src/client/tracker/httpTracker.ts';
import type { Note } from '../../../src/core/story/story.ts';
import { GitCommitFinder } from '../../../src/git/newCommits.ts';
import { StoredFoundCommits } from '../../../src/sync/commits/foundCommits.ts';
import { ReplicaFile } from '../../../src/sync/file/replicaFile.ts';
import { type GitRepositoryFolder, gitRepository } from '../../support/git/gitRepository.ts';
import type { Seeded } from '../../support/measures/seeded.ts';
import { silentLog } from '../../support/silentLog.ts';
import { bundledProgram } from './bundledProgram.ts';
import type { CommitJob } from './commitProcess.ts';
import { FaultyProxy, type FaultyProxyNeeds } from './faultyProxy.ts';
import { KilledWindow, type KillPlan } from './killedWindow.ts';
import { newBacklog, newProject } from './project.ts';
import { startTestService, type TestService } from './testService.ts';

const source = fileURLToPath(new URL('./commitProcess.ts', import.meta.url));
const POST = 'POST /services/v3/source_commits';
const LINES = ['ready', 'found', 'added', 'arrived', 'done', 'told'];

export interface CommitWorldNeeds {
  readonly chance: Seeded;
  /** See `CommitJob`. */
  readonly speed: number;
  readonly fault: FaultyProxyNeeds['fault'];
  readonly rewritten?: FaultyProxyNeeds['rewritten'];
  /** Whether the service forgets before each post which commits it has, as servers other than ours may. */
  readonly isForgetful: boolean;
  /** Whether some commits have the message of the one before, as when one is picked or amended. */
  readonly hasTwins?: boolean;
}

/** A repository in which someone commits, windows that are killed while they link its commits, and a server far away. */
export class CommitWorld {
  private readonly needs: CommitWorldNeeds;
  private readonly folder: string;
  private readonly service: TestService;
  private readonly repository: GitRepositoryFolder;
  private readonly windows = new Set<KilledWindow>();
  private proxy: FaultyProxy | undefined;
  private job: Omit<CommitJob, 'isLast'> | undefined;
  private program = source;
  private storyIds: readonly number[] = [];
  /** The stories that each commit names, by its hash. */
  private readonly made = new Map<string, readonly number[]>();
  private last: { readonly message: string; readonly named: readonly number[] } | undefined;
  /** So far. Commits keep to their pace, so that on a slow machine too the windows have time for them. */
  private kills = 0;
  private isOver = false;

  private constructor(needs: CommitWorldNeeds, folder: string, service: TestService, repository: GitRepositoryFolder) {
    this.needs = needs;
    this.folder = folder;
    this.service = service;
    this.repository = repository;
  }

  static async open(needs: CommitWorldNeeds): Promise<CommitWorld> {
    const folder = await mkdtemp(join(tmpdir(), 'story-tracker-commit-kills-'));
    const world = new CommitWorld(needs, folder, await startTestService(), await gitRepository());
    await world.begin();
    return world;
  }

  /** Commits while windows, two at a time, are killed so many times. */
  async run(kills: number): Promise<void> {
    const committing = this.commitUntilOver();
    await Promise.all([this.killTimes(Math.ceil(kills / 2)), this.killTimes(Math.floor(kills / 2))]);
    this.isOver = true;
    await committing;
  }

  /** From now on every request is answered. Resolves when two windows have sent all that is left. */
  async heal(): Promise<void> {
    this.proxy?.heal();
    const last = [0, 1].map(() => this.open({ isLast: true }));
    assert.deepEqual(await Promise.all(last.map((window) => window.ended())), [0, 0]);
  }

  /** Every commit is on each story that it names once; one that was amended away at most once. Tells how many there are. */
  async assertLinkedOnce(shows: (note: Note, hash: string) => boolean): Promise<number> {
    const left = new Set((await this.repository.git('rev-list', '--branches')).split('\n'));
    const notes = await this.notes();
    const wrong: string[] = [];
    for (const [hash, stories] of this.made) {
      for (const story of stories) {
        const times = (notes.get(story) ?? []).filter((note) => shows(note, hash)).length;
        if (times > 1 || (times === 0 && left.has(hash))) wrong.push(`${hash} is ${times} times on story ${story}`);
      }
    }
    assert.deepEqual(wrong, []);
    return this.made.size;
  }

  async close(): Promise<void> {
    await this.proxy?.stop();
    await this.service.stop();
    await this.repository.remove();
    await rm(this.folder, { recursive: true, force: true });
  }

  private async begin(): Promise<void> {
    const { service, needs } = this;
    this.program = await bundledProgram(source, this.folder);
    const ada = await service.user('Ada');
    const projects: Record<number, number> = {};
    for (const name of ['Apollo', 'Gemini']) {
      const projectId = await newProject(ada, name);
      for (const id of await newBacklog(ada, projectId, ['One', 'Two'])) projects[id] = projectId;
    }
    this.storyIds = Object.keys(projects).map(Number);
    const { fault, rewritten } = needs;
    const onStage = (stage: 'arrived' | 'done', request: string) => this.at(stage, request);
    const proxy = await FaultyProxy.start({ behind: service.url, fault, onStage, ...(rewritten && { rewritten }) });
    this.proxy = proxy;
    const path = join(this.folder, 'replica.sqlite');
    const { root } = this.repository;
    this.job = { path, url: proxy.url, token: ada.token, root, projects, speed: needs.speed };
    await this.repository.git('config', 'user.email', 'ada@example.org');
    const file = new ReplicaFile({ path, log: silentLog });
    const memory = new StoredFoundCommits({ file, now: Date.now, process: process.pid, isRunning: () => false });
    await new GitCommitFinder(memory).find(root, { emails: [] });
    file.close();
  }

  private async at(stage: string, request: string): Promise<void> {
    if (request !== POST) return;
    if (stage === 'arrived' && this.needs.isForgetful) {
      await this.service.running.database.write((tx) => tx.deleteFrom('sourceCommits').execute());
    }
    for (const window of this.windows) window.hear(stage);
  }

  private open({ isLast }: Pick<CommitJob, 'isLast'>): KilledWindow {
    return new KilledWindow(this.program, { ...this.job, isLast });
  }

  private async killTimes(kills: number): Promise<void> {
    for (let killed = 0; killed < kills; killed++) {
      const window = this.open({ isLast: false });
      this.windows.add(window);
      assert.equal(await window.killed(this.killPlan()), 'SIGKILL');
      this.windows.delete(window);
      this.kills++;
    }
  }

  private killPlan(): KillPlan {
    const { chance } = this.needs;
    const line = chance.of(LINES) ?? 'ready';
    return { line, delay: chance.below(3) * chance.below(60), atMost: 1500 };
  }

  private async commitUntilOver(): Promise<void> {
    const { chance } = this.needs;
    for (let count = 0; !this.isOver; count = this.made.size) {
      if (count < 10 + 1.5 * this.kills) await this.commit(count);
      await sleep(20 + chance.below(200));
    }
  }

  private async commit(count: number): Promise<void> {
    const { chance, repository } = { ...this.needs, repository: this.repository };
    const isTwin = this.needs.hasTwins === true && chance.chance(4);
    const { message, named } = (isTwin && this.last) || this.newMessage(count);
    this.last = { message, named };
    const isAmending = count > 0 && chance.chance(8);
    if (isAmending) await repository.git('commit', '--quiet', '--amend', '--allow-empty', '-m', message);
    else if (isTwin) await repository.git('commit', '--quiet', '--allow-empty', '-m', message);
    else await repository.commit(message);
    this.made.set((await repository.git('rev-parse', 'HEAD')).trim(), named);
    if (chance.chance(10)) await repository.git('checkout', '--quiet', '-b', `branch-${count}`);
  }

  private newMessage(count: number) {
    const { chance } = this.needs;
    const stories = [...new Set([chance.of(this.storyIds), chance.of(this.storyIds)])].flatMap((id) => id ?? []);
    const named = chance.chance(8) ? [] : stories;
    const marker = named.length > 0 ? ` [${named.map((id) => `#${id}`).join(' ')}]` : '';
    return { message: `Commit ${count} <b>&amp; 'so' on</b>${marker}\n\nWhy it was made.`, named };
  }

  private async notes(): Promise<ReadonlyMap<number, readonly Note[]>> {
    const { job, service } = this;
    const tracker = createTracker({ baseUrl: service.url, token: async () => job?.token ?? '', log: silentLog });
    const notes = new Map<number, readonly Note[]>();
    for (const [storyId, projectId] of Object.entries(job?.projects ?? {})) {
      notes.set(Number(storyId), await tracker.listNotes({ projectId, storyId: Number(storyId) }));
    }
    await tracker.close();
    return notes;
  }
}
