import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { appendFile, chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCommitHooks } from '../../../src/git/commitHooks.ts';
import { createHistory } from '../../../src/git/history.ts';
import { GitCommitFinder } from '../../../src/git/newCommits.ts';
import { GitPatches } from '../../../src/git/patches.ts';
import { type GitRepositoryFolder, gitRepository } from '../../support/git/gitRepository.ts';

const history = createHistory();
const hooks = createCommitHooks();
const patches = new GitPatches();

/** Configurations that make some Git command run `PROGRAM`, which leaves a file behind when it runs. */
const corpus: Readonly<Record<string, string>> = {
  'core.fsmonitor': '[core]\nfsmonitor = PROGRAM',
  'diff.external': '[diff]\nexternal = PROGRAM',
  'core.pager':
    '[core]\npager = PROGRAM\n[pager]\nlog = PROGRAM\nrev-list = PROGRAM\nconfig = PROGRAM\nremote = PROGRAM',
  'core.sshCommand': '[core]\nsshCommand = PROGRAM\n[remote "origin"]\nurl = ssh://host.invalid/a/b',
  'gpg.program': '[gpg]\nprogram = PROGRAM\n[log]\nshowSignature = true',
  alias: '[alias]\nrev-list = !PROGRAM\nrev-parse = !PROGRAM\nconfig = !PROGRAM\nremote = !PROGRAM\nlog = !PROGRAM',
  textconv: '[diff "all"]\ntextconv = PROGRAM\ncommand = PROGRAM\n[log]\ndiffMerges = on',
  'core.hooksPath': '[core]\nhooksPath = HOOKS',
  include: '[include]\npath = INCLUDED',
  includeIf: '[includeIf "gitdir:/"]\npath = INCLUDED\n[includeIf "onbranch:**"]\npath = INCLUDED',
  'gpg.ssh.program':
    '[gpg]\nformat = ssh\n[gpg "ssh"]\nprogram = PROGRAM\ndefaultKeyCommand = PROGRAM\n[log]\nshowSignature = true',
  filter:
    '[filter "all"]\nclean = PROGRAM\nsmudge = PROGRAM\nprocess = PROGRAM\nrequired = true\n[merge "all"]\ndriver = PROGRAM',
  submodule:
    '[submodule]\nrecurse = true\nactive = .\n[submodule "x"]\nupdate = !PROGRAM\nurl = ext::PROGRAM\n[status]\nsubmoduleSummary = true',
  'remotes that run': [
    '[remote "origin"]\nurl = ext::PROGRAM\nuploadpack = PROGRAM\nreceivepack = PROGRAM\n[remote "--upload-pack=PROGRAM"]\nurl = --upload-pack=PROGRAM',
    '[remote "-c"]\nurl = -oProxyCommand=PROGRAM\n[remote "vcs"]\nvcs = ext\nurl = PROGRAM\n[protocol]\nallow = always\n[protocol "ext"]\nallow = always',
  ].join('\n'),
  'url.insteadOf':
    '[url "ext::PROGRAM "]\ninsteadOf = https://\n[remote "origin"]\nurl = https://github.com/team/app\n[protocol "ext"]\nallow = always',
  'programs for all else': [
    '[core]\nalternateRefsCommand = PROGRAM\ngitProxy = PROGRAM\n[uploadpack]\npackObjectsHook = PROGRAM\n[interactive]\ndiffFilter = PROGRAM',
    '[trailer "x"]\ncommand = PROGRAM\ncmd = PROGRAM\n[web]\nbrowser = p\n[browser "p"]\ncmd = PROGRAM\n[diff]\ntool = p\n[difftool "p"]\ncmd = PROGRAM',
    '[gc]\nauto = 1\n[maintenance]\nauto = true\n[fetch]\nwriteCommitGraph = true\n[credential]\nhelper = !PROGRAM\n[column]\nui = always\n[color]\nui = always',
  ].join('\n'),
  'extensions.worktreeConfig': '[core]\nrepositoryFormatVersion = 1\n[extensions]\nworktreeConfig = true',
  editor: '[core]\neditor = PROGRAM\naskPass = PROGRAM\n[sequence]\neditor = PROGRAM\n[credential]\nhelper = !PROGRAM',
  'lazy fetch': [
    '[core]\nrepositoryFormatVersion = 1\nsshCommand = PROGRAM\n[extensions]\npartialClone = origin\n[protocol]\nallow = always',
    '[remote "origin"]\nurl = ext::PROGRAM\npromisor = true\nuploadpack = PROGRAM',
  ].join('\n'),
};

