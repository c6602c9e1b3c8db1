import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { eventually } from '../support/eventually.ts';
import { type GitRepositoryFolder, gitRepository } from '../support/git/gitRepository.ts';
import { elementText, type RunningService, runningService } from '../support/servers/runningService.ts';
import { RecordedMessages } from '../support/windows/recordedMessages.ts';

interface Repository {
  readonly rootUri: vscode.Uri;
  readonly inputBox: { value: string };
}

interface GitApi {
  readonly repositories: readonly Repository[];
  openRepository(root: vscode.Uri): Promise<Repository | null>;
}

const run = (command: string, ...args: readonly unknown[]) =>
  vscode.commands.executeCommand(`storyTracker.${command}`, ...args);
const rejects = (work: Thenable<unknown>, sentence: RegExp) => assert.rejects(async () => work, sentence);

describe('Commits and stories', () => {
  let service: RunningService;
  let messages: RecordedMessages;
  let second: GitRepositoryFolder;
  let repositories: readonly [Repository, Repository];
  let git: GitApi;
  let projectId: number;
  let stories: readonly [number, number];

  before(async () => {
    // What is committed here is linked by hand.
    const settings = vscode.workspace.getConfiguration('storyTracker');
    await settings.update('commit.link', 'off', vscode.ConfigurationTarget.Global);
    // Tests empty the box, as programs do, and markers that these take away are put back.
    await settings.update('commit.keepMarker', false, vscode.ConfigurationTarget.Global);
    const extension = vscode.extensions.getExtension('story-tracker.story-tracker');
    service = await runningService(join(extension?.extensionPath ?? '', 'dist/service.js'));
    await run('signIn', { baseUrl: service.url, token: service.token });
    projectId = Number(elementText(await service.ask('GET', '/projects'), 'id'));
    const gitExtension = vscode.extensions.getExtension<{ getAPI(version: 1): GitApi }>('vscode.git');
    assert.ok(gitExtension);
    git = (await gitExtension.activate()).getAPI(1);
    second = await gitRepository();
    await second.commit('Begin [#1]');
    await eventually(() => assert.equal(git.repositories.length, 1));
    await git.openRepository(vscode.Uri.file(second.root));
    const other = await eventually(() => repositoryAt(second.root));
    const first = git.repositories.find((one) => one !== other);
    assert.ok(first);
    repositories = [first, other];
    await vscode.commands.executeCommand('workbench.view.scm');
  });

  after(async () => {
    const settings = vscode.workspace.getConfiguration('storyTracker');
    await settings.update('commit.link', undefined, vscode.ConfigurationTarget.Global);
    await settings.update('commit.keepMarker', undefined, vscode.ConfigurationTarget.Global);
    await run('signOut', { baseUrl: service.url });
    await service.stop();
    await second.remove();
  });

  beforeEach(async () => {
    messages = new RecordedMessages();
    stories = [await newStory('Sort by rank'), await newStory('Log in by e-mail')];
    for (const { inputBox } of repositories) inputBox.value = '';
  });
  afterEach(() => messages.restore());

  function repositoryAt(root: string): Repository {
    const found = git.repositories.find(({ rootUri }) => rootUri.path === root);
    assert.ok(found);
    return found;
  }

  /** The Git extension may just be opening one, which then comes after the others were closed. */
  const closeRepositories = () =>
    eventually(async () => {
      for (const repository of [...git.repositories]) await vscode.commands.executeCommand('git.close', repository);
      await sleep(500);
      assert.equal(git.repositories.length, 0);
    });

  async function newStory(name: string): Promise<number> {
    const fields = '<current_state>unstarted</current_state><estimate>2</estimate><story_type>feature</story_type>';
    const answer = await service.ask(
      'POST',
      `/projects/${projectId}/stories`,
      `<story><name>${name}</name>${fields}</story>`,
    );
    return Number(elementText(answer, 'id'));
  }

  /** The file that `git commit` has an editor open. */
  async function commitFile(text: string): Promise<vscode.TextDocument> {
    const file = vscode.Uri.file(join(second.root, '.git/COMMIT_EDITMSG'));
    await writeFile(file.fsPath, text);
    const document = await vscode.workspace.openTextDocument(file);
    await eventually(() => assert.equal(document.getText(), text));
    return vscode.languages.setTextDocumentLanguage(document, 'git-commit');
  }

  const story = (id: number) => service.ask('GET', `/projects/${projectId}/stories/${id}`);
  const commentsOf = async (id: number) => (await story(id)).split('<note>').length - 1;

  describe('Insert Marker', () => {
    it('names a story in the second of two repositories and leaves every other word where it is', async () => {
      const [first, other] = repositories;
      first.inputBox.value = 'Theirs';
      other.inputBox.value = 'Sort the list\n\nA body\n\n# a template line\n\nSigned-off-by: Ada <ada@example.org>';
      await run('insertMarker', { storyId: stories[0], repository: other.rootUri.toString() });
      const expected = `Sort the list [fixes #${stories[0]}]\n\nA body\n\n# a template line\n\nSigned-off-by: Ada <ada@example.org>`;
      await eventually(() => assert.equal(other.inputBox.value, expected));
      assert.equal(first.inputBox.value, 'Theirs');
      assert.deepEqual(messages.shown, []);
    });

    it('takes a line that begins with # for words in the commit box, where Git keeps it', async () => {
      const [, other] = repositories;
      other.inputBox.value = '# Sort\n\n# by rank';
      await run('insertMarker', { storyId: stories[0], repository: second.root });
      const expected = `# Sort [fixes #${stories[0]}]\n\n# by rank`;
      await eventually(() => assert.equal(other.inputBox.value, expected));
      await run('removeMarker', { repository: second.root });
      await eventually(() => assert.equal(other.inputBox.value, '# Sort\n\n# by rank'));
    });

    it('takes the root as a path as well', async () => {
      await run('insertMarker', { storyId: stories[0], repository: second.root });
      await eventually(() => assert.match(repositories[1].inputBox.value, /\[fixes #\d+\]/));
    });

    it('names a story once, however often it is asked', async () => {
      const [, { inputBox }] = repositories;
      inputBox.value = 'Sort';
      const request = { storyId: stories[0], repository: second.root };
      await Promise.all([run('insertMarker', request), run('insertMarker', request)]);
      await run('insertMarker', request);
      await eventually(() => assert.equal(inputBox.value, `Sort [fixes #${stories[0]}]`));
    });

    it('puts several stories into one bracket, with the verb that is asked for', async () => {
      const [, { inputBox }] = repositories;
      inputBox.value = 'Sort';
      await run('insertMarker', { storyIds: stories, verb: 'delivers', repository: second.root });
      await eventually(() => assert.equal(inputBox.value, `Sort [delivers #${stories[0]} #${stories[1]}]`));
      await run('insertMarker', { storyIds: stories, verb: '', repository: second.root });
      await eventually(() => assert.equal(inputBox.value, `Sort [#${stories[0]} #${stories[1]}]`));
    });

    it('uses the verb of the settings', async () => {
      const settings = vscode.workspace.getConfiguration('storyTracker');
      await settings.update('commit.verb', 'finishes', vscode.ConfigurationTarget.Global);
      try {
        await run('insertMarker', { storyId: stories[0], repository: second.root });
        await eventually(() => assert.match(repositories[1].inputBox.value, /\[finishes #\d+\]/));
      } finally {
        await settings.update('commit.verb', undefined, vscode.ConfigurationTarget.Global);
      }
    });

    it('goes into the commit file that git waits for when that is the active editor', async () => {
      const document = await commitFile('Sort\n\n# Please enter the commit message\n');
      await vscode.window.showTextDocument(document);
      await run('insertMarker', { storyId: stories[0], repository: second.root });
      assert.equal(document.getText(), `Sort [fixes #${stories[0]}]\n\n# Please enter the commit message\n`);
      await run('removeMarker');
      assert.equal(document.getText(), 'Sort\n\n# Please enter the commit message\n');
      await document.save();
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
      assert.equal(repositories[1].inputBox.value, '');
    });

    it('leaves the cursor before it where the subject is still to be typed into a commit file', async () => {
      const document = await commitFile('\n; Please enter the commit message.\n;\n; On branch main\n');
      const editor = await vscode.window.showTextDocument(document);
      editor.selection = new vscode.Selection(0, 0, 0, 0);
      await run('insertMarker', { storyId: stories[0] });
      assert.equal(document.lineAt(0).text, ` [fixes #${stories[0]}]`);
      // VS Code tells the place after the edit before the one that was chosen.
      await eventually(() =>
        assert.deepEqual([editor.selection.active.line, editor.selection.active.character], [0, 0]),
      );
      await document.save();
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    });

    it('goes where the settings say', async () => {
      const [, { inputBox }] = repositories;
      const settings = vscode.workspace.getConfiguration('storyTracker');
      const request = { storyId: stories[0], repository: second.root };
      const long = 'Sort all the lists of stories by their rank and name';
      try {
        await settings.update('commit.markerPlace', 'fitting', vscode.ConfigurationTarget.Global);
        inputBox.value = long;
        await run('insertMarker', request);
        await eventually(() => assert.equal(inputBox.value, `${long}\n\n[fixes #${stories[0]}]`));
        inputBox.value = 'Sort';
        await run('insertMarker', request);
        await eventually(() => assert.equal(inputBox.value, `Sort [fixes #${stories[0]}]`));
        await settings.update('commit.markerPlace', 'body', vscode.ConfigurationTarget.Global);
        inputBox.value = 'Sort\n\nReviewed-by: Bob <b@c.d>';
        await run('insertMarker', request);
        const expected = `Sort\n\n[fixes #${stories[0]}]\n\nReviewed-by: Bob <b@c.d>`;
        await eventually(() => assert.equal(inputBox.value, expected));
      } finally {
        await settings.update('commit.markerPlace', undefined, vscode.ConfigurationTarget.Global);
      }
    });

    it('is taken away by Remove Marker', async () => {
      const [, { inputBox }] = repositories;
      inputBox.value = `Sort [fixes #${stories[0]}]\n\nBody`;
      await run('removeMarker', { repository: second.root });
      await eventually(() => assert.equal(inputBox.value, 'Sort\n\nBody'));
    });

    it('says what it cannot do', async () => {
      const repository = second.root;
      await rejects(run('insertMarker', { storyId: 999_999, repository }), /Could not find story #999999/);
      await rejects(run('insertMarker', { storyId: 'x', repository }), /Pass the story as/);
      await rejects(run('insertMarker', { storyIds: [], repository }), /No story was given/);
      await rejects(run('insertMarker', { storyId: stories[0], verb: 'eats', repository }), /The verb must be/);
      await rejects(
        run('insertMarker', { storyId: stories[0], repository: 'file:///nowhere' }),
        /No open Git repository at file:\/\/\/nowhere/,
      );
      assert.equal(repositories[1].inputBox.value, '');
    });
  });

  describe('Completion', () => {
    async function proposed(text: string, at = text.length): Promise<vscode.CompletionList> {
      const [, repository] = repositories;
      await run('refresh');
      repository.inputBox.value = text;
      const box = await eventually(() => {
        const found = vscode.workspace.textDocuments.find(
          ({ uri, languageId }) => languageId === 'scminput' && decodeURIComponent(uri.query).includes(second.root),
        );
        assert.equal(found?.getText(), text);
        return found;
      });
      return vscode.commands.executeCommand(
        'vscode.executeCompletionItemProvider',
        box.uri,
        new vscode.Position(0, at),
        '#',
      );
    }

    it('proposes stories behind # in the commit box', async () => {
      const { items } = await proposed('Sort #');
      const item = items.find(({ filterText }) => filterText === `#${stories[0]} Sort by rank`);
      assert.equal(item?.insertText, `[fixes #${stories[0]}]`);
      assert.match(item.detail ?? '', /^feature · unstarted · /);
      assert.deepEqual(item.range, new vscode.Range(0, 5, 0, 6));
    });

    it('inserts only the id inside a bracket', async () => {
      const { items } = await proposed(`[fixes #1 #${stories[1]}`);
      const item = items.find(({ filterText }) => filterText?.includes('Log in by e-mail'));
      assert.equal(item?.insertText, `#${stories[1]}`);
    });

    it('proposes stories of any name on one short line, with nothing in it that turns it', async () => {
      const id = await newStory(`Sort\u202e $(bug) &lt;b> ${'x'.repeat(3000)}`);
      const { items } = await proposed('Sort #');
      const item = items.find(({ insertText }) => insertText === `[fixes #${id}]`);
      assert.ok(item && typeof item.label === 'object');
      assert.ok(item.label.label.length < 60 && (item.filterText ?? '').length < 600);
      for (const text of [item.label.label, item.label.description, item.detail])
        assert.doesNotMatch(text ?? '', /\u202e/);
    });

    it('proposes nothing behind C#', async () => {
      const { items } = await proposed('Port to C#');
      assert.deepEqual(
        items.filter(({ detail }) => detail?.includes(' · ')),
        [],
      );
    });

    it('proposes stories in a commit file, but not in its comment lines', async () => {
      const document = await commitFile('Sort #\n# On #\n');
      const at = (line: number, column: number) =>
        vscode.commands.executeCommand<vscode.CompletionList>(
          'vscode.executeCompletionItemProvider',
          document.uri,
          new vscode.Position(line, column),
          '#',
        );
      const isStory = ({ detail }: vscode.CompletionItem) => detail?.includes(' · ') === true;
      assert.ok((await at(0, 6)).items.some(isStory));
      assert.ok(!(await at(1, 6)).items.some(isStory));
    });
  });

  /** What Show Unsent Changes lists. */
  async function unsentChanges(): Promise<readonly string[]> {
    const { showQuickPick } = vscode.window;
    let labels: readonly string[] = [];
    const pick = async (items: readonly vscode.QuickPickItem[]) => {
      labels = items.map(({ label }) => label);
    };
    Object.assign(vscode.window, { showQuickPick: pick });
    await Promise.resolve(run('showOutbox')).finally(() => Object.assign(vscode.window, { showQuickPick }));
    return labels;
  }

  describe('Open Commit', () => {
    const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs).map(({ label }) => label);

    it('shows the changes of a commit of any open repository', async () => {
      const hash = await second.commit('Chart the coast');
      await run('openCommit', { commitId: hash });
      await eventually(() =>
        assert.ok(
          tabs().some((label) => label.startsWith(`${hash.slice(0, 7)} - Chart`)),
          tabs().join(),
        ),
      );
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    });

    it('says that no repository has it, and passes nothing else on to Git', async () => {
      await rejects(
        run('openCommit', { commitId: '1'.repeat(40) }),
        /Commit 1111111 is in none of the open repositories/,
      );
      await rejects(run('openCommit', { commitId: '--all' }), /Pass the commit as/);
      await rejects(run('openCommit', { commitId: '1'.repeat(40), address: 'javascript:x' }), /none of the open/);
    });
  });

  describe('Link Existing Commits', () => {
    it('links commits by their markers: comments are there, the story is finished, a second time changes nothing', async () => {
      const [id] = stories;
      const one = await second.commit(`Sort by rank [#${id}]\n\nWith a body.`);
      const two = await second.commit(`Sort faster [fixes #${id}]`);
      await second.git('remote', 'add', 'origin', 'git@github.com:team/app.git');
      await run('linkCommits', { commits: [one, two], repository: second.root });
      const linked = await story(id);
      assert.equal(elementText(linked, 'current_state'), 'finished');
      assert.equal(linked.split('<note>').length - 1, 2);
      for (const part of [one, two, 'With a body.', `https://github.com/team/app/commit/${one}`, 'Ada Lovelace']) {
        assert.ok(linked.includes(part), part);
      }
      await run('linkCommits', { commits: [one, two], repository: second.root });
      assert.equal(await commentsOf(id), 2);
      assert.deepEqual(messages.shown, []);
      assert.deepEqual(
        (await unsentChanges()).filter((label) => !label.startsWith('$(check)')),
        ['Recently linked'],
      );
      const texts = await unsentChanges();
      for (const hash of [one, two]) {
        const begin = `$(check) Linked ${hash.slice(0, 7)} to `;
        assert.equal(texts.filter((label) => label.startsWith(begin)).length, 1, texts.join('\n'));
      }
    });

    it('gives a commit that mentions no story the marker on its way; the commit stays as it is', async () => {
      const hash = await second.commit('Sort');
      await run('linkCommits', { commits: ['HEAD'], storyId: stories[0], repository: second.root });
      const linked = await story(stories[0]);
      assert.equal(elementText(linked, 'current_state'), 'finished');
      assert.ok(linked.includes(`Sort [fixes #${stories[0]}]`));
      assert.ok(linked.includes(`the commit message itself does not mention #${stories[0]}.`));
      assert.equal((await second.git('rev-parse', 'HEAD')).trim(), hash);
      assert.equal(await readFile(join(second.root, 'file.txt'), 'utf8'), 'Sort');
    });

    it('finishes nothing with commits that take others back', async () => {
      const [id, other] = stories;
      await second.commit(`Sort by hand [fixes #${id}]`);
      await second.git('revert', '--no-edit', 'HEAD');
      await run('linkCommits', { commits: ['HEAD'], storyId: other, repository: second.root });
      for (const one of [id, other]) {
        const linked = await story(one);
        assert.match(linked, /Revert "Sort by hand/);
        assert.match(linked, /<current_state>started</);
      }
    });

    it('tells of each commit that cannot be linked and links the others', async () => {
      const bad = await second.commit('Oops [fixes #999999]');
      const good = await second.commit(`Sort [fixes #${stories[0]}]`);
      const linking = run('linkCommits', { commits: [bad, good], repository: second.root });
      await rejects(linking, new RegExp(`Linked 1 of 2 commits. ${bad.slice(0, 7)}: Could not find story #999999`));
      assert.equal(elementText(await story(stories[0]), 'current_state'), 'finished');
    });

    it('says which commit or story there is not', async () => {
      const repository = second.root;
      await rejects(run('linkCommits', { commits: ['deadbeef'], repository }), /no commit deadbeef/);
      await rejects(run('linkCommits', { commits: ['--all'], repository }), /"--all" is not a commit/);
      await rejects(
        run('linkCommits', { commits: ['HEAD'], storyId: 999_999, repository }),
        /Could not find story #999999/,
      );
      await rejects(run('linkCommits', { commits: 'HEAD', repository }), /Pass the commits as a list/);
    });
  });

  describe('Without a repository', () => {
    it('says what is missing', async () => {
      // A commit message in an editor would take the marker.
      await eventually(async () => {
        await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
        assert.notEqual(vscode.window.activeTextEditor?.document.languageId, 'git-commit');
      });
      try {
        await closeRepositories();
        await rejects(run('insertMarker', { storyId: stories[0] }), /Open a folder that contains a Git repository/);
        await rejects(run('linkCommits', { commits: ['HEAD'] }), /Open a folder that contains a Git repository/);
      } finally {
        await vscode.commands.executeCommand('git.openRepository', repositories[0].rootUri.fsPath);
      }
    });
  });
});
