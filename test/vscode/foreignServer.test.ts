import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { FixtureServer } from '../support/servers/fixtureServer.ts';

const run = (command: string, ...args: readonly unknown[]) =>
  vscode.commands.executeCommand(`storyTracker.${command}`, ...args);

describe('Story Tracker with a server that is not ours', () => {
  let server: FixtureServer;
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-'));
    server = await FixtureServer.start();
    await run('signIn', { baseUrl: server.url, token: server.token });
  });
  after(async () => {
    await run('signOut', { baseUrl: server.url });
    await server.stop();
    await rm(folder, { recursive: true });
  });

  it('refuses a wrong token with a sentence, although the answer is a page', async () => {
    const signingIn = run('signIn', { baseUrl: server.url, token: 'wrong' });
    await assert.rejects(async () => signingIn, /does not accept this token/);
  });

  it('moves stories of unknown type and state', async () => {
    await run('moveStory', { storyId: 103, place: 'before', targetId: 102 });
    assert.deepEqual(server.order.slice(0, 5), [100, 101, 103, 102, 104]);
    await run('moveStory', { storyId: 102, place: 'after', targetId: 105 });
    assert.deepEqual(server.order.slice(0, 7), [100, 101, 103, 104, 105, 102, 106]);
  });

  it('attaches a file', async () => {
    const path = join(folder, 'brød & butter.txt');
    await writeFile(path, 'yes\r\n');
    await run('attachFiles', vscode.Uri.file(path), undefined, { storyId: 102 });
    const [file] = server.routes.story(102).files.values();
    assert.equal(file?.filename, 'brød & butter.txt');
    assert.equal(file.bytes.toString(), 'yes\r\n');
  });

  it('links a commit, which the server shows as a comment and takes for finished', async () => {
    const repository = vscode.workspace.workspaceFolders?.[0]?.uri.toString();
    await run('linkCommits', { commits: ['HEAD'], repository, storyId: 104 });
    const story = server.routes.story(104);
    assert.match(story.notes[0]?.text ?? '', /Begin the project[\s\S]*\[fixes #104\]/);
    assert.match(story.elements.get('current_state') ?? '', />finished</);
  });

  it('says before anything is sent that a project takes no attachments', async () => {
    const path = join(folder, 'file.txt');
    await writeFile(path, 'yes');
    server.reply(/GET \/projects\/8\/stories\/801$/, {
      status: 200,
      body: '<story><id>801</id><story_type>feature</story_type><current_state>unstarted</current_state><name>Bare</name></story>',
    });
    const attaching = run('attachFiles', vscode.Uri.file(path), undefined, { storyId: 801 });
    await assert.rejects(async () => attaching, /“Bare” does not allow attachments/);
    assert.ok(!server.requests.some(({ path: asked }) => asked.startsWith('/projects/8/stories/801/attachments')));
  });
});
