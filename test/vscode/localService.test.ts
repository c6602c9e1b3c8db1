import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { Log } from '../../src/core/log.ts';
import { signIn } from '../../src/features/account/commands.ts';
import { backUp } from '../../src/features/localService/commands.ts';
import { LocalService } from '../../src/features/localService/localService.ts';
import { Accounts } from '../../src/host/accounts/accounts.ts';
import { Engine } from '../../src/host/engine/engine.ts';
import { Messages } from '../../src/host/shell/messages.ts';
import { silentLog } from '../support/silentLog.ts';
import { MemorySecrets } from '../support/windows/memorySecrets.ts';

const extensionPath = vscode.extensions.getExtension('story-tracker.story-tracker')?.extensionPath ?? '';
const inDist = (name: string) => join(extensionPath, 'dist', name);

/** One window's worth of the extension, without its views. */
class Window {
  readonly lines: string[] = [];
  readonly service: LocalService;
  readonly engine: Engine;
  readonly accounts: Accounts;
  readonly messages: Messages;

  constructor(script = inDist('service.js')) {
    const write = (line: string | Error) => void this.lines.push(String(line));
    const log: Log = { debug: write, info: write, warn: write, error: write };
    this.service = new LocalService(script, log);
    this.engine = new Engine(inDist('worker.js'), log);
    this.accounts = new Accounts(new MemorySecrets(), this.engine, this.service);
    this.messages = new Messages(log, () => undefined);
  }

  /** The process ids of the services it started. */
  get processes(): readonly number[] {
    return this.lines.flatMap((line) => /started as process (\d+)/.exec(line)?.[1] ?? []).map(Number);
  }

  async projects(): Promise<readonly string[]> {
    return (await this.accounts.tracker('builtIn').listProjects()).map(({ name }) => name);
  }

  async close(): Promise<void> {
    this.accounts.dispose();
    await this.engine.dispose();
    await this.service.stop();
  }
}

/** Stands in for VS Code's progress, which a person cancels as soon as it goes on; `parts` are told in percent. */
const canceledOnceBegun =
  (parts: number[]): typeof vscode.window.withProgress =>
  (_options, task) => {
    const canceled = new vscode.CancellationTokenSource();
    const report = ({ increment = 0 }: { readonly increment?: number }) => {
      parts.push(increment);
      canceled.cancel();
    };
    return task({ report }, canceled.token);
  };

