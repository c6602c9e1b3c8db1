import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { rootOfCommitBox } from '../../src/host/git/scmInput.ts';
import { eventually } from '../support/eventually.ts';
import { type GitRepositoryFolder, gitRepository } from '../support/git/gitRepository.ts';
import { type RunningService, runningService } from '../support/servers/runningService.ts';

interface Repository {
  readonly rootUri: vscode.Uri;
  readonly inputBox: { value: string };
  readonly state: { readonly HEAD: { readonly commit?: string } | undefined };
  commit(message: string, options: { readonly empty: boolean }): Promise<void>;
}

interface GitApi {
  readonly repositories: readonly Repository[];
  openRepository(root: vscode.Uri): Promise<unknown>;
}

const run = (command: string, ...args: readonly unknown[]) =>
  vscode.commands.executeCommand(`storyTracker.${command}`, ...args);

/** Longer than a message has to be left alone to be taken for complete. */
const QUIET_MS = 1200;

describe('Markers in messages that are generated', () => {
  let service: RunningService;
  let git: GitApi;
  let folder: GitRepositoryFolder;
  let repository: Repository;
  let box: vscode.TextDocument;

  const settings = () => vscode.workspace.getConfiguration('storyTracker');
  const keepMarker = (value: boolean | undefined) =>
    settings().update('commit.keepMarker', value, vscode.ConfigurationTarget.Global);
  const boxHas = (text: string) =>
    eventually(() => assert.deepEqual([repository.inputBox.value, box.getText()], [text, text]));
  /** The message is this one, and stays so. */
  async function boxKeeps(text: string): Promise<void> {
    await sleep(QUIET_MS);
    await boxHas(text);
  }

  async function opened(root: string): Promise<Repository> {
    await git.openRepository(vscode.Uri.file(root));
    return eventually(() => {
      const found = git.repositories.find(({ rootUri }) => rootUri.path === root);
      assert.ok(found?.state.HEAD?.commit);
      return found;
    });
  }

  const boxOf = ({ rootUri }: Repository) =>
    eventually(() => {
      const found = vscode.workspace.textDocuments.find(({ uri }) => {
        const root = rootOfCommitBox(uri);
        return root !== undefined && vscode.Uri.parse(root).path === rootUri.path;
      });
      assert.ok(found);
      return found;
    });

  /** As an extension does that writes commit messages: the text of the box becomes another one. */
  async function generate(...texts: readonly string[]): Promise<void> {
    for (const text of texts) {
      repository.inputBox.value = text;
      await sleep(60);
    }
  }

  /** As a person's keys do: in the document, and from there in the box. */
  async function edit(range: vscode.Range, text: string): Promise<void> {
    const change = new vscode.WorkspaceEdit();
    change.replace(box.uri, range, text);
    // Boxes are drawn anew when a repository is opened.
    await eventually(async () => assert.ok(await vscode.workspace.applyEdit(change)));
    await boxHas(box.getText());
  }
  const all = () => new vscode.Range(new vscode.Position(0, 0), box.positionAt(box.getText().length));

  async function start(text: string): Promise<void> {
    await edit(all(), '');
    if (text !== '') await edit(all(), text);
    await boxKeeps(text);
  }

  before(async () => {
    const extension = vscode.extensions.getExtension('story-tracker.story-tracker');
    service = await runningService(join(extension?.extensionPath ?? '', 'dist/service.js'));
    await run('signIn', { baseUrl: service.url, token: service.token });
    const gitExtension = vscode.extensions.getExtension<{ getAPI(version: 1): GitApi }>('vscode.git');
    assert.ok(gitExtension);
    git = (await gitExtension.activate()).getAPI(1);
    folder = await gitRepository();
    await folder.git('config', 'user.name', 'Ada Lovelace');
    await folder.git('config', 'user.email', 'ada@example.org');
    await folder.commit('Begin');
    repository = await opened(folder.root);
    await vscode.commands.executeCommand('workbench.view.scm');
    box = await boxOf(repository);
  });

  after(async () => {
    await keepMarker(undefined);
    await vscode.commands.executeCommand('git.close', repository);
    await run('signOut', { baseUrl: service.url });
    await service.stop();
    await folder.remove();
  });

  it('stay by default, whoever put them there', async () => {
    await start('Sort [fixes #12]');
    await generate('Sort the list by rank');
    await boxHas('Sort the list by rank [fixes #12]');
    await start('');
    await edit(all(), '[#3]');
    await generate('Sort the list\n\n- by rank\n- once');
    await boxHas('Sort the list [#3]\n\n- by rank\n- once');
    await generate('Sort it again');
    await boxHas('Sort it again [#3]');
  });

  it('stay when the message comes piece by piece, once it is complete', async () => {
    await start('Sort [fixes #12]');
    await generate('', 'S', 'Sort', 'Sort the', 'Sort the list');
    await boxHas('Sort the list [fixes #12]');
    await generate('Sort the', 'Sort the list', 'Sort the list\n\nBy rank');
    await boxHas('Sort the list [fixes #12]\n\nBy rank');
  });

  it('stay all of them, as they were, and only once', async () => {
    await start('Sort [Fixed #12 #13] [#14]');
    await generate('Sort the list [#12] [delivers #15]');
    await boxHas('Sort the list [Fixed #12 #13] [delivers #15] [#14]');
    await generate('Sort [Fixed #12 #13] [#14 #15] [#16]');
    await boxHas('Sort [Fixed #12 #13] [#14] [#16] [delivers #15]');
  });

  it('stay when a person pastes another message over everything', async () => {
    await start('Sort [fixes #12]');
    await edit(all(), 'Group the list');
    await boxHas('Group the list [fixes #12]');
  });

  it('do not come back where a person takes them out', async () => {
    await start('Sort [fixes #12]');
    await edit(new vscode.Range(0, 4, 0, 16), '');
    await boxKeeps('Sort');
    await generate('Sort the list');
    await boxKeeps('Sort the list');
    await start('Sort [fixes #12]');
    await edit(all(), '');
    await boxKeeps('');
    await generate('Sort by name');
    await boxKeeps('Sort by name');
    await start('Sort [fixes #12]');
    await run('removeMarker', { repository: folder.root });
    await boxKeeps('Sort');
  });

  it('do not come back with a later message once they were committed', async () => {
    await start('Sort [fixes #12]');
    await repository.commit(repository.inputBox.value, { empty: true });
    await boxHas('');
    assert.match(await folder.git('log', '-1', '--format=%B'), /^Sort \[fixes #12\]/);
    await generate('Group the list');
    await boxKeeps('Group the list');
  });

  it('are not put into the template that follows a commit', async () => {
    await writeFile(join(folder.root, 'template.txt'), 'Why is it so?\n');
    await folder.git('config', 'commit.template', 'template.txt');
    try {
      await start('Sort once more [fixes #12]');
      await repository.commit(repository.inputBox.value, { empty: true });
      await boxHas('Why is it so?');
      await boxKeeps('Why is it so?');
    } finally {
      await folder.git('config', '--unset', 'commit.template');
    }
  });

  it('stay although something else was committed in a terminal', async () => {
    await start('Sort [fixes #12]');
    await folder.commit('Other work [#12]');
    await eventually(async () => {
      assert.equal(repository.state.HEAD?.commit, (await folder.git('rev-parse', 'HEAD')).trim());
    });
    await generate('Sort the list by name');
    await boxHas('Sort the list by name [fixes #12]');
  });

  it('are not put into a message that comes back: of an undone commit, or that stood there before', async () => {
    await start('');
    await folder.commit('Commit to undo');
    await eventually(async () => {
      assert.equal(repository.state.HEAD?.commit, (await folder.git('rev-parse', 'HEAD')).trim());
    });
    await start('Draft [fixes #12]');
    await vscode.commands.executeCommand('git.undoCommit', repository);
    await boxHas('Commit to undo');
    await boxKeeps('Commit to undo');
    await generate('Draft [fixes #12]');
    await boxKeeps('Draft [fixes #12]');
    await generate('Commit to undo');
    await boxKeeps('Commit to undo');
  });

  it('are not put into messages that Git wrote for merges and for what is squashed', async () => {
    for (const text of [
      "Merge branch 'side' into main",
      'Squashed commit of the following:\n\ncommit 1',
      'fixup! Sort',
    ]) {
      await start('Sort [fixes #12]');
      await generate(text);
      await boxKeeps(text);
    }
  });

  it('are of their repository alone', async () => {
    const other = await gitRepository();
    await other.commit('Begin');
    const second = await opened(other.root);
    try {
      await start('Sort [fixes #12]');
      second.inputBox.value = 'Another repository';
      await sleep(QUIET_MS);
      assert.equal(second.inputBox.value, 'Another repository');
      await boxHas('Sort [fixes #12]');
    } finally {
      await vscode.commands.executeCommand('git.close', second);
      await other.remove();
    }
  });

  it('go with the message where that is wished', async () => {
    await keepMarker(false);
    await start('Sort [fixes #12]');
    await generate('Sort the list by rank');
    await boxKeeps('Sort the list by rank');
    await keepMarker(undefined);
  });
});
