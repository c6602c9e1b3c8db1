import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { eventually } from '../support/eventually.ts';
import { type ClonedRepository, clonedRepository } from '../support/git/clonedRepository.ts';
import { elementText, type RunningService, runningService } from '../support/servers/runningService.ts';
import { RecordedMessages } from '../support/windows/recordedMessages.ts';

interface Repository {
  readonly rootUri: vscode.Uri;
  readonly inputBox: { value: string };
  readonly state: { readonly HEAD: { readonly name?: string } | undefined };
  status(): Promise<void>;
}

interface GitApi {
  readonly repositories: readonly Repository[];
  openRepository(root: vscode.Uri): Promise<Repository | null>;
}

const run = (command: string, ...args: readonly unknown[]) =>
  vscode.commands.executeCommand(`storyTracker.${command}`, ...args);
const rejects = (work: Thenable<unknown>, sentence: RegExp) => assert.rejects(async () => work, sentence);

/** What is changed in a list of ticks. */
interface Ticks {
  readonly also?: RegExp;
  readonly without?: RegExp;
}

describe('A story in a cloned repository', () => {
  const { showQuickPick } = vscode.window;
  let service: RunningService;
  let messages: RecordedMessages;
  let git: GitApi;
  let clones: ClonedRepository;
  let projectId: number;
  let storyId: number;
  let branch: string;

  before(async () => {
    const extension = vscode.extensions.getExtension('story-tracker.story-tracker');
    service = await runningService(join(extension?.extensionPath ?? '', 'dist/service.js'));
    await run('signIn', { baseUrl: service.url, token: service.token });
    projectId = Number(elementText(await service.ask('GET', '/projects'), 'id'));
    const found = await vscode.extensions.getExtension<{ getAPI(version: 1): GitApi }>('vscode.git')?.activate();
    assert.ok(found);
    git = found.getAPI(1);
  });
  after(async () => {
    await run('signOut', { baseUrl: service.url });
    await service.stop();
  });

  beforeEach(async () => {
    messages = new RecordedMessages();
    clones = await clonedRepository();
    await git.openRepository(vscode.Uri.file(clones.mine.root));
    await eventually(() => assert.ok(repositoryOfMine()));
    storyId = await newStory();
    branch = `feature/${storyId}-sort-by-rank`;
    await run('refresh');
  });
  afterEach(async () => {
    messages.restore();
    Object.assign(vscode.window, { showQuickPick });
    const repository = repositoryOfMine();
    if (repository) await vscode.commands.executeCommand('git.close', repository);
    await eventually(() => assert.equal(repositoryOfMine(), undefined));
    await rm(`${clones.mine.root}.worktrees`, { recursive: true, force: true });
    await clones.remove();
  });

  const repositoryOfMine = () => git.repositories.find(({ rootUri }) => rootUri.path === clones.mine.root);

  async function newStory(): Promise<number> {
    const fields = '<current_state>unstarted</current_state><story_type>feature</story_type><estimate>2</estimate>';
    const path = `/projects/${projectId}/stories`;
    const answer = await service.ask('POST', path, `<story><name>Sort by rank</name>${fields}</story>`);
    return Number(elementText(answer, 'id'));
  }

  const start = (more: object = {}) => run('startStory', { storyId, projectId, repository: clones.mine.root, ...more });
  const startAsPerson = (more: object = {}) => start({ caller: 'person', ...more });
  const mine = async (...args: readonly string[]) => (await clones.mine.git(...args)).trim();
  const current = () => mine('branch', '--show-current');
  const state = async () =>
    elementText(await service.ask('GET', `/projects/${projectId}/stories/${storyId}`), 'current_state');
  const owner = async () =>
    elementText(await service.ask('GET', `/projects/${projectId}/stories/${storyId}`), 'owned_by');
  const read = (file = 'README.md') => readFile(join(clones.mine.root, file), 'utf8');
  const write = (text: string, file = 'README.md') => writeFile(join(clones.mine.root, file), text);

  async function theyPush(text: string, file = 'THEIRS.md'): Promise<string> {
    const hash = await clones.theirs.commit(text, file);
    await clones.theirs.git('push', '--quiet', 'origin', 'HEAD:main');
    return hash;
  }

  /** Answers lists one after the other: ticks as they are but for what is named, or the first item whose label matches. */
  function answering(...answers: readonly (RegExp | Ticks)[]): readonly (readonly string[])[] {
    const rest = [...answers];
    const offered: string[][] = [];
    const pick = async (told: Thenable<readonly vscode.QuickPickItem[]>) => {
      const items = await told;
      offered.push(
        items.map(({ label, picked, description, detail }) =>
          [`${picked ? '☑ ' : ''}${label}`, description, detail]
            .filter((text) => text && !text.startsWith('/'))
            .join(' '),
        ),
      );
      const next = rest.shift();
      if (next === undefined || next instanceof RegExp) return items.find(({ label }) => next?.test(label));
      return items.filter(({ label, picked }) => (picked && !next.without?.test(label)) || next.also?.test(label));
    };
    Object.assign(vscode.window, { showQuickPick: pick });
    return offered;
  }

  describe('Start Story', () => {
    it('offers to stash changes that cannot be carried along, and changes nothing where one stays', async () => {
      await theyPush('Theirs', 'README.md');
      await write('Mine');
      const before = await mine('status', '--porcelain');
      answering({}, /Carry Along/);
      await startAsPerson();
      assert.match(
        messages.texts.join('\n'),
        /^Your uncommitted changes? cannot be carried along to feature\/\d+-sort-by-rank\.$/,
      );
      assert.deepEqual(messages.shown[0]?.buttons, ['Stash and Switch']);
      assert.match(
        messages.shown[0]?.detail ?? '',
        /README\.md.*Nothing has been changed\. Stash them.*stay on main\./s,
      );
      assert.deepEqual([await current(), await read(), await state()], ['main', 'Mine', 'unstarted']);
      assert.deepEqual([await mine('status', '--porcelain'), await mine('branch', '--list', branch)], [before, '']);
      await rejects(
        start(),
        /README\.md.*Nothing has been changed\. Commit your changes, or pass the changes as "stash"\.$/s,
      );
      assert.deepEqual([await current(), await read(), await state()], ['main', 'Mine', 'unstarted']);
      messages.press('Stash and Switch');
      answering({}, /Carry Along/);
      await startAsPerson();
      assert.deepEqual([await current(), await read(), await state()], [branch, 'Theirs', 'started']);
      assert.match(await mine('stash', 'list'), new RegExp(`Before story #${storyId}`));
      await run('undoEdit', {});
      assert.deepEqual([await current(), await read(), await mine('stash', 'list')], ['main', 'Mine', '']);
    });

    it('begins at the remote’s branch as it is now, following none, and is undone by one undo', async () => {
      const theirs = await theyPush('Theirs');
      const before = await owner();
      await start();
      assert.equal(await current(), branch);
      assert.equal(await mine('rev-parse', 'HEAD'), theirs);
      await assert.rejects(clones.mine.git('rev-parse', '--abbrev-ref', '@{upstream}'));
      assert.equal(await state(), 'started');
      await run('undoEdit', {});
      assert.equal(await current(), 'main');
      assert.equal(await mine('branch', '--list', branch), '');
      assert.equal(await state(), 'unstarted');
      assert.equal(await owner(), before);
      await run('redoEdit', {});
      assert.equal(await current(), branch);
      assert.equal(await mine('rev-parse', 'HEAD'), theirs);
      assert.equal(await state(), 'started');
      assert.equal(await mine('config', `branch.${branch}.storyTrackerStory`), String(storyId));
    });

    it('offers each step as a tick, and remembers those that were taken away', async () => {
      const offered = answering({ without: /Upstream|Set State/ });
      await startAsPerson();
      assert.deepEqual(
        offered[0]?.filter((label) => !label.includes('Assign')),
        [
          '☑ $(play) Set State to started Now unstarted',
          `☑ $(git-branch) Create Branch ${branch} From origin/main`,
          '$(repo-forked) Use a Worktree In a separate folder. Nothing changes here.',
          '☑ $(cloud-upload) Set Upstream on First Push push.autoSetupRemote',
          '$(list-selection) Choose Branch and Base… Asks in the next step',
        ],
      );
      assert.equal(await state(), 'unstarted');
      assert.equal(await current(), branch);
      await run('undoEdit', {});
      assert.equal(await current(), 'main');
      const again = answering({ also: /Upstream|Set State/ });
      await startAsPerson();
      assert.ok(again[0]?.[0]?.startsWith('$(play)'), again[0]?.join());
      assert.equal(await mine('config', '--local', 'push.autoSetupRemote'), 'true');
      await run('undoEdit', {});
      await assert.rejects(clones.mine.git('config', '--local', 'push.autoSetupRemote'));
      assert.deepEqual(messages.shown, []);
    });

    it('asks what becomes of uncommitted work, and carries it along', async () => {
      const theirs = await theyPush('Theirs');
      await write('mine');
      await write('new', 'new.txt');
      const offered = answering({ without: /Upstream/ }, /Carry Along/);
      await startAsPerson();
      assert.deepEqual(offered[1], [
        `$(arrow-right) Carry Along to ${branch}`,
        '$(archive) Stash Puts them away, new files included',
        '$(repo-forked) Leave Here, and Use a Worktree In a separate folder. Nothing changes here.',
      ]);
      assert.equal(await mine('rev-parse', 'HEAD'), theirs);
      assert.deepEqual([await read(), await read('new.txt')], ['mine', 'new']);
      await run('undoEdit', {});
      assert.equal(await current(), 'main');
      assert.deepEqual([await read(), await read('new.txt')], ['mine', 'new']);
    });

    it('stashes uncommitted work, which undoing brings back', async () => {
      await write('mine');
      await write('new', 'new.txt');
      answering({ without: /Upstream/ }, /Stash/);
      await startAsPerson();
      assert.equal(await mine('status', '--porcelain'), '');
      assert.match(await mine('stash', 'list'), new RegExp(`On main: Before story #${storyId}$`));
      await run('undoEdit', {});
      assert.deepEqual([await read(), await read('new.txt')], ['mine', 'new']);
      assert.equal(await mine('stash', 'list'), '');
    });

    it('leaves a stash in the list on undo that does not fit what was changed since, and says so', async () => {
      await write('mine');
      await start({ changes: 'stash' });
      await write('other');
      await run('undoEdit', {});
      assert.equal(await current(), 'main');
      assert.equal(await read(), 'other');
      assert.match(await mine('stash', 'list'), /Before story/);
      assert.deepEqual(
        messages.shown.map(({ kind, text }) => [kind, text]),
        [['warning', `Your changes are in the stash "Before story #${storyId}". Apply it with "Git: Apply Stash…".`]],
      );
      assert.equal(await state(), 'unstarted');
    });

    it('leaves uncommitted work where it is, and goes into a worktree, which undoing removes', async () => {
      const theirs = await theyPush('Theirs');
      await write('mine');
      answering({ without: /Upstream/ }, /Leave Here/, /Do Not Open/);
      await startAsPerson();
      const folder = join(`${clones.mine.root}.worktrees`, branch.replace('/', '-'));
      assert.equal((await clones.mine.git('-C', folder, 'rev-parse', 'HEAD')).trim(), theirs);
      assert.equal(await current(), 'main');
      assert.equal(await read(), 'mine');
      assert.equal(await state(), 'started');
      await run('undoEdit', {});
      assert.equal((await mine('worktree', 'list')).split('\n').length, 1);
      assert.equal(await mine('branch', '--list', branch), '');
      assert.equal(await state(), 'unstarted');
      assert.equal(await read(), 'mine');
    });

    it('keeps the branch on undo that has commits of its own', async () => {
      await start();
      await clones.mine.commit('Mine', 'mine.txt');
      await run('undoEdit', {});
      assert.equal(await current(), 'main');
      assert.equal(await mine('log', '-1', '--format=%s', branch), 'Mine');
      assert.equal(await mine('config', '--get', `branch.${branch}.storyTrackerStory`).catch(() => ''), '');
      assert.equal(await state(), 'unstarted');
    });

    it('undoes nothing where that would overwrite uncommitted work, and can be undone later', async () => {
      await theyPush('Theirs', 'README.md');
      await start();
      await write('mine');
      await rejects(run('undoEdit', {}), /Could not check out main\. .*would be overwritten/);
      assert.equal(await current(), branch);
      assert.equal(await state(), 'started');
      assert.equal(await read(), 'mine');
      await clones.mine.git('checkout', '--quiet', '--', 'README.md');
      await run('undoEdit', {});
      assert.equal(await current(), 'main');
      assert.equal(await state(), 'unstarted');
    });

    it('asks nothing of programs, and takes the base and the wish for changes that they name', async () => {
      const offered = answering();
      await clones.mine.git('branch', 'release/1');
      const release = await mine('rev-parse', 'release/1');
      await clones.mine.commit('Later', 'later.txt');
      await write('mine');
      await start({ branch: 'mine/own', base: 'release/1', changes: 'stash' });
      assert.equal(await current(), 'mine/own');
      assert.equal(await mine('rev-parse', 'HEAD'), release);
      assert.match(await mine('stash', 'list'), /Before story/);
      assert.deepEqual(offered, []);
      await rejects(start({ branch: 'mine/x', base: 'nowhere' }), /no branch "nowhere"/);
      await rejects(start({ branch: 'mine/x', base: '--all' }), /not a valid branch name/);
      await rejects(start({ branch: 'mine/x', base: ['main'] }), /Pass base as string/);
      await rejects(start({ branch: {} }), /Pass branch as string/);
      await rejects(start({ branch: 'mine/x', changes: 'drop' }), /"carry" or "stash"/);
      assert.equal(await mine('branch', '--list', 'mine/x'), '');
    });

    it('begins at the base of the setting', async () => {
      await clones.theirs.git('checkout', '--quiet', '-b', 'develop');
      const develop = await clones.theirs.commit('Develop', 'develop.txt');
      await clones.theirs.git('push', '--quiet', 'origin', 'develop');
      const settings = vscode.workspace.getConfiguration('storyTracker');
      await settings.update('baseBranch', 'origin/develop', vscode.ConfigurationTarget.Global);
      try {
        await start();
        assert.equal(await mine('rev-parse', 'HEAD'), develop);
      } finally {
        await settings.update('baseBranch', undefined, vscode.ConfigurationTarget.Global);
      }
    });

    it('can begin at another branch and base, which are asked for', async () => {
      const theirs = await theyPush('Theirs');
      await clones.mine.git('checkout', '--quiet', '-b', 'local');
      const local = await clones.mine.commit('Local', 'local.txt');
      await eventually(() => assert.equal(repositoryOfMine()?.state.HEAD?.name, 'local'));
      const offered = answering({ also: /Choose Branch/, without: /Upstream/ }, /^\$\(add\)/, /local/);
      await startAsPerson();
      assert.deepEqual(offered[2], [
        '$(cloud) origin/main Fetched first',
        '$(target) local Checked out',
        '$(git-branch) main',
      ]);
      assert.notEqual(local, theirs);
      assert.equal(await mine('rev-parse', 'HEAD'), local);
    });

    it('goes on with what was fetched last where the remote is away: a person is asked', async () => {
      await clones.mine.git('remote', 'set-url', 'origin', join(clones.origin.root, 'gone'));
      answering({ without: /Upstream/ });
      await startAsPerson();
      assert.match(messages.shown[0]?.text ?? '', /^Could not fetch origin\/main\./);
      assert.equal(await current(), 'main');
      assert.equal(await state(), 'unstarted');
      messages.press('Use the Last Fetched State');
      answering({ without: /Upstream/ });
      await startAsPerson();
      assert.equal(await current(), branch);
      assert.equal(await state(), 'started');
    });

    it('stops at a hook that fails after the checkout, says so, and can be undone', async () => {
      const hook = join(clones.mine.root, '.git/hooks/post-checkout');
      await mkdir(dirname(hook), { recursive: true });
      await writeFile(hook, '#!/bin/sh\necho the hook refuses >&2\nexit 1\n');
      await chmod(hook, 0o755);
      await rejects(start(), /Checked out feature.* but a hook failed\. the hook refuses\./);
      assert.equal(await current(), branch);
      assert.equal(await state(), 'unstarted');
      await rm(hook);
      await run('undoEdit', {});
      assert.equal(await current(), 'main');
      assert.equal(await mine('branch', '--list', branch), '');
    });
  });

  describe('Finish Story', () => {
    const opened: string[] = [];
    const { openExternal } = vscode.env;

    before(() => {
      const noted = async (address: unknown) => opened.push(String(address)) > 0;
      Object.defineProperty(vscode.env, 'openExternal', { value: noted, configurable: true, writable: true });
    });
    after(() => {
      Object.defineProperty(vscode.env, 'openExternal', { value: openExternal, configurable: true, writable: true });
    });
    beforeEach(async () => {
      opened.length = 0;
      await start();
    });

    const finish = (more: object = {}) =>
      run('finishStory', { storyId, projectId, repository: clones.mine.root, ...more });
    const finishAsPerson = (more: object = {}) => finish({ caller: 'person', ...more });
    const pushed = async () =>
      (await clones.origin.git('for-each-ref', '--format=%(refname:short)')).trim().split('\n');
    const comments = () => service.ask('GET', `/projects/${projectId}/stories/${storyId}/notes`);

    async function preparedHook(name: string): Promise<string> {
      const hook = join(clones.mine.root, '.git/hooks', name);
      await mkdir(dirname(hook), { recursive: true });
      await writeFile(hook, '#!/bin/sh\necho the hook refuses >&2\nexit 1\n');
      await chmod(hook, 0o755);
      return hook;
    }

    it('finishes the story, links its commits, pushes with an upstream and goes back, and keeps what is not merged', async () => {
      const hash = await clones.mine.commit('Mine', 'mine.txt');
      await finish({ push: true, backToBase: true, deleteBranch: true });
      assert.equal(await state(), 'finished');
      assert.equal(await current(), 'main');
      assert.deepEqual(await pushed(), [branch, 'main']);
      assert.equal(await mine('rev-parse', branch), hash);
      assert.equal(await mine('rev-parse', '--abbrev-ref', `${branch}@{upstream}`), `origin/${branch}`);
      assert.ok((await comments()).includes(hash));
      assert.deepEqual(messages.shown, []);
      assert.deepEqual(opened, []);
      await run('undoEdit', {});
      assert.equal(await state(), 'started');
      assert.equal(await current(), branch);
      assert.deepEqual(await pushed(), [branch, 'main'], 'a push cannot be undone');
      await run('redoEdit', {});
      assert.equal(await state(), 'finished');
      assert.equal(await current(), 'main');
    });

    it('tells of all of it in one place, with each step', async () => {
      const { createStatusBarItem, setStatusBarMessage } = vscode.window;
      const items: vscode.StatusBarItem[] = [];
      const said: string[] = [];
      Object.assign(vscode.window, {
        createStatusBarItem: (...args: Parameters<typeof createStatusBarItem>) => {
          const item = createStatusBarItem(...args);
          items.push(item);
          return item;
        },
        setStatusBarMessage: (text: string) => {
          said.push(text);
          return setStatusBarMessage(text, 1);
        },
      });
      try {
        await clones.mine.commit('Mine', 'mine.txt');
        await finish({ push: true, backToBase: true, deleteBranch: true });
      } finally {
        Object.assign(vscode.window, { createStatusBarItem, setStatusBarMessage });
      }
      assert.deepEqual(said, []);
      assert.match(items.at(-1)?.text ?? '', /, so its branch stays\. \$\(discard\) Undo$/, 'nothing is cut off');
      const kept = 'Not merged into origin/main, so its branch stays.';
      assert.deepEqual(String(items.at(-1)?.tooltip).split('\n'), [
        `Story #${storyId} is finished. ${kept}`,
        `• Pushed ${branch} to origin.`,
        '• Switched to main.',
        `• Linked 1 commit to #${storyId}, finished.`,
        'Undo Last Edit',
      ]);
    });

    it('does to Git nothing but what a program names', async () => {
      await clones.mine.commit('Mine', 'mine.txt');
      const offered = answering();
      await finish();
      assert.equal(await state(), 'finished');
      assert.equal(await current(), branch);
      assert.deepEqual(await pushed(), ['main']);
      assert.deepEqual(offered, []);
      await rejects(finish({ push: 'yes' }), /Pass push as true or false/);
    });

    it('deletes the branch that a colleague merged on the remote, and undoing makes it anew', async () => {
      const hash = await clones.mine.commit('Mine', 'mine.txt');
      await mine('push', '--quiet', '--set-upstream', 'origin', branch);
      await clones.theirs.git('fetch', '--quiet');
      await clones.theirs.git('merge', '--quiet', '--no-ff', '-m', 'Merge', `origin/${branch}`);
      await clones.theirs.git('push', '--quiet', 'origin', 'HEAD:main');
      await finish({ backToBase: true, deleteBranch: true });
      assert.equal(await current(), 'main');
      assert.equal(await mine('branch', '--list', branch), '');
      await run('undoEdit', {});
      assert.equal(await current(), branch);
      assert.equal(await mine('rev-parse', 'HEAD'), hash);
      assert.equal(await mine('config', `branch.${branch}.storyTrackerStory`), String(storyId));
      assert.equal(await mine('rev-parse', '--abbrev-ref', '@{upstream}'), `origin/${branch}`);
      assert.equal(await state(), 'started');
    });

    it('offers each step as a tick, and remembers those that were taken away', async () => {
      await clones.mine.commit('Mine', 'mine.txt');
      const offered = answering({ without: /Push|Link|Delete/ });
      await finishAsPerson();
      assert.deepEqual(offered, [
        [
          `☑ $(cloud-upload) Push ${branch} To origin`,
          '☑ $(check) Set State to finished Now started',
          '☑ $(link) Link 1 Commit',
          '☑ $(git-branch) Switch Back to main',
          `☑ $(trash) Delete Branch ${branch} Only if it is merged into main`,
        ],
      ]);
      assert.equal(await state(), 'finished');
      assert.equal(await current(), 'main');
      assert.deepEqual(await pushed(), ['main']);
      assert.doesNotMatch(await comments(), /Mine/);
      await run('undoEdit', {});
      const again = answering({ also: /Push|Link|Delete/, without: /Set State|Back/ });
      await finishAsPerson();
      assert.deepEqual(
        again[0]?.map((label) => label.startsWith('☑')),
        [false, true, false, true, false],
      );
      assert.equal(await state(), 'started');
      assert.match(await comments(), /Mine/);
      assert.deepEqual(await pushed(), [branch, 'main']);
      answering({ also: /./ });
      await finishAsPerson();
    });

    describe('without a remote', () => {
      beforeEach(async () => {
        await run('undoEdit', {});
        await mine('remote', 'remove', 'origin');
        await start();
      });

      it('offers what is left on the branch of a finished story: commits, the way back and the merged branch', async () => {
        const hash = await clones.mine.commit('Mine', 'mine.txt');
        await finish({ link: false });
        assert.deepEqual([await state(), await current()], ['finished', branch]);
        await clones.mine.git('branch', '--force', 'main', hash);
        const offered = answering({ also: /./ });
        await finishAsPerson();
        // Ticks are remembered from the tests before.
        assert.deepEqual(
          offered.flat().map((label) => label.replace('☑ ', '')),
          ['$(git-branch) Switch Back to main', `$(trash) Delete Branch ${branch} Only if it is merged into main`],
        );
        assert.deepEqual([await current(), await mine('branch', '--list', branch)], ['main', '']);
      });

      it('links commits that main does not have, and keeps their branch', async () => {
        const hash = await clones.mine.commit('Mine', 'mine.txt');
        await finish({ link: false });
        const offered = answering({ also: /./ });
        await finishAsPerson();
        assert.match(offered.flat().join('\n'), /Link 1 Commit\n.*Switch Back to main\n.*Delete Branch/);
        assert.equal(await current(), 'main');
        assert.equal(await mine('rev-parse', branch), hash);
        assert.ok((await comments()).includes(hash));
      });

      it('begins the next branch at the base of the story’s, not at its commits', async () => {
        const base = await mine('rev-parse', 'main');
        await clones.mine.commit('Mine', 'mine.txt');
        await finish();
        const next = await newStory();
        await run('refresh');
        await run('startStory', { storyId: next, projectId, repository: clones.mine.root });
        assert.equal(await current(), `feature/${next}-sort-by-rank`);
        assert.equal(await mine('rev-parse', 'HEAD'), base);
      });

      it('says what is left where nothing tells of a base to go back to', async () => {
        const { setStatusBarMessage } = vscode.window;
        const said: string[] = [];
        const note = (text: string) => {
          said.push(text);
          return setStatusBarMessage(text, 1);
        };
        Object.assign(vscode.window, { setStatusBarMessage: note });
        try {
          await mine('branch', '--move', 'main', 'work');
          await mine('config', '--unset', `branch.${branch}.storyTrackerBase`);
          await finish();
          await finishAsPerson();
        } finally {
          Object.assign(vscode.window, { setStatusBarMessage });
        }
        assert.deepEqual(said, [
          `Story #${storyId} is already finished. ${branch} is still checked out. Set "storyTracker.baseBranch" to the branch to return to.`,
        ]);
      });
    });

    describe('after Commit & Finish', () => {
      const link = (value: string | undefined) =>
        vscode.workspace
          .getConfiguration('storyTracker')
          .update('commit.link', value, vscode.ConfigurationTarget.Global);
      before(() => link('off'));
      after(() => link(undefined));

      async function commitAndFinish(message: string): Promise<string> {
        await write('Mine', 'mine.txt');
        await mine('add', 'mine.txt');
        const repository = repositoryOfMine();
        assert.ok(repository);
        await repository.status();
        repository.inputBox.value = message;
        await run('commitAndFinish', { repository: clones.mine.root });
        return mine('rev-parse', branch);
      }

      it('takes the steps that are ticked, and no other', async () => {
        const offered = answering({ also: /Push/, without: /Set State|Back|Delete/ });
        await commitAndFinish('Sort by rank');
        assert.match(offered.flat().join('\n'), /Push .*\n☑ .*Set State to finished.*/);
        assert.deepEqual([await state(), await current()], ['started', branch]);
        assert.deepEqual(await pushed(), [branch, 'main']);
        answering({ also: /./ });
        await finishAsPerson();
        assert.deepEqual([await state(), await current()], ['finished', 'main']);
      });

      it('does not link a commit that names the story, which is linked as every other is', async () => {
        const offered = answering({ without: /Push|Back|Delete/ });
        const hash = await commitAndFinish(`Sort by rank [#${storyId}]`);
        assert.match(offered.flat().join('\n'), /☑ .*Set State to finished/);
        assert.doesNotMatch(offered.flat().join('\n'), /Link/);
        assert.equal(await state(), 'finished');
        assert.ok(!(await comments()).includes(hash));
        answering({ also: /./ });
        await finishAsPerson();
      });
    });

    it('opens the page for a pull request where the host is known', async () => {
      await clones.mine.commit('Mine', 'mine.txt');
      await mine('config', `url.${clones.origin.root}.pushInsteadOf`, 'https://github.com/team/app.git');
      await mine('config', `url.${clones.origin.root}.insteadOf`, 'git@elsewhere.example.org:x/y');
      await mine('remote', 'set-url', 'origin', 'https://github.com/team/app.git');
      answering({ also: /Push|Pull Request/, without: /Back|Delete/ });
      await finishAsPerson();
      assert.deepEqual(opened, [`https://github.com/team/app/compare/main...${branch}?expand=1`]);
      assert.deepEqual(await pushed(), [branch, 'main']);
    });

    it('stops at a push that a hook refuses, with everything as it was', async () => {
      await clones.mine.commit('Mine', 'mine.txt');
      await preparedHook('pre-push');
      await rejects(
        finish({ push: true, backToBase: true }),
        /Could not push feature\/.* to origin\. the hook refuses.* The story is not finished yet\. Fix this/,
      );
      assert.equal(await state(), 'started');
      assert.equal(await current(), branch);
      assert.deepEqual(await pushed(), ['main']);
      assert.doesNotMatch(await comments(), /Mine/);
    });

    it('stops where the way back would overwrite uncommitted work, and says that the branch was pushed', async () => {
      await clones.mine.commit('Mine', 'README.md');
      await write('not committed');
      await rejects(
        finish({ push: true, backToBase: true }),
        /^TrackerError: feature\/.* was pushed\. Could not check out main\. .*overwritten.*The story is not finished yet/,
      );
      assert.equal(await read(), 'not committed');
      assert.equal(await current(), branch);
      assert.equal(await state(), 'started');
      assert.deepEqual(await pushed(), [branch, 'main']);
    });

    it('asks what becomes of uncommitted work on the way back', async () => {
      await write('not committed');
      const offered = answering({ also: /Back/, without: /Push/ }, /Stash/);
      await finishAsPerson();
      assert.deepEqual(offered[1], [
        '$(arrow-right) Carry Along to main',
        '$(archive) Stash Puts them away, new files included',
        `$(check) Stay on ${branch}`,
      ]);
      assert.equal(await current(), 'main');
      assert.match(await mine('stash', 'list'), new RegExp(`After story #${storyId}$`));
      await run('undoEdit', {});
      assert.equal(await current(), branch);
      assert.equal(await read(), 'not committed');
      assert.equal(await mine('stash', 'list'), '');
    });

    it('does nothing in a repository where another branch is checked out', async () => {
      await mine('checkout', '--quiet', '-b', 'unrelated');
      await eventually(() => assert.equal(repositoryOfMine()?.state.HEAD?.name, 'unrelated'));
      await rejects(finish({ push: true }), /Check out the branch of story #\d+ first/);
      assert.equal(await state(), 'started');
      await finish();
      assert.equal(await state(), 'finished');
      assert.equal(await current(), 'unrelated');
    });

    it('ends work that was done on the base itself, and is undone', async () => {
      await run('undoEdit', {});
      await start({ branch: '' });
      assert.equal(await mine('config', 'branch.main.storyTrackerStory'), String(storyId));
      await finish({ backToBase: true, deleteBranch: true });
      assert.equal(await current(), 'main');
      assert.equal(await state(), 'finished');
      assert.equal(await mine('config', 'branch.main.storyTrackerStory').catch(() => ''), '');
      await run('undoEdit', {});
      assert.equal(await mine('config', 'branch.main.storyTrackerStory'), String(storyId));
      assert.equal(await state(), 'started');
    });
  });
});