describe('The built-in service', () => {
  const settings = () => vscode.workspace.getConfiguration('storyTracker');
  const windows: Window[] = [];
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-built-in-'));
    await settings().update('builtIn.dataFolder', folder, vscode.ConfigurationTarget.Global);
  });
  afterEach(() => Promise.all(windows.splice(0).map((window) => window.close())));
  after(async () => {
    await settings().update('builtIn.dataFolder', undefined, vscode.ConfigurationTarget.Global);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  function open(script?: string): Window {
    const window = new Window(script);
    windows.push(window);
    return window;
  }

  it('is started once, by the first who needs it', async () => {
    const window = open();
    assert.deepEqual(window.processes, []);
    await Promise.all([window.service.access(), window.service.access(), signIn(window, { builtIn: true })]);
    assert.equal(window.processes.length, 1);
  });

  it('works again after it was killed', async () => {
    const window = open();
    await signIn(window, { builtIn: true });
    await window.accounts.tracker('builtIn').createProject({ name: 'Survivor' });
    process.kill(window.processes[0] ?? 0, 'SIGKILL');
    await window.projects().catch((error) => assert.equal(error.kind, 'unreachable', error.message));
    assert.deepEqual(await window.projects(), ['Survivor']);
    assert.equal(window.processes.length, 2);
  });

  it('shares its data folder among windows', async () => {
    const [one, other] = [open(), open()];
    await Promise.all([signIn(one, { builtIn: true }), signIn(other, { builtIn: true })]);
    assert.notEqual((await one.service.access()).baseUrl, (await other.service.access()).baseUrl);
    await one.accounts.tracker('builtIn').createProject({ name: 'Shared' });
    assert.deepEqual(await other.projects(), ['Survivor', 'Shared']);
  });

  it('says so in one sentence when it does not start', async () => {
    const window = open(join(folder, 'nothing.js'));
    await assert.rejects(signIn(window, { builtIn: true }), {
      kind: 'unreachable',
      message: /Could not start the built-in service/,
    });
    assert.ok(window.lines.some((line) => line.includes('nothing.js')));
    assert.deepEqual(await window.accounts.list(), []);
  });

  it('is backed up into a folder named by date, with all its data, while it serves', async () => {
    const window = open();
    await signIn(window, { builtIn: true });
    await window.accounts.tracker('builtIn').createProject({ name: 'Kept' });
    const parent = join(await mkdtemp(join(tmpdir(), 'story-tracker-backups-')), 'new');
    for (const name of [/story-tracker-\d{4}-\d\d-\d\d$/, /story-tracker-\d{4}-\d\d-\d\d-2$/]) {
      const backup = await vscode.commands.executeCommand<{ folder: string }>('storyTracker.backUp', {
        folder: parent,
      });
      assert.match(backup.folder, name);
      assert.deepEqual(await readdir(backup.folder), ['attachments', 'backup.json', 'story-tracker.db']);
    }
    const [first = ''] = await readdir(parent);
    await settings().update('builtIn.dataFolder', join(parent, first), vscode.ConfigurationTarget.Global);
    const projects = await window.projects();
    await settings().update('builtIn.dataFolder', folder, vscode.ConfigurationTarget.Global);
    assert.deepEqual(projects, await window.projects());
    assert.ok(projects.includes('Kept'));
    await Promise.all(windows.splice(0).map((each) => each.close()));
    await rm(dirname(parent), { recursive: true, force: true, maxRetries: 5 });
  });

  it('says what is in the way of a backup, and leaves nothing of one that is canceled', async () => {
    const run = (argument: unknown) => vscode.commands.executeCommand('storyTracker.backUp', argument);
    await assert.rejects(async () => run({ folder: 'here' }), /Pass the absolute path of a folder as \{ folder \}\./);
    await assert.rejects(async () => run({ folder }), /is inside the data folder and would be lost with it/);
    const parent = await mkdtemp(join(tmpdir(), 'story-tracker-backups-'));
    const attachments = join(folder, 'attachments');
    const names = Array.from({ length: 500 }, (_, index) => index.toString(16).padStart(32, '0'));
    await Promise.all(names.map((name) => writeFile(join(attachments, name), name)));
    const parts: number[] = [];
    const { withProgress } = vscode.window;
    Object.assign(vscode.window, { withProgress: canceledOnceBegun(parts) });
    const backup = backUp(
      { script: inDist('service.js'), log: silentLog, messages: open().messages },
      { folder: parent },
    );
    Object.assign(vscode.window, { withProgress });
    await assert.rejects(backup, { kind: 'cancelled' });
    assert.ok(parts.length > 0 && parts.every((part) => part >= 0 && part <= 100));
    assert.deepEqual(await readdir(parent), []);
    await settings().update('builtIn.dataFolder', join(parent, 'nothing'), vscode.ConfigurationTarget.Global);
    const nothing = run({ folder: join(parent, 'backups') });
    await assert.rejects(async () => nothing, /The built-in service has no data yet\./);
    await settings().update('builtIn.dataFolder', folder, vscode.ConfigurationTarget.Global);
    assert.deepEqual(await readdir(parent), []);
    await rm(parent, { recursive: true, force: true });
  });

  it('never writes a token into the log', async () => {
    const window = open();
    await signIn(window, { builtIn: true });
    const { baseUrl, token } = await window.service.access();
    const wrong = { baseUrl, token: 'canary-7f3a' };
    await assert.rejects(signIn(window, wrong), (error) => !String(error).includes('canary-7f3a'));
    await signIn(window, { baseUrl, token });
    await window.accounts.tracker(baseUrl).listProjects();
    await window.close();
    const log = window.lines.join('\n');
    assert.ok(log.includes('/services/v3/projects'), log);
    assert.ok(!log.includes('canary-7f3a') && !log.includes(token));
  });
});
