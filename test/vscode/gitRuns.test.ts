import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { NewCommitLinks } from '../../src/features/commits/newCommits.ts';
import { Accounts } from '../../src/host/accounts/accounts.ts';
import { createBacklogs } from '../../src/host/app.ts';
import { Engine } from '../../src/host/engine/engine.ts';
import { GitBridge, type GitRepository } from '../../src/host/git/gitBridge.ts';
import type { Backlogs } from '../../src/host/projects/backlogs.ts';
import { Messages } from '../../src/host/shell/messages.ts';
import { eventually } from '../support/eventually.ts';
import { type GitRepositoryFolder, gitRepository } from '../support/git/gitRepository.ts';
import { FixtureServer } from '../support/servers/fixtureServer.ts';
import { silentLog } from '../support/silentLog.ts';
import { MemorySecrets } from '../support/windows/memorySecrets.ts';

interface GitApi {
  readonly repositories: readonly { readonly rootUri: vscode.Uri }[];
  openRepository(root: vscode.Uri): Promise<unknown>;
}

const BRANCHES = 300;
/** So long nothing is to happen. */
const IDLE_MS = 5000;

/** Tells of one repository, and that something happened in it whenever it is said so. */
class OneRepository extends GitBridge {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly root: string;
  head = { name: 'main', commit: '0' };

  constructor(root: string) {
    super(async () => undefined);
    this.root = root;
  }

  override async follow(opened: (repository: GitRepository) => vscode.Disposable): Promise<vscode.Disposable> {
    const { changed, root } = this;
    const head = () => this.head;
    const state = {
      get HEAD() {
        return head();
      },
      onDidChange: changed.event,
    };
    const repository: Pick<GitRepository, 'rootUri' | 'state'> = { rootUri: vscode.Uri.file(root), state };
    // Nothing else of it is asked.
    return opened(repository as GitRepository);
  }

  happens(commit: string): void {
    this.head = { name: 'main', commit };
    this.changed.fire();
  }
}

describe('Git runs for new commits', () => {
  let folder: string;
  let log: string;
  let repository: GitRepositoryFolder;
  let server: FixtureServer;
  let engine: Engine;
  let accounts: Accounts;
  let backlogs: Backlogs;
  let links: NewCommitLinks | undefined;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-runs-'));
    log = join(folder, 'runs');
    await mkdir(join(folder, 'shims'));
    // Git of VS Code's own may be run meanwhile: ours is known by what its environment forbids.
    const script = `#!/bin/sh\n[ "$GIT_ALLOW_PROTOCOL" != none ] || echo "$*" >>'${log}'\nPATH='${process.env.PATH}' exec git "$@"\n`;
    await writeFile(join(folder, 'shims/git'), script, { mode: 0o755 });
    repository = await gitRepository();
    await repository.git('config', 'user.email', 'ada@example.org');
    const hash = await repository.commit('History [#101]');
    const refs = Array.from({ length: BRANCHES }, (_, index) => `${hash} refs/heads/topic/${index}\n`);
    await writeFile(join(repository.root, '.git/packed-refs'), refs.join(''));
    const extension = vscode.extensions.getExtension<{ getAPI(version: 1): GitApi }>('vscode.git');
    assert.ok(extension);
    const git = (await extension.activate()).getAPI(1);
    await git.openRepository(vscode.Uri.file(repository.root));
    await eventually(() => assert.ok(git.repositories.some(({ rootUri }) => rootUri.path === repository.root)));
    server = await FixtureServer.start();
  });
  after(async () => {
    await server.stop();
    await repository.remove();
    await rm(folder, { recursive: true, force: true });
  });

  beforeEach(async () => {
    await writeFile(log, '');
    const path = process.env.PATH;
    const product = vscode.extensions.getExtension('story-tracker.story-tracker');
    engine = new Engine(join(product?.extensionPath ?? '', 'dist/worker.js'), silentLog);
    try {
      // The worker takes the environment of the moment when it begins.
      process.env.PATH = `${join(folder, 'shims')}:${path}`;
      await engine.activeStories.get('nowhere');
    } finally {
      process.env.PATH = path;
    }
    accounts = new Accounts(new MemorySecrets(), engine, { access: () => Promise.reject(new Error('There is none.')) });
    backlogs = createBacklogs(accounts, silentLog);
    await accounts.add({ id: 'bakery', label: 'Bakery', kind: 'server', baseUrl: server.url }, server.token);
  });
  afterEach(async () => {
    links?.dispose();
    backlogs.dispose();
    accounts.dispose();
    await engine.dispose();
  });

  const runs = async () => (await readFile(log, 'utf8')).split('\n').length - 1;

  async function calm(): Promise<number> {
    for (let before = -1; ; await sleep(1000)) {
      const now = await runs();
      if (now > 0 && now === before) return now;
      before = now;
    }
  }

  function follow(git: GitBridge): void {
    const messages = new Messages(silentLog, () => undefined);
    links = new NewCommitLinks({ accounts, backlogs, engine, git, history: engine.history, log: silentLog, messages });
  }

  it('are none while nothing happens, also after commits', async () => {
    follow(new GitBridge((program) => engine.useGit(program)));
    const looked = await calm();
    await sleep(IDLE_MS);
    assert.equal(await runs(), looked);
    for (let count = 0; count < 10; count += 1) await repository.commit(`Change ${count}`);
    await eventually(async () => assert.ok((await runs()) > looked), 20_000);
    const after = await calm();
    await sleep(IDLE_MS);
    assert.equal(await runs(), after);
  });

  it('are bounded, however many events come', async () => {
    const git = new OneRepository(repository.root);
    follow(git);
    const looked = await calm();
    for (let count = 0; count < 50; count += 1) git.happens(String(count));
    await eventually(async () => assert.ok((await runs()) > looked), 20_000);
    assert.ok((await calm()) - looked <= 8, await readFile(log, 'utf8'));
    const before = await runs();
    for (let count = 0; count < 50; count += 1) git.happens('49');
    await sleep(1000);
    assert.equal(await runs(), before);
  });
});
