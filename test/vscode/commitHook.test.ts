import assert from 'node:assert/strict';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { eventually } from '../support/eventually.ts';
import { type GitRepositoryFolder, gitRepository } from '../support/git/gitRepository.ts';
import { FixtureServer } from '../support/servers/fixtureServer.ts';
import { RecordedMessages } from '../support/windows/recordedMessages.ts';

interface GitApi {
  readonly repositories: readonly { readonly rootUri: vscode.Uri }[];
  openRepository(root: vscode.Uri): Promise<unknown>;
}

const run = (command: string, ...args: readonly unknown[]) =>
  vscode.commands.executeCommand(`storyTracker.${command}`, ...args);

describe('Commit hooks', () => {
  let messages: RecordedMessages;
  beforeEach(() => {
    messages = new RecordedMessages();
  });
  afterEach(() => messages.restore());

  describe('of a repository', () => {
    let repository: GitRepositoryFolder;

    before(async () => {
      repository = await gitRepository();
      const extension = vscode.extensions.getExtension<{ getAPI(version: 1): GitApi }>('vscode.git');
      assert.ok(extension);
      const git = (await extension.activate()).getAPI(1);
      await git.openRepository(vscode.Uri.file(repository.root));
      await eventually(() => assert.ok(git.repositories.some(({ rootUri }) => rootUri.path === repository.root)));
    });
    after(() => repository.remove());

    const install = () => run('installCommitHook', { repository: repository.root });

    it('names the story of the branch in a commit of a terminal until it is taken away', async () => {
      await repository.git('config', 'branch.main.storyTrackerStory', '12');
      await install();
      await repository.git('commit', '--quiet', '--allow-empty', '-m', 'Sort');
      assert.equal((await repository.git('log', '-1', '--format=%s')).trim(), 'Sort [fixes #12]');
      await run('removeCommitHook', { repository: repository.root });
      await repository.git('commit', '--quiet', '--allow-empty', '-m', 'Sort');
      assert.equal((await repository.git('log', '-1', '--format=%s')).trim(), 'Sort');
    });

    it('asks before it goes where other repositories may have theirs', async () => {
      await repository.git('config', 'core.hooksPath', 'shared');
      const file = join(repository.root, 'shared/prepare-commit-msg');
      await install();
      assert.match(messages.texts[0] ?? '', /Install the hook outside/);
      await assert.rejects(access(file));
      messages.press('Install');
      await install();
      await access(file);
    });
  });

  describe('of a server', () => {
    let server: FixtureServer;

    before(async () => {
      server = await FixtureServer.start();
      await run('signIn', { baseUrl: server.url, token: server.token });
    });
    after(async () => {
      await run('signOut', { baseUrl: server.url });
      await server.stop();
    });

    async function copied(button?: string): Promise<string> {
      await vscode.env.clipboard.writeText('before');
      if (button !== undefined) messages.press(button);
      await run('copyCommitHookAddress');
      return vscode.env.clipboard.readText();
    }

    it('have an address that holds the token only when someone wants that', async () => {
      const address = `${server.url}/services/v3/github_commits?token=`;
      assert.equal(await copied('Copy with Token'), address + server.token);
      assert.equal(await copied('Copy without Token'), address);
      assert.equal(await copied(), 'before');
      assert.ok(messages.texts.every((text) => !text.includes(server.token)));
    });
  });
});
