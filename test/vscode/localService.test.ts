import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Log } from '../../src/core/log.ts';
import { signIn } from '../../src/features/account/commands.ts';
import { LocalService } from '../../src/features/localService/localService.ts';
import { Accounts } from '../../src/host/accounts/accounts.ts';
import { Engine } from '../../src/host/engine/engine.ts';
import { Messages } from '../../src/host/shell/messages.ts';
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
