import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { eventually } from '../support/eventually.ts';
import { FixtureServer } from '../support/servers/fixtureServer.ts';
import { RecordedMessages } from '../support/windows/recordedMessages.ts';

const STORY = { storyId: 104 };
const MIB = 1024 * 1024;

const run = (command: string, ...args: readonly unknown[]) =>
  vscode.commands.executeCommand(`storyTracker.${command}`, ...args);

describe('Attachments seen', () => {
  let server: FixtureServer;
  let messages: RecordedMessages;
  let folder: string;
  let opened: string[];
  const { openExternal } = vscode.env;

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
  beforeEach(() => {
    messages = new RecordedMessages();
    opened = [];
    const noted = async (uri: vscode.Uri) => opened.push(uri.toString(true)) > 0;
    Object.defineProperty(vscode.env, 'openExternal', { value: noted, configurable: true, writable: true });
  });
  afterEach(async () => {
    Object.defineProperty(vscode.env, 'openExternal', { value: openExternal, configurable: true, writable: true });
    messages.restore();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  /** An attachment of story 104. */
  function attached(filename: string, bytes: Buffer): number {
    const { files } = server.routes.story(STORY.storyId);
    const id = 4000 + files.size;
    files.set(id, { filename, bytes, url: `${server.url}/files/${id}?signature=abc` });
    return id;
  }

  const open = (attachmentId: number) => run('openAttachment', { ...STORY, attachmentId });
  const tab = () => vscode.window.tabGroups.activeTabGroup.activeTab;

  async function assertLeaves(files: Readonly<Record<string, string>>, work: () => Promise<unknown>): Promise<void> {
    const before = await readdir(folder);
    await work();
    const added = (await readdir(folder)).filter((name) => !before.includes(name));
    assert.deepEqual(added.sort(), Object.keys(files).sort());
    for (const [name, text] of Object.entries(files)) assert.equal(await readFile(join(folder, name), 'utf8'), text);
  }

  it('opens text in an editor that changes nothing, without the token and without its address in sight', async () => {
    await open(attached('orders ü.txt', Buffer.from('two loaves\r\n')));
    const document = vscode.window.activeTextEditor?.document;
    assert.equal(document?.getText(), 'two loaves\r\n');
    assert.match(document.fileName, /#104[\\/]orders ü\.txt$/, 'all that VS Code shows of where it is');
    assert.ok(
      !document.uri.toString(true).includes('signature') && !document.uri.toString(true).includes(server.token),
    );
    for (const { path, headers } of server.requests) {
      if (path.startsWith('/files/')) assert.equal(headers['x-servicetoken'], undefined);
    }
    await assert.rejects(async () => vscode.workspace.fs.writeFile(document.uri, new Uint8Array()));
    assert.deepEqual(opened, []);
  });

  it('opens what was empty, and what looks like a notebook as the text that it is', async () => {
    await open(attached('empty', Buffer.alloc(0)));
    assert.equal(vscode.window.activeTextEditor?.document.getText(), '');
    await open(attached('lab.ipynb', Buffer.from('{"cells":[]}')));
    assert.equal(vscode.window.activeTextEditor?.document.getText(), '{"cells":[]}');
  });

  it('shows images in VS Code', async () => {
    await open(attached('shot.png', randomBytes(100)));
    await eventually(async () => assert.equal(tab()?.label, 'shot.png'));
    assert.ok(tab()?.input instanceof vscode.TabInputCustom);
  });

  it('leaves to the browser what is for other programs', async () => {
    const id = attached('archive.zip', Buffer.from('PK\u0003\u0004\u0000\u0000'));
    await open(id);
    assert.deepEqual(opened, [`${server.url}/files/${id}?signature=abc`]);
    assert.equal(tab(), undefined);
  });

  it('asks before it opens a large one', async () => {
    const id = attached('server.log', Buffer.alloc(11 * MIB, 'all is well\n'));
    await open(id);
    assert.deepEqual(messages.shown.at(-1)?.buttons, ['Save As…', 'Open in Editor', 'Open in Browser']);
    assert.equal(messages.shown.at(-1)?.text, '“server.log” is large: 11 MB.');
    assert.equal(tab(), undefined);
    messages.press('Open in Editor');
    await open(id);
    assert.equal(vscode.window.activeTextEditor?.document.getText().length, 11 * MIB);
  });

  it('can be read, copied and compared as files, but not where they are too large', async () => {
    await open(attached('orders.txt', Buffer.from('one')));
    const uri = vscode.window.activeTextEditor?.document.uri;
    assert.ok(uri);
    await assertLeaves({ 'copied.txt': 'one' }, async () =>
      vscode.workspace.fs.copy(uri, vscode.Uri.file(join(folder, 'copied.txt'))),
    );
    assert.equal((await vscode.workspace.fs.stat(uri)).size, 3);
    const large = attached('large.bin', Buffer.alloc(33 * MIB));
    const query = uri.query.replace(/(?<=attachment=)\d+/, `${large}`);
    await assert.rejects(async () => vscode.workspace.fs.readFile(uri.with({ query })), /larger than 32 MB. Save it/);
  });

  it('says what is not there, where the file would be', async () => {
    await open(attached('orders.txt', Buffer.from('one')));
    const uri = vscode.window.activeTextEditor?.document.uri;
    assert.ok(uri);
    const unknown = { query: uri.query.replace(/(?<=attachment=)\d+/, '4711') };
    for (const other of [unknown, { query: '' }, { path: '/' }, { path: '/a/b/c/d/e' }]) {
      await assert.rejects(
        async () => vscode.workspace.fs.readFile(uri.with(other)),
        (error: unknown) => error instanceof vscode.FileSystemError && error.code === 'FileNotFound',
      );
    }
  });

  it('takes the address from the story where a server tells of no single attachment', async () => {
    const id = attached('orders.txt', Buffer.from('from the story'));
    const url = `${server.url}/files/${id}?signature=abc`;
    const attachment = `<attachment><id>${id}</id><filename>orders.txt</filename><url>${url}</url></attachment>`;
    const always = Number.POSITIVE_INFINITY;
    const missing = { status: 404, body: '<h1>Not Found</h1>' };
    server.reply(/GET \/projects\/7\/stories\/104\/attachments\/\d+$/, missing, always);
    const body = `<story><id>104</id><story_type>chore</story_type><current_state>unstarted</current_state><name>A</name><attachments type="array">${attachment}</attachments></story>`;
    server.reply(/GET \/projects\/7\/stories\/104$/, { status: 200, body }, always);
    try {
      await open(id);
      assert.equal(vscode.window.activeTextEditor?.document.getText(), 'from the story');
    } finally {
      server.noMoreTrouble();
    }
  });

  it('saves over a file only when told to', async () => {
    const attachmentId = attached('orders.txt', Buffer.from('theirs'));
    const target = vscode.Uri.file(join(folder, 'mine.txt'));
    await writeFile(target.fsPath, 'mine');
    const saving = run('saveAttachment', { ...STORY, attachmentId, target });
    await assert.rejects(async () => saving, /A file named “mine\.txt” already exists/);
    assert.equal(await readFile(target.fsPath, 'utf8'), 'mine');
    await run('saveAttachment', { ...STORY, attachmentId, target, overwrite: true });
    assert.equal(await readFile(target.fsPath, 'utf8'), 'theirs');
  });

  it('saves all of a story under names that are free, and names those that could not be', async () => {
    const { files } = server.routes.story(STORY.storyId);
    files.clear();
    attached('a.txt', Buffer.from('one'));
    attached('../A.txt', Buffer.from('two'));
    await run('refresh');
    await writeFile(join(folder, 'a (2).txt'), 'mine');
    const where = { ...STORY, folder: vscode.Uri.file(folder) };
    const saved = { 'a.txt': 'one', 'A (3).txt': 'two' };
    await assertLeaves(saved, async () => run('saveAllAttachments', where));
    server.reply(/GET \/files\/4001$/, { status: 404, body: '' });
    try {
      await assertLeaves({ 'a (4).txt': 'one' }, async () => {
        const saving = run('saveAllAttachments', where);
        await assert.rejects(async () => saving, /Could not save 1 of 2 files\. “A\.txt”: .*may have expired/);
      });
    } finally {
      server.noMoreTrouble();
    }
  });
});