describe('a hostile repository', () => {
  let repository: GitRepositoryFolder;
  let aside: string;
  let left: string;
  let hash: string;

  beforeEach(async () => {
    repository = await gitRepository();
    aside = await mkdtemp(join(tmpdir(), 'story-tracker-hostile-'));
    left = join(aside, 'left');
    hash = await repository.commit('one [fixes #1]');
    await writeFile(join(repository.root, '.gitattributes'), '* diff=all filter=all merge=all\n');
  });
  afterEach(async () => {
    await repository.remove();
    await rm(aside, { recursive: true });
  });

  async function infect(configuration: string): Promise<void> {
    const program = join(aside, 'program');
    await executable(program, `#!/bin/sh\necho run >> ${left}\nexit 1\n`);
    for (const hook of ['post-index-change', 'reference-transaction', 'pre-commit']) {
      await executable(join(aside, hook), `#!/bin/sh\necho hook >> ${left}\nexit 1\n`);
    }
    const filled = configuration.replaceAll('PROGRAM', program).replaceAll('HOOKS', aside);
    await writeFile(
      join(aside, 'included'),
      `[core]\nfsmonitor = ${program}\npager = ${program}\n[alias]\nx = !${program}\n`,
    );
    await writeFile(
      join(repository.root, '.git/config.worktree'),
      `[core]\nfsmonitor = ${program}\npager = ${program}\n[diff]\nexternal = ${program}\n`,
    );
    await appendFile(
      join(repository.root, '.git/config'),
      `\n${filled.replaceAll('INCLUDED', join(aside, 'included'))}\n`,
    );
  }

  const executed = async () => (await readdir(aside)).includes('left');

  async function askEverything(): Promise<void> {
    const named = history.commitsNamed(repository.root, [hash, 'deadbeefdeadbeefdeadbeefdeadbeefdeadbeef', 'gone']);
    const finder = new GitCommitFinder({
      seen: async () => ({ firstAt: 0, tips: [] }),
      note: async (_repository, _tips, found) => found,
      settle: async () => undefined,
      repositories: async () => [],
      move: async () => undefined,
    });
    const all = [
      history.commits(repository.root, { limit: 50 }),
      named,
      history.commitUrl(repository.root, hash),
      finder.find(repository.root, { emails: ['ada@example.org'] }),
    ];
    await Promise.allSettled(all);
    await writeFile(join(repository.root, 'file.txt'), 'changed');
    for (const changes of ['unstaged', 'staged', 'all'] as const) {
      const made = await patches.patch(repository.root, changes).catch(() => undefined);
      if (made) await patches.discard(made.path);
    }
    await Promise.allSettled([hooks.place(repository.root)]);
    await Promise.allSettled([hooks.install(repository.root, 'fixes')]);
    await Promise.allSettled([hooks.remove(repository.root)]);
  }

  for (const [name, configuration] of Object.entries(corpus)) {
    it(`runs nothing through ${name}`, async () => {
      await infect(configuration);
      await askEverything();
      assert.equal(await executed(), false);
    });
  }

  it('still tells its history', async () => {
    await infect(
      Object.entries(corpus)
        .map(([name, text]) => (name === 'lazy fetch' ? '' : text))
        .join('\n'),
    );
    const commits = await history.commits(repository.root, { limit: 5 });
    assert.deepEqual(
      commits.map(({ message }) => message),
      ['one [fixes #1]'],
    );
    assert.equal(await executed(), false);
  });

  it('runs nothing through variables of the environment', async () => {
    await infect('');
    const program = join(aside, 'program');
    const hostile = { GIT_EXTERNAL_DIFF: program, GIT_PAGER: program, GIT_SSH_COMMAND: program, GIT_DIR: '/nowhere' };
    Object.assign(process.env, hostile);
    try {
      assert.equal((await history.commits(repository.root, { limit: 5 })).length, 1);
    } finally {
      for (const name of Object.keys(hostile)) delete process.env[name];
    }
    assert.equal(await executed(), false);
  });

  /** Ordinary Git commands in the same folder, to show that the corpus would do harm. */
  const careless: Readonly<Record<string, readonly string[]>> = {
    'core.fsmonitor': ['status'],
    'diff.external': ['diff'],
    'core.sshCommand': ['fetch', 'origin'],
    textconv: ['log', '-p'],
    include: ['status'],
    includeIf: ['status'],
    filter: ['add', '.'],
    'remotes that run': ['fetch', 'origin'],
    'url.insteadOf': ['fetch', 'origin'],
    'extensions.worktreeConfig': ['status'],
    'lazy fetch': ['cat-file', '-p', 'deadbeefdeadbeefdeadbeefdeadbeefdeadbeef'],
  };
  for (const [name, command] of Object.entries(careless)) {
    it(`would be harmed by ${name} when asked carelessly`, async () => {
      await infect(corpus[name] ?? '');
      await writeFile(join(repository.root, 'file.txt'), 'changed');
      await new Promise((resolve) => execFile('git', [...command], { cwd: repository.root, timeout: 10_000 }, resolve));
      assert.equal(await executed(), true);
    });
  }
});

async function executable(path: string, text: string): Promise<void> {
  await writeFile(path, text);
  await chmod(path, 0o755);
}
