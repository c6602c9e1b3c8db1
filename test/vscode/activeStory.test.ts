import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { access, chmod, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import { isBranchName } from '../../src/core/activeStory/branchName.ts';
import { eventually } from '../support/eventually.ts';
import { gitRepository } from '../support/git/gitRepository.ts';
import { elementText, type RunningService, runningService } from '../support/servers/runningService.ts';
import { RecordedMessages } from '../support/windows/recordedMessages.ts';

interface Repository {
  readonly rootUri: vscode.Uri;
  readonly inputBox: { value: string };
  readonly state: { readonly HEAD: { readonly name?: string } | undefined };
}

interface GitApi {
  readonly repositories: readonly Repository[];
  openRepository(root: vscode.Uri): Promise<Repository | null>;
}

const run = (command: string, ...args: readonly unknown[]) =>
  vscode.commands.executeCommand(`storyTracker.${command}`, ...args);
/** A place in a setting that is filled in. */
const hole = (name: string) => `\${${name}}`;
const rejects = (work: Thenable<unknown>, sentence: RegExp) => assert.rejects(async () => work, sentence);

/** What is put into the status bar from now on, to be looked at; the extension makes its item when it is first needed. */
const statusItems: Shown[] = [];
const { createStatusBarItem } = vscode.window;
Object.assign(vscode.window, {
  createStatusBarItem: (id: string, alignment?: vscode.StatusBarAlignment, priority?: number) => {
    const item = createStatusBarItem(id, alignment, priority);
    const shown = { item, isVisible: false };
    const { show, hide } = item;
    Object.assign(item, {
      show: () => {
        shown.isVisible = true;
        show.call(item);
      },
      hide: () => {
        shown.isVisible = false;
        hide.call(item);
      },
    });
    statusItems.push(shown);
    return item;
  },
});

/** Which ticks are changed in a list of several. */
interface Ticks {
  readonly also?: RegExp;
  readonly without?: RegExp;
}

interface Shown {
  readonly item: vscode.StatusBarItem;
  isVisible: boolean;
}

describe('The active story', () => {
  const { showQuickPick } = vscode.window;
  let service: RunningService;
  let messages: RecordedMessages;
  let git: GitApi | undefined;
  let repository: Repository;
  let projectId: number;
  let original: string;
  let ids: readonly [number, number];

  before(async () => {
    const extension = vscode.extensions.getExtension('story-tracker.story-tracker');
    service = await runningService(join(extension?.extensionPath ?? '', 'dist/service.js'));
    await run('signIn', { baseUrl: service.url, token: service.token });
    projectId = Number(elementText(await service.ask('GET', '/projects'), 'id'));
    const gitExtension = vscode.extensions.getExtension<{ getAPI(version: 1): GitApi }>('vscode.git');
    git = (await gitExtension?.activate())?.getAPI(1);
    repository = await eventually(() => {
      const [first] = git?.repositories ?? [];
      assert.ok(first);
      return first;
    });
    original = await gitAt('branch', '--show-current');
  });

  after(async () => {
    await run('signOut', { baseUrl: service.url });
    await service.stop();
  });

  beforeEach(async () => {
    messages = new RecordedMessages();
    ids = [await newStory('Sort by rank'), await newStory('Log in $(bug) by e-mail')];
  });

  afterEach(async () => {
    messages.restore();
    Object.assign(vscode.window, { showQuickPick });
    await gitAt('checkout', '--quiet', original);
    await isCheckedOut(original);
    await run('setActiveStory', { storyId: ids[0], projectId });
    await run('stopStory', {});
    await shows(undefined);
    repository.inputBox.value = '';
    for (const branch of (await gitAt('branch', '--format=%(refname:short)')).split('\n')) {
      if (branch !== original) await gitAt('branch', '--quiet', '-D', branch);
    }
  });

  async function gitAt(...args: readonly string[]): Promise<string> {
    const { stdout } = await promisify(execFile)('git', [...args], { cwd: repository.rootUri.fsPath });
    return stdout.trim();
  }

  async function newStory(name: string, fields = '<estimate>2</estimate>'): Promise<number> {
    const more = `<current_state>unstarted</current_state><story_type>feature</story_type>${fields}`;
    const path = `/projects/${projectId}/stories`;
    const answer = await service.ask('POST', path, `<story><name>${name}</name>${more}</story>`);
    return Number(elementText(answer, 'id'));
  }

  const story = (id: number) => service.ask('GET', `/projects/${projectId}/stories/${id}`);
  /** As VS Code knows it, some moments after Git. */
  const isCheckedOut = (branch: string | undefined) =>
    eventually(() => assert.equal(repository.state.HEAD?.name, branch));
  const boundTo = (branch: string) =>
    gitAt('config', '--get-all', `branch.${branch}.storyTrackerStory`).catch(() => '');

  function shownText(): string | undefined {
    const found = statusItems.find(({ item }) => item.id.endsWith('storyTracker.activeStory'));
    return found?.isVisible ? found.item.text : undefined;
  }

  const shows = (id: number | undefined) =>
    eventually(() => assert.match(shownText() ?? 'none', id === undefined ? /^none$/ : new RegExp(`#${id}\\b`)));

  /** Picks the first item whose label matches; where several can be ticked, ticks those that match too, or all that are for `usual`. */
  function picking(...wanted: readonly (RegExp | Ticks)[]): readonly (readonly string[])[] {
    const rest = [...wanted];
    const offered: string[][] = [];
    const pick = async (told: Thenable<readonly vscode.QuickPickItem[]>, options?: vscode.QuickPickOptions) => {
      const items = await told;
      offered.push(items.map(({ label, picked }) => (options?.canPickMany && picked ? `☑ ${label}` : label)));
      const next = rest.shift();
      if (!(next instanceof RegExp)) {
        return items.filter(({ label, picked }) => (picked && !next?.without?.test(label)) || next?.also?.test(label));
      }
      return options?.canPickMany ? undefined : items.find(({ label }) => next.test(label));
    };
    Object.assign(vscode.window, { showQuickPick: pick });
    return offered;
  }

  it('is in the status bar and bound to the branch, and follows checkouts made in a terminal', async () => {
    await run('setActiveStory', { storyId: ids[0], projectId });
    await shows(ids[0]);
    await eventually(() => assert.match(shownText() ?? '', /Sort by rank/));
    assert.equal(await boundTo(original), String(ids[0]));
    await gitAt('checkout', '--quiet', '-b', 'elsewhere');
    await shows(undefined);
    await run('setActiveStory', { storyId: ids[1], projectId });
    await shows(ids[1]);
    await gitAt('checkout', '--quiet', original);
    await shows(ids[0]);
    await gitAt('checkout', '--quiet', 'elsewhere');
    await shows(ids[1]);
    assert.deepEqual(messages.shown, []);
  });

  it('is another one when it is set again, with one value left in the configuration', async () => {
    await run('setActiveStory', { storyId: ids[0], projectId });
    await run('setActiveStory', { storyId: ids[1], projectId });
    await shows(ids[1]);
    assert.equal(await boundTo(original), String(ids[1]));
    assert.ok(!shownText()?.slice(3).includes('$('), 'a name draws no icon');
  });

  describe('on a branch of another story', () => {
    const own = () => `bug/${ids[0]}-sort`;
    const isAsked = () => new RegExp(`^${own()} is the branch of story #${ids[0]}\\b.*\\.$`);
    /** As from a row, by a person. */
    const set = (storyId: number) => run('setActiveStory', { storyId, projectId, caller: 'person' });

    beforeEach(async () => {
      await gitAt('checkout', '--quiet', '-b', own());
      await isCheckedOut(own());
      await set(ids[0]);
      await shows(ids[0]);
      await set(ids[0]);
      assert.deepEqual(messages.shown, [], 'its own story is not asked about');
    });

    it('is set only when the person wants that', async () => {
      await set(ids[1]);
      assert.match(messages.texts.join('\n'), isAsked());
      assert.equal(await boundTo(own()), String(ids[0]));
      await shows(ids[0]);
      messages.press(`Use It for #${ids[1]}`);
      await set(ids[1]);
      assert.equal(await boundTo(own()), String(ids[1]));
      await shows(ids[1]);
    });

    it('is started on a branch of its own in its place', async () => {
      messages.press(`Start #${ids[1]} on Its Own Branch…`);
      picking({});
      await set(ids[1]);
      await isCheckedOut(`feature/${ids[1]}-log-in-bug-by-e-mail`);
      assert.equal(await boundTo(own()), String(ids[0]));
      await shows(ids[1]);
    });

    it('is started there only when the person wants that', async () => {
      await run('startStory', { storyId: ids[1], projectId, branch: '', caller: 'person' });
      assert.match(messages.texts.join('\n'), isAsked());
      assert.equal(await boundTo(own()), String(ids[0]));
      assert.equal(elementText(await story(ids[1]), 'current_state'), 'unstarted');
      await shows(ids[0]);
    });
  });

  it('stays the one that it is in another project, and is bound to it there', async () => {
    const answer = await service.ask('POST', '/projects', '<project><name>Kitchen</name></project>');
    const otherId = Number(elementText(answer, 'id'));
    await run('refresh');
    await run('setActiveStory', { storyId: ids[0], projectId });
    await shows(ids[0]);
    const boundIn = () => gitAt('config', '--get-all', `branch.${original}.storyTrackerStoryIn`);
    assert.match(await boundIn(), new RegExp(`^${ids[0]} ${projectId} \\S+$`));
    await run('moveToProject', { storyId: ids[0], projectId, targetProjectId: otherId });
    await eventually(async () => assert.match(await boundIn(), new RegExp(`^${ids[0]} ${otherId} \\S+$`)));
    await shows(ids[0]);
    await eventually(() => assert.match(shownText() ?? '', /Sort by rank/));
    await run('undoEdit', {});
    await eventually(async () => assert.match(await boundIn(), new RegExp(`^${ids[0]} ${projectId} \\S+$`)));
  });

  it('stays while no branch is checked out, as during a rebase', async () => {
    await run('setActiveStory', { storyId: ids[0], projectId });
    await gitAt('checkout', '--quiet', '--detach');
    await isCheckedOut(undefined);
    await shows(ids[0]);
    await gitAt('checkout', '--quiet', '-b', 'later');
    await shows(undefined);
  });

  it('may be one that a script bound, by its id alone', async () => {
    await gitAt('branch', 'scripted');
    await gitAt('config', 'branch.scripted.storyTrackerStory', String(ids[1]));
    await gitAt('checkout', '--quiet', 'scripted');
    await shows(ids[1]);
  });

  it('is none where a branch is bound to what is no story', async () => {
    await run('setActiveStory', { storyId: ids[0], projectId });
    await shows(ids[0]);
    await gitAt('branch', 'hostile');
    await gitAt('config', 'branch.hostile.storyTrackerStory', '$(bug) [x](command:y)');
    await gitAt('checkout', '--quiet', 'hostile');
    await isCheckedOut('hostile');
    await shows(undefined);
    assert.deepEqual(messages.shown, []);
  });

  it('is stopped without touching its state', async () => {
    await run('setActiveStory', { storyId: ids[0], projectId });
    await shows(ids[0]);
    await rejects(run('stopStory', { storyId: ids[1] }), /is not an active story/);
    await run('stopStory', { storyId: ids[0] });
    await shows(undefined);
    assert.equal(await boundTo(original), '');
    assert.equal(elementText(await story(ids[0]), 'current_state'), 'unstarted');
    await rejects(run('stopStory', {}), /No active story/);
  });

  it('is bound to the branch that was checked out a moment ago, before VS Code has noticed', async () => {
    await gitAt('checkout', '--quiet', '-b', 'just-now');
    await run('setActiveStory', { storyId: ids[0], projectId });
    assert.equal(await boundTo('just-now'), String(ids[0]));
    assert.equal(await boundTo(original), '');
    await shows(ids[0]);
  });

  it('is bound to another branch when that is named', async () => {
    await gitAt('branch', 'prepared');
    await run('setActiveStory', { storyId: ids[0], projectId, branch: 'prepared' });
    await shows(undefined);
    await gitAt('checkout', '--quiet', 'prepared');
    await shows(ids[0]);
  });

  it('is of its repository alone, also where another has a branch of the same name', async () => {
    const other = await gitRepository();
    try {
      await other.git('checkout', '--quiet', '-b', original);
      await other.commit('Begin');
      await git?.openRepository(vscode.Uri.file(other.root));
      const found = await eventually(() => {
        const opened = git?.repositories.find(({ rootUri }) => rootUri.path === other.root);
        assert.equal(opened?.state.HEAD?.name, original);
        return opened;
      });
      const box = async () => found.inputBox.value;
      await vscode.workspace
        .getConfiguration('storyTracker')
        .update('commit.insertActive', 'always', vscode.ConfigurationTarget.Global);
      await run('setActiveStory', { storyId: ids[0], projectId, repository: repository.rootUri.toString() });
      await eventually(() => assert.match(repository.inputBox.value, new RegExp(`#${ids[0]}\\b`)));
      assert.equal(await box(), '');
      await run('setActiveStory', { storyId: ids[1], projectId, repository: other.root });
      await eventually(async () => assert.equal(await box(), ` [fixes #${ids[1]}] `));
      assert.ok(!repository.inputBox.value.includes(`#${ids[1]}`));
      assert.equal(await boundTo(original), String(ids[0]));
      assert.equal((await other.git('config', `branch.${original}.storyTrackerStory`)).trim(), String(ids[1]));
      await run('stopStory', { storyId: ids[1] });
      await eventually(async () => assert.equal(await box(), ''));
      assert.match(repository.inputBox.value, new RegExp(`#${ids[0]}\\b`));
    } finally {
      await vscode.workspace
        .getConfiguration('storyTracker')
        .update('commit.insertActive', undefined, vscode.ConfigurationTarget.Global);
      const opened = git?.repositories.find(({ rootUri }) => rootUri.path === other.root);
      if (opened) await vscode.commands.executeCommand('git.close', opened);
      await eventually(() => assert.equal(git?.repositories.length, 1));
      await other.remove();
    }
  });

  it('is none where a branch names the story of a server that nobody is signed in to', async () => {
    await run('setActiveStory', { storyId: ids[0], projectId });
    await shows(ids[0]);
    await gitAt('branch', 'foreign');
    await gitAt('config', 'branch.foreign.storyTrackerStory', String(ids[1]));
    const there = encodeURIComponent('ada https://tracker.example.org');
    await gitAt('config', 'branch.foreign.storyTrackerStoryIn', `${ids[1]} ${projectId} ${there}`);
    await gitAt('checkout', '--quiet', 'foreign');
    await isCheckedOut('foreign');
    await shows(undefined);
    assert.deepEqual(messages.shown, []);
  });

  it("is none where Git's configuration holds what no story is called by, and can be set there all the same", async () => {
    await run('setActiveStory', { storyId: ids[0], projectId });
    await shows(ids[0]);
    await gitAt('branch', 'hostile');
    for (const value of [String(ids[1]), '9'.repeat(400), `${ids[1]}\n2`, '--evil'])
      await gitAt('config', '--add', '--', 'branch.hostile.storyTrackerStory', value);
    await gitAt('config', '--', 'branch.hostile.storyTrackerStoryIn', '--evil --global user.name');
    await gitAt('checkout', '--quiet', 'hostile');
    await isCheckedOut('hostile');
    await shows(undefined);
    assert.deepEqual(messages.shown, []);
    await run('setActiveStory', { storyId: ids[1], projectId });
    await shows(ids[1]);
    assert.equal(await gitAt('config', 'branch.hostile.storyTrackerStory'), String(ids[1]));
  });

  describe('Start Story', () => {
    it('starts the story, makes it one’s own, and checks out a branch after the template', async () => {
      await service.ask('PUT', `/projects/${projectId}/stories/${ids[1]}`, '<story><owned_by/></story>');
      await run('startStory', { storyId: ids[0], projectId });
      const branch = `feature/${ids[0]}-sort-by-rank`;
      assert.equal(await gitAt('branch', '--show-current'), branch);
      assert.equal(await boundTo(branch), String(ids[0]));
      await shows(ids[0]);
      const started = await story(ids[0]);
      assert.equal(elementText(started, 'current_state'), 'started');
      assert.ok(elementText(started, 'owned_by'));
      await gitAt('checkout', '--quiet', original);
      await shows(undefined);
    });

    it('takes the branch that is named, made when there is none, or the one that is checked out', async () => {
      await run('startStory', { storyId: ids[0], projectId, branch: 'mine/first' });
      assert.equal(await gitAt('branch', '--show-current'), 'mine/first');
      await run('startStory', { storyId: ids[1], projectId, branch: original });
      assert.equal(await gitAt('branch', '--show-current'), original);
      await shows(ids[1]);
      await run('startStory', { storyId: ids[0], projectId, branch: '' });
      assert.equal(await gitAt('branch', '--show-current'), original);
      await shows(ids[0]);
    });

    it('goes on with the branch that a colleague pushed, in place of one of its own of that name', async () => {
      const server = await gitRepository();
      const id = await newStory('Haul the net');
      const theirs = `feature/${id}-theirs`;
      try {
        await server.git('config', 'receive.denyCurrentBranch', 'ignore');
        await gitAt('remote', 'add', 'origin', server.root);
        await gitAt('checkout', '--quiet', '-b', theirs);
        await gitAt('commit', '--quiet', '--allow-empty', '-m', 'Theirs');
        const pushed = await gitAt('rev-parse', 'HEAD');
        await gitAt('push', '--quiet', 'origin', theirs);
        await gitAt('checkout', '--quiet', original);
        await gitAt('branch', '--quiet', '-D', theirs);
        await isCheckedOut(original);
        await run('refresh');
        const offered = picking(/Haul the net/, {});
        await run('startStory');
        assert.ok(offered[1]?.includes(`☑ $(git-branch) Switch to ${theirs}`), offered[1]?.join());
        assert.equal(await gitAt('branch', '--show-current'), theirs);
        assert.equal(await gitAt('rev-parse', 'HEAD'), pushed);
        assert.equal(await gitAt('rev-parse', '--abbrev-ref', '@{upstream}'), `origin/${theirs}`);
        assert.equal(await boundTo(theirs), String(id));
      } finally {
        await gitAt('config', '--local', '--replace-all', 'push.autoSetupRemote', 'false');
        await gitAt('remote', 'remove', 'origin');
        await server.remove();
      }
    });

    it('takes nothing for a branch that Git or a command would take for something else', async () => {
      const names = ['--orphan', '-d', 'a..b', '@{-1}', 'a@{1}', 'x y', 'a\nb', '\n', 'a\0b', 'x'.repeat(5000)];
      for (const branch of names)
        await rejects(run('startStory', { storyId: ids[0], projectId, branch }), /is not a valid branch name/);
      await rejects(run('startStory', { storyId: ids[0], projectId, branch: 12 }), /Pass branch as string/);
      assert.equal(elementText(await story(ids[0]), 'current_state'), 'unstarted');
    });

    it('runs nothing that a story, a template or a branch says', async () => {
      const left = join(repository.rootUri.fsPath, 'left');
      const id = await newStory('$(touch left) `touch left`; touch left | touch left &amp;&amp; touch left --help');
      await run('startStory', { storyId: id, projectId });
      const branch = `feature/${id}-touch-left-touch-left-touch-left-touch-left`;
      assert.equal((await gitAt('branch', '--show-current')).slice(0, branch.length), branch);
      await shows(id);
      const hostile = `x/${id}-$(touch\u2003left);\`touch\u2003left\`|"'&`;
      await gitAt('branch', '--', hostile);
      await run('startStory', { storyId: id, projectId, branch: hostile });
      assert.equal(await gitAt('branch', '--show-current'), hostile);
      assert.equal(await boundTo(hostile), String(id));
      await shows(id);
      const settings = vscode.workspace.getConfiguration('storyTracker', repository.rootUri);
      try {
        for (const template of [
          `--orphan=\n${hole('id')}`,
          `@{${hole('id')}`,
          `-${hole('slug')}`,
          '\0',
          `../../${hole('id')}`,
          'x'.repeat(9000),
        ]) {
          await settings.update('branchTemplate', template, vscode.ConfigurationTarget.Global);
          await run('startStory', { storyId: ids[0], projectId });
          const made = await gitAt('branch', '--show-current');
          assert.ok(isBranchName(made), made);
          assert.equal(await boundTo(made), String(ids[0]));
        }
      } finally {
        await settings.update('branchTemplate', undefined, vscode.ConfigurationTarget.Global);
      }
      await rejects(access(left), /ENOENT/);
    });

    describe('in a worktree', () => {
      const worktrees = () => `${repository.rootUri.fsPath}.worktrees`;
      const worktree = (branch: string) => join(worktrees(), branch.replaceAll('/', '-'));

      afterEach(async () => {
        await rm(worktrees(), { recursive: true, force: true });
        await rm(join(repository.rootUri.fsPath, '.git/hooks/post-checkout'), { force: true });
        await gitAt('worktree', 'prune');
      });

      it('is offered with its folder, and how to open it is asked before anything is made', async () => {
        const id = await newStory('Sail away');
        await run('refresh');
        const branch = `feature/${id}-sail-away`;
        const offered = picking(/Sail away/, { also: /Worktree/ }, /^$/);
        await run('startStory');
        assert.deepEqual(
          offered.slice(1).map((labels) => labels.filter((label) => !label.endsWith('Assign to Me'))),
          [
            [
              '☑ $(play) Set State to started',
              `☑ $(git-branch) Create Branch ${branch}`,
              '$(repo-forked) Use a Worktree',
              '$(list-selection) Choose Branch and Base…',
            ],
            [
              '$(multiple-windows) Open in New Window',
              '$(window) Open in This Window',
              '$(folder-library) Add to This Workspace',
              '$(circle-slash) Do Not Open',
            ],
          ],
        );
        await rejects(access(worktrees()), /ENOENT/);
        const again = picking(/Sail away/, {}, /Do Not Open/);
        await run('startStory');
        assert.ok(again[1]?.includes('☑ $(repo-forked) Use a Worktree'), 'ticks are remembered');
        assert.equal(await gitAt('branch', '--show-current'), original);
        assert.equal(await gitAt('-C', worktree(branch), 'branch', '--show-current'), branch);
        const bound = await gitAt('-C', worktree(branch), 'config', `branch.${branch}.storyTrackerStory`);
        assert.equal(bound, String(id));
        assert.equal(elementText(await story(id), 'current_state'), 'started');
        assert.equal(shownText(), undefined, 'here nothing changes');
        assert.deepEqual(messages.shown, []);
        picking(/Sail away/, { without: /Worktree/ }, /^$/);
        await run('startStory');
      });

      it('is the one that has the branch already, and an existing branch is checked out in it', async () => {
        await gitAt('branch', 'mine/first');
        await run('startStory', { storyId: ids[0], projectId, branch: 'mine/first', worktree: true });
        assert.equal(await gitAt('-C', worktree('mine/first'), 'branch', '--show-current'), 'mine/first');
        await run('startStory', { storyId: ids[1], projectId, branch: 'mine/first', worktree: true });
        assert.equal(await boundTo('mine/first'), String(ids[1]));
        assert.equal((await gitAt('worktree', 'list')).split('\n').length, 2);
      });

      it('has a story of its own, also in the file that git commit waits for there', async () => {
        await run('refresh');
        await run('setActiveStory', { storyId: ids[0], projectId });
        await run('startStory', { storyId: ids[1], projectId, branch: 'mine/own', worktree: true });
        const root = worktree('mine/own');
        await git?.openRepository(vscode.Uri.file(root));
        const isOpened = () => git?.repositories.find(({ rootUri }) => rootUri.path === root);
        try {
          const own = await eventually(() => {
            const opened = isOpened();
            assert.equal(opened?.state.HEAD?.name, 'mine/own');
            return opened;
          });
          const file = vscode.Uri.file(
            join(await gitAt('-C', root, 'rev-parse', '--absolute-git-dir'), 'COMMIT_EDITMSG'),
          );
          assert.match(file.path, /\/\.git\/worktrees\//);
          assert.equal(await offeredIn(file), `[fixes #${ids[1]}]`);
          await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(file));
          await run('insertMarker', { storyId: ids[1], projectId, repository: root });
          assert.equal(own.inputBox.value, '');
          assert.match(vscode.window.activeTextEditor?.document.getText() ?? '', new RegExp(`\\[fixes #${ids[1]}\\]`));
          await vscode.window.activeTextEditor?.document.save();
          await run('startStory', { storyId: ids[0], projectId, branch: 'mine/own', worktree: true });
          assert.equal(await offeredIn(file), `[fixes #${ids[0]}]`);
        } finally {
          await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
          const opened = isOpened();
          if (opened) await vscode.commands.executeCommand('git.close', opened);
          await eventually(() => assert.equal(git?.repositories.length, 1));
        }
      });

      /** The first story that is offered in a commit file. */
      async function offeredIn(file: vscode.Uri): Promise<string> {
        await writeFile(file.fsPath, 'Sort #\n');
        const document = await vscode.workspace.openTextDocument(file);
        // VS Code may not be told of a file that was written within `.git`.
        const edit = new vscode.WorkspaceEdit();
        edit.replace(file, new vscode.Range(0, 0, document.lineCount, 0), 'Sort #\n');
        await vscode.workspace.applyEdit(edit);
        assert.equal(document.getText(), 'Sort #\n');
        await vscode.languages.setTextDocumentLanguage(document, 'git-commit');
        const found = await vscode.commands.executeCommand<vscode.CompletionList>(
          'vscode.executeCompletionItemProvider',
          file,
          new vscode.Position(0, 6),
        );
        return String(found.items[0]?.insertText);
      }

      it('is not put into a folder that holds something, and nothing is changed', async () => {
        const folder = worktree('mine');
        await mkdir(folder, { recursive: true });
        await writeFile(join(folder, 'notes.txt'), 'mine');
        const request = { storyId: ids[0], projectId, branch: 'mine', worktree: true };
        await rejects(run('startStory', request), /mine is not empty\. Move that folder, or choose another one/);
        assert.equal(elementText(await story(ids[0]), 'current_state'), 'unstarted');
        assert.equal(await gitAt('branch', '--list', 'mine'), '');
        assert.deepEqual(await readdir(folder), ['notes.txt']);
        await rejects(run('startStory', { ...request, branch: '' }), /needs its own branch/);
      });

      it('that was made in part is told of with what to do', async () => {
        const hook = join(repository.rootUri.fsPath, '.git/hooks/post-checkout');
        await mkdir(dirname(hook), { recursive: true });
        await writeFile(hook, '#!/bin/sh\necho the hook refuses >&2\nexit 1\n');
        await chmod(hook, 0o755);
        const request = { storyId: ids[0], projectId, branch: 'mine', worktree: true };
        await rejects(
          run('startStory', request),
          /of mine is incomplete\. the hook refuses\. .*was left unchanged\. Open it.*The branch mine exists/,
        );
        assert.equal(elementText(await story(ids[0]), 'current_state'), 'unstarted');
        await rm(hook);
        await run('startStory', request);
        assert.equal(elementText(await story(ids[0]), 'current_state'), 'started');
      });

      it('is put where the setting says', async () => {
        const settings = vscode.workspace.getConfiguration('storyTracker', repository.rootUri);
        await settings.update(
          'worktreeFolder',
          `../${hole('repository')}.worktrees/deep`,
          vscode.ConfigurationTarget.Global,
        );
        try {
          await run('startStory', { storyId: ids[0], projectId, worktree: true });
        } finally {
          await settings.update('worktreeFolder', undefined, vscode.ConfigurationTarget.Global);
        }
        const branch = `feature/${ids[0]}-sort-by-rank`;
        const folder = join(worktrees(), 'deep', branch.replace('/', '-'));
        assert.equal(await gitAt('-C', folder, 'branch', '--show-current'), branch);
      });
    });

    it('offers a branch that names the story, a new one, another name and to stay', async () => {
      const id = await newStory('Draw the map');
      await run('refresh');
      await gitAt('branch', `old/${id}-map`);
      await gitAt('branch', 'unrelated');
      const offered = picking(/Draw the map/, { also: /Choose Branch/ }, /^\$\(git-branch\) old/);
      await run('startStory');
      const last = offered.at(-1)?.map((label) => label.replace(/^\$\(\S+\) /, ''));
      const fresh = `feature/${id}-draw-the-map`;
      assert.deepEqual(last, [`old/${id}-map`, fresh, 'New Branch with Another Name…', original]);
      assert.equal(await gitAt('branch', '--show-current'), `old/${id}-map`);
      await shows(id);
    });

    it('changes nothing when the person turns away, nor when Git cannot check the branch out', async () => {
      const id = await newStory('Paint it blue');
      await run('refresh');
      const offered = picking(/Paint it blue/, /^$/);
      await run('startStory');
      assert.equal(offered.length, 2);
      assert.equal(elementText(await story(id), 'current_state'), 'unstarted');
      await gitAt('branch', 'feature');
      await rejects(run('startStory', { storyId: ids[0], projectId }), /Could not check out/);
      assert.equal(elementText(await story(ids[0]), 'current_state'), 'unstarted');
      assert.equal(await gitAt('branch', '--show-current'), original);
    });

    it('asks for the estimate that the state needs', async () => {
      const id = await newStory('Not estimated', '');
      const offered = picking(/^2 points$/);
      await run('startStory', { storyId: id, projectId, branch: '' });
      assert.equal(offered.length, 1);
      assert.equal(elementText(await story(id), 'estimate'), '2');
      assert.equal(elementText(await story(id), 'current_state'), 'started');
    });
  });

  describe('Its marker', () => {
    const settings = () => vscode.workspace.getConfiguration('storyTracker', repository.rootUri);
    const wish = (value: string | undefined) =>
      settings().update('commit.insertActive', value, vscode.ConfigurationTarget.Global);
    const boxHas = (text: string) => eventually(() => assert.equal(repository.inputBox.value, text));

    async function commitBox(): Promise<vscode.TextDocument> {
      await vscode.commands.executeCommand('workbench.view.scm');
      return eventually(() => {
        const box = vscode.workspace.textDocuments.find(({ languageId }) => languageId === 'scminput');
        assert.ok(box);
        return box;
      });
    }

    async function completed(box: vscode.TextDocument, text: string): Promise<readonly string[]> {
      repository.inputBox.value = text;
      await eventually(() => assert.equal(box.getText(), text));
      const found = await vscode.commands.executeCommand<vscode.CompletionList>(
        'vscode.executeCompletionItemProvider',
        box.uri,
        new vscode.Position(0, text.length),
      );
      return found.items.map(({ insertText }) => String(insertText));
    }

    afterEach(() => wish(undefined));

    it('is offered first, unless it is never wished', async () => {
      await run('refresh');
      await run('setActiveStory', { storyId: ids[1], projectId });
      await shows(ids[1]);
      assert.equal(repository.inputBox.value, '');
      const box = await commitBox();
      assert.equal((await completed(box, 'Sort #'))[0], `[fixes #${ids[1]}]`);
      await wish('never');
      assert.notEqual((await completed(box, 'Sort #'))[0], `[fixes #${ids[1]}]`);
    });

    it('is offered first where a story is to be picked for a commit, then what one has begun oneself', async () => {
      const own = await newStory('Begun by me');
      await newStory('Begun by nobody');
      await run('startStory', { storyId: own, projectId, branch: '' });
      await run('setActiveStory', { storyId: ids[1], projectId });
      await run('refresh');
      const offered = picking(/Log in/);
      await run('insertMarker');
      await boxHas(` [fixes #${ids[1]}] `);
      assert.match(offered[0]?.[0] ?? '', /Log in/);
      const begun = offered[0]?.findIndex((label) => label.includes('Begun by me')) ?? -1;
      const others = offered[0]?.findIndex((label) => label.includes('Begun by nobody')) ?? -1;
      assert.ok(begun > 0 && begun < others, `${begun} before ${others}`);
      await wish('never');
      picking(/Begun by me/);
      await run('insertMarker');
      await boxHas(` [fixes #${ids[1]} #${own}] `);
    });

    it('is always there when that is wished: at once, after checkouts, and after commits', async () => {
      await wish('always');
      await run('setActiveStory', { storyId: ids[0], projectId });
      await boxHas(` [fixes #${ids[0]}] `);
      await gitAt('checkout', '--quiet', '-b', 'elsewhere');
      await boxHas('');
      await run('setActiveStory', { storyId: ids[1], projectId });
      await boxHas(` [fixes #${ids[1]}] `);
      await gitAt('checkout', '--quiet', original);
      await boxHas(` [fixes #${ids[0]}] `);
      repository.inputBox.value = '';
      await gitAt('checkout', '--quiet', 'elsewhere');
      await boxHas(` [fixes #${ids[1]}] `);
      repository.inputBox.value = '';
      await gitAt('commit', '--quiet', '--allow-empty', '-m', 'In a terminal');
      await boxHas(` [fixes #${ids[1]}] `);
    });

    it('loses no word that was written', async () => {
      // The first message after one that a program emptied gets its marker; what a person takes out stays out.
      const box = await commitBox();
      repository.inputBox.value = 'Left';
      await eventually(() => assert.equal(box.getText(), repository.inputBox.value));
      const cleared = new vscode.WorkspaceEdit();
      cleared.delete(box.uri, new vscode.Range(0, 0, 0, box.getText().length));
      await vscode.workspace.applyEdit(cleared);
      await boxHas('');
      await wish('always');
      repository.inputBox.value = 'Sort the list\n\nA body';
      await run('setActiveStory', { storyId: ids[0], projectId });
      await boxHas(`Sort the list [fixes #${ids[0]}]\n\nA body`);
      await run('stopStory', {});
      await shows(undefined);
      await boxHas(`Sort the list [fixes #${ids[0]}]\n\nA body`);
    });

    it('is put back when a generated message took its place, and stays out when a person takes it out', async () => {
      await wish('always');
      const box = await commitBox();
      await run('setActiveStory', { storyId: ids[0], projectId });
      await boxHas(` [fixes #${ids[0]}] `);
      await eventually(() => assert.equal(box.getText(), repository.inputBox.value));
      repository.inputBox.value = 'Generated words';
      await boxHas(`Generated words [fixes #${ids[0]}]`);
      await eventually(() => assert.equal(box.getText(), repository.inputBox.value));
      repository.inputBox.value = '';
      await eventually(() => assert.equal(box.getText(), ''));
      repository.inputBox.value = 'Generated words';
      await boxHas(`Generated words [fixes #${ids[0]}]`);
      await eventually(() => assert.equal(box.getText(), repository.inputBox.value));
      const edit = new vscode.WorkspaceEdit();
      const from = 'Generated words'.length;
      edit.delete(box.uri, new vscode.Range(0, from, 0, box.getText().length));
      await vscode.workspace.applyEdit(edit);
      await boxHas('Generated words');
      await gitAt('update-ref', 'refs/tags/passing', 'HEAD');
      await new Promise((resolve) => setTimeout(resolve, 500));
      await boxHas('Generated words');
    });
  });
});
