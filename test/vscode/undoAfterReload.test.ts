import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { storiesOf } from '../../src/core/backlog/backlog.ts';
import { moveStory } from '../../src/features/reorder/commands.ts';
import { moveMakers } from '../../src/features/reorder/moveStories.ts';
import { movingOf } from '../../src/features/reorder/register.ts';
import { duplicateStory } from '../../src/features/stories/create/createStories.ts';
import { keepHistory } from '../../src/features/undo/commands.ts';
import type { StoredHistory } from '../../src/features/undo/storedHistory.ts';
import { editLabels, workMakers } from '../../src/features/work/commands.ts';
import { deleteStory } from '../../src/features/work/deleteStories.ts';
import { editStory } from '../../src/features/work/editStory.ts';
import { moveToProject } from '../../src/features/work/moveToProject.ts';
import { addTask, deleteTask, editTask, moveTask, tickTask } from '../../src/features/work/taskCommands.ts';
import { Accounts } from '../../src/host/accounts/accounts.ts';
import { createBacklogs } from '../../src/host/app.ts';
import { Engine } from '../../src/host/engine/engine.ts';
import type { Backlogs } from '../../src/host/projects/backlogs.ts';
import { Messages } from '../../src/host/shell/messages.ts';
import { RestoredStories } from '../../src/host/story/restoredStories.ts';
import { StoryArgument } from '../../src/host/story/storyArgument.ts';
import { UndoHistory, type UndoWay } from '../../src/host/story/undoHistory.ts';
import { StoriesViewHolder } from '../../src/host/tree/storiesView.ts';
import { eventually } from '../support/eventually.ts';
import { FixtureServer } from '../support/servers/fixtureServer.ts';
import { elementText, type RunningService, runningService } from '../support/servers/runningService.ts';
import { silentLog } from '../support/silentLog.ts';
import { KeptDrafts } from '../support/windows/keptDrafts.ts';
import { MemorySecrets } from '../support/windows/memorySecrets.ts';
import { WorkspaceMemory } from '../support/windows/workspaceMemory.ts';

const extensionPath = vscode.extensions.getExtension('story-tracker.story-tracker')?.extensionPath ?? '';

/** What the status bar was told. */
let told: string[] = [];

/** A window until it is reloaded: what outlives it is the local copy and what its workspace remembers. */
class Window {
  readonly backlogs: Backlogs;
  readonly needs;
  private readonly engine: Engine;
  private readonly accounts: Accounts;
  private readonly kept: StoredHistory;
  private readonly written = new KeptDrafts();

  constructor(replicaPath: string, memory: WorkspaceMemory) {
    this.engine = new Engine(join(extensionPath, 'dist/worker.js'), silentLog, replicaPath);
    const access = () => Promise.reject(new Error('There is no built-in service here.'));
    this.accounts = new Accounts(new MemorySecrets(), this.engine, { access });
    this.backlogs = createBacklogs(this.accounts, silentLog);
    const storiesView = new StoriesViewHolder();
    storiesView.attach({ selection: () => [], reveal: async () => {} });
    const messages = new Messages(silentLog, () => undefined);
    Object.assign(messages, { status: (text: string) => told.push(text) });
    const needs = {
      accounts: this.accounts,
      backlogs: this.backlogs,
      log: silentLog,
      messages,
      openDrafts: async () => this.written.drafts,
      restoredStories: new RestoredStories(),
      storiesView,
      storyArgument: new StoryArgument(this.backlogs, storiesView),
      undoHistory: new UndoHistory((key) => this.backlogs.has(key)),
      workspaceMemory: {
        keys: () => memory.keys(),
        get: <T>(name: string, otherwise?: T) => (memory.get(name) ?? otherwise) as T,
        update: (name: string, value: unknown) => memory.update(name, value),
      },
    };
    const moving = movingOf(needs);
    this.needs = moving;
    this.kept = keepHistory(needs, { ...moveMakers(moving), ...workMakers(needs) });
    needs.undoHistory.attach({ ready: () => this.kept.ready(), changed: () => void this.kept.write() });
  }

  async signIn(baseUrl: string, token: string): Promise<void> {
    await this.accounts.add({ id: 'bakery', label: 'Bakery', kind: 'server', baseUrl }, token);
  }

  retrace(way: UndoWay): Promise<boolean> {
    return this.needs.undoHistory.retrace(way);
  }

  async close(): Promise<void> {
    await this.kept.write();
    this.backlogs.dispose();
    this.accounts.dispose();
    await this.engine.dispose();
    this.written.dispose();
  }
}

