import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { eventually } from '../support/eventually.ts';
import { type GitRepositoryFolder, gitRepository } from '../support/git/gitRepository.ts';
import { elementText, type RunningService, runningService } from '../support/servers/runningService.ts';
import { RecordedMessages } from '../support/windows/recordedMessages.ts';

interface Repository {
  readonly rootUri: vscode.Uri;
  readonly inputBox: { value: string };
  readonly state: { readonly HEAD: { readonly commit?: string } | undefined };
  status(): Promise<void>;
}

interface GitApi {
  readonly repositories: readonly Repository[];
  openRepository(root: vscode.Uri): Promise<unknown>;
}

const run = (command: string, ...args: readonly unknown[]) =>
  vscode.commands.executeCommand(`storyTracker.${command}`, ...args);

describe('Commit & Finish Story', () => {
  let service: RunningService;
  let messages: RecordedMessages;
  let folder: GitRepositoryFolder;
  let repository: Repository;
  let projectId: number;
  let changes = 0;

  const settings = () => vscode.workspace.getConfiguration('storyTracker');
  const stateOf = async (id: number) =>
    elementText(await service.ask('GET', `/projects/${projectId}/stories/${id}`), 'current_state');
  const subject = async () => (await folder.git('log', '-1', '--format=%s')).trim();

  async function newStory(type: string, state = 'started', estimate = '<estimate>1</estimate>'): Promise<number> {
    const fields = `<story_type>${type}</story_type><current_state>${state}</current_state>${estimate}`;
    const xml = `<story><name>Tell the tide</name>${fields}</story>`;
    const id = Number(elementText(await service.ask('POST', `/projects/${projectId}/stories`, xml), 'id'));
    await run('refresh');
    return id;
  }

  /** Commits a change with this message as the command does it for a person. */
  async function commit(message: string): Promise<void> {
    await writeFile(join(folder.root, 'tide.txt'), `High water ${++changes}\n`);
    await folder.git('add', 'tide.txt');
    await repository.status();
    repository.inputBox.value = message;
    await run('commitAndFinish', { repository: folder.root });
    assert.equal(await subject(), message.split('\n')[0]);
  }

  before(async () => {
    const extension = vscode.extensions.getExtension('story-tracker.story-tracker');
    service = await runningService(join(extension?.extensionPath ?? '', 'dist/service.js'));
    await run('signIn', { baseUrl: service.url, token: service.token });
    await settings().update('commit.link', 'off', vscode.ConfigurationTarget.Global);
    projectId = Number(elementText(await service.ask('GET', '/projects'), 'id'));
    const gitExtension = vscode.extensions.getExtension<{ getAPI(version: 1): GitApi }>('vscode.git');
    assert.ok(gitExtension);
    const git = (await gitExtension.activate()).getAPI(1);
    folder = await gitRepository();
    await folder.git('config', 'user.name', 'Ada Lovelace');
    await folder.git('config', 'user.email', 'ada@example.org');
    await folder.commit('Begin');
    await git.openRepository(vscode.Uri.file(folder.root));
    repository = await eventually(() => {
      const found = git.repositories.find(({ rootUri }) => rootUri.path === folder.root);
      assert.ok(found?.state.HEAD?.commit);
      return found;
    });
  });
  after(async () => {
    await settings().update('commit.link', undefined, vscode.ConfigurationTarget.Global);
    await vscode.commands.executeCommand('git.close', repository);
    await run('signOut', { baseUrl: service.url });
    await service.stop();
    await folder.remove();
  });
  beforeEach(() => {
    messages = new RecordedMessages();
  });
  afterEach(() => messages.restore());

  it('commits, and finishes the story that the message names', async () => {
    const id = await newStory('feature');
    await commit(`Tell the tide [#${id}]`);
    assert.equal(await stateOf(id), 'finished');
    assert.deepEqual(messages.shown, []);
  });

  it('accepts a chore, which has no other end', async () => {
    const id = await newStory('chore', 'started', '');
    await commit(`Sweep the deck [#${id}]`);
    assert.equal(await stateOf(id), 'accepted');
  });

  it('finishes the active story of the repository where the message names none', async () => {
    const [id, other] = [await newStory('bug', 'unstarted', ''), await newStory('feature')];
    await run('setActiveStory', { storyId: id, projectId, repository: folder.root });
    await commit('Look at the moon');
    assert.equal(await stateOf(id), 'finished');
    await commit(`Tell the tide [#${other}]`);
    assert.equal(await stateOf(other), 'finished');
    await assert.rejects(async () => run('stopStory', { storyId: id }), /is not an active story/);
  });

  it('finishes of several stories the first that is not', async () => {
    const [done, id] = [await newStory('feature', 'delivered'), await newStory('feature')];
    await commit(`Tell the tide [#${done} #${id}]`);
    assert.deepEqual([await stateOf(done), await stateOf(id)], ['delivered', 'finished']);
  });

  it('says that there is no story to finish, and has committed all the same', async () => {
    await commit('Nothing in particular');
    assert.deepEqual(messages.texts, ['The commit has no story that can be finished.']);
  });
});