describe('The one undo after a reload', () => {
  let folder: string;
  let memory: WorkspaceMemory;
  let window: Window;
  let server: { readonly url: string; readonly token: string };

  async function open(): Promise<void> {
    window = new Window(join(folder, 'replica.sqlite'), memory);
    await window.signIn(server.url, server.token);
  }

  async function reload(): Promise<void> {
    await window.close();
    await open();
  }

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'undo-after-reload-'));
    memory = new WorkspaceMemory();
    told = [];
  });
  afterEach(async () => {
    await window.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  describe('with a service of ours', () => {
    let service: RunningService;
    let from: number;
    let to: number;

    before(async () => {
      service = await runningService(join(extensionPath, 'dist/service.js'));
      server = service;
      from = Number(elementText(await service.ask('GET', '/projects'), 'id'));
      to = Number(elementText(await service.ask('POST', '/projects', '<project><name>Oven</name></project>'), 'id'));
    });
    after(() => service.stop());

    /** All stories of both projects with their tasks, in priority order, by what people call them. */
    async function look(): Promise<readonly (readonly string[])[]> {
      const lists = [from, to].map((id) => service.ask('GET', `/projects/${id}/stories`));
      return (await Promise.all(lists)).map((xml) =>
        xml
          .split(/<story[ >]/)
          .slice(1)
          .map((text) => {
            const [fields = '', tasks = ''] = text.split(/<tasks[ >]/);
            const told = ['name', 'current_state', 'estimate', 'labels', 'description'].map((name) =>
              elementText(fields, name),
            );
            const done = tasks
              .split('<task>')
              .map((task) => [elementText(task, 'description'), elementText(task, 'complete')]);
            return JSON.stringify([told, done]);
          }),
      );
    }

    it('takes back everything that was done, step by step, and does it again, with a reload before each', async () => {
      await open();
      const { backlogs, needs } = window;
      const backlog = await backlogs.backlog({ accountId: 'bakery', projectId: from });
      const [first, second, third, fourth, fifth] = storiesOf(backlog).filter(
        // On the scale of a new project.
        ({ state, estimate = 0 }) => state === 'unstarted' && estimate <= 3,
      );
      const id = first?.id ?? 0;
      assert.ok(second && third && fourth && fifth);
      const task = async () =>
        (await backlogs.refreshStory({ accountId: 'bakery', projectId: from }, id)).tasks.at(-1)?.id;
      const steps: readonly (() => Promise<unknown>)[] = [
        () => editStory(needs, { storyId: id, name: 'Knead', description: 'Long and well', estimate: 1 }),
        () => moveStory(needs, 'after', { storyId: id, place: 'after', targetId: third.id }, undefined),
        () => editLabels(needs, { storyId: id, add: ['bread', 'dough'] }),
        () => addTask(needs, { storyId: id, description: 'Flour' }),
        () => addTask(needs, { storyId: id, description: 'Water' }),
        async () => tickTask(needs, [{ storyId: id, taskId: await task() }], true),
        async () => editTask(needs, { storyId: id, taskId: await task(), description: 'Warm water' }),
        async () => moveTask(needs, { storyId: id, taskId: await task(), position: 1 }),
        async () => deleteTask(needs, { storyId: id, taskId: await task() }),
        () => duplicateStory(needs, { storyId: second.id }),
        () => moveToProject(needs, { storyId: fourth.id, targetProjectId: to }),
        () => deleteStory(needs, { storyId: fifth.id, confirmed: true }),
        () => deleteStory(needs, { storyId: id, confirmed: true }),
      ];
      const looks = [await look()];
      for (const step of steps) {
        await step();
        looks.push(await look());
      }
      assert.equal(new Set(looks.map((one) => JSON.stringify(one))).size, looks.length, 'each step shows');
      for (const way of ['undo', 'redo'] as const) {
        const expected = way === 'undo' ? looks.toReversed() : looks;
        for (const [at, after] of expected.slice(1).entries()) {
          await reload();
          assert.equal(await window.retrace(way), true, `${way} ${at}`);
          assert.deepEqual(await look(), after, `${way} ${at}`);
        }
        await reload();
        assert.equal(await window.retrace(way), false, `nothing more to ${way}`);
      }
      assert.ok(
        told.some((text) => /^Reverted story #\d+: labels\.$/.test(text)) && told.some((text) => /back\.$/.test(text)),
        told.join('\n'),
      );
    }).timeout(150_000);

    it('leaves alone what someone else has changed since', async () => {
      await open();
      const key = { accountId: 'bakery', projectId: from };
      const [story] = storiesOf(await window.backlogs.backlog(key)).filter(({ state }) => state === 'unstarted');
      const id = story?.id ?? 0;
      await editStory(window.needs, { storyId: id, name: 'Mine' });
      await service.ask('PUT', `/projects/${from}/stories/${id}`, '<story><name>Theirs</name></story>');
      await reload();
      await assert.rejects(window.retrace('undo'), /Could not undo because story #\d+ has been changed since/);
      assert.match(await service.ask('GET', `/projects/${from}/stories/${id}`), /<name>Theirs</);
    });

    it('has nothing to undo for whoever signed out', async () => {
      await open();
      const [story] = storiesOf(await window.backlogs.backlog({ accountId: 'bakery', projectId: from }));
      await editStory(window.needs, { storyId: story?.id, description: 'Once' });
      await reload();
      await window.needs.accounts.remove('bakery');
      await window.needs.undoHistory.noteKnown();
      await eventually(() => assert.deepEqual(memory.keys(), []));
      await reload();
      assert.equal(await window.retrace('undo'), false);
    });
  });

  it('takes back what waits for a server that is away, which then never hears of it', async () => {
    const bakery = await FixtureServer.start();
    server = bakery;
    await open();
    await window.backlogs.all();
    const { order } = bakery;
    await bakery.stop();
    await editStory(window.needs, { storyId: 104, name: 'Bake it later' });
    await moveStory(window.needs, 'before', { storyId: 106, place: 'before', targetId: 104 }, undefined);
    await deleteStory(window.needs, { storyId: 107, confirmed: true });
    await reload();
    await window.backlogs.all();
    await eventually(() => assert.equal(window.backlogs.unsent.length, 3));
    for (const left of [2, 1]) {
      assert.equal(await window.retrace('undo'), true);
      await eventually(() => assert.equal(window.backlogs.unsent.length, left));
      await reload();
      await window.backlogs.all();
    }
    assert.equal(await window.retrace('undo'), true);
    const shown = storiesOf(await window.backlogs.backlog({ accountId: 'bakery', projectId: 7 }));
    assert.notEqual(shown.find(({ id }) => id === 104)?.name, 'Bake it later');
    assert.deepEqual(
      shown.map((story) => story.id).filter((id) => order.includes(id)),
      order,
    );
  });
});
