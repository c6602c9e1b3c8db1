import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import * as vscode from 'vscode';
import { droppedBytes } from '../../src/features/attachments/prepare/offeredFiles.ts';
import { eventually } from '../support/eventually.ts';
import { FixtureServer } from '../support/servers/fixtureServer.ts';
import { RecordedMessages } from '../support/windows/recordedMessages.ts';

const run = (command: string, ...args: readonly unknown[]) =>
  vscode.commands.executeCommand(`storyTracker.${command}`, ...args);

const STORY = { storyId: 104 };
const KEY = `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcw'}\n`;

describe('Attaching files', () => {
  let server: FixtureServer;
  let messages: RecordedMessages;
  let folder: string;
  const rejects = (work: Thenable<unknown>, sentence: RegExp) => assert.rejects(async () => work, sentence);
  const kept = () => [...server.routes.story(104).files.values()];
  const names = () =>
    kept()
      .map(({ filename }) => filename)
      .sort();
  const uploads = () =>
    server.requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/attachments'));

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-'));
    server = await FixtureServer.start();
    await run('signIn', { baseUrl: server.url, token: server.token });
    messages = new RecordedMessages();
  });
  afterEach(async () => {
    messages.restore();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await run('signOut', { baseUrl: server.url });
    await server.stop();
    await rm(folder, { recursive: true });
  });

  async function file(name: string, content: string | Uint8Array): Promise<vscode.Uri> {
    await writeFile(join(folder, name), content);
    return vscode.Uri.file(join(folder, name));
  }

  /** As the Explorer calls it, with the story picked by a person. */
  async function attachAsPerson(...uris: readonly vscode.Uri[]): Promise<void> {
    await withPickedStory(() => run('attachFiles', uris[0], uris));
  }

  async function withPickedStory(work: () => Thenable<unknown>): Promise<void> {
    const before = vscode.window.showQuickPick;
    const pick = async (items: unknown) => {
      const list: unknown = await items;
      assert.ok(Array.isArray(list));
      return list.find(({ description }) => String(description).startsWith('#104'));
    };
    Object.assign(vscode.window, { showQuickPick: pick });
    try {
      await work();
    } finally {
      Object.assign(vscode.window, { showQuickPick: before });
    }
  }

  it('attaches several files, byte for byte, and tells once', async () => {
    const large = randomBytes(3_000_000);
    const uris = [await file('large.bin', large), await file('ünï.txt', 'two\n'), await file('c.txt', '3')];
    await run('attachFiles', uris[0], uris, STORY);
    assert.deepEqual(names(), ['c.txt', 'large.bin', 'ünï.txt']);
    assert.ok(
      kept()
        .find(({ filename }) => filename === 'large.bin')
        ?.bytes.equals(large),
    );
    assert.deepEqual(messages.texts, ['Attached 3 files to #104.']);
  });

  it('attaches each file once, however often it is named', async () => {
    const uri = await file('a.txt', 'a');
    await run('attachFiles', uri, [uri, uri.toString(), uri.toJSON()], STORY);
    assert.deepEqual(names(), ['a.txt']);
  });

  it('leaves out missing and unreadable files with a sentence each, and attaches the rest', async () => {
    await symlink('nowhere', join(folder, 'dangling.txt'));
    const good = await file('good.txt', 'good');
    await attachAsPerson(vscode.Uri.file('/proc/self/mem'), good, vscode.Uri.file(join(folder, 'dangling.txt')));
    assert.deepEqual(names(), ['good.txt']);
    assert.equal(messages.texts.length, 1);
    assert.match(
      messages.texts[0] ?? '',
      /^Attached 1 of 3 files to #104\. Could not read “mem”: .*“dangling\.txt” no longer exists\.$/,
    );
  });

  async function filledFolder(): Promise<vscode.Uri> {
    await mkdir(join(folder, 'docs/deep'), { recursive: true });
    await mkdir(join(folder, 'docs/.git'));
    for (const [name, content] of Object.entries({
      'docs/a.txt': 'a',
      'docs/deep/a.txt': 'deep a',
      'docs/deep/empty': '',
      'docs/deep/b ü.txt': 'b',
      'docs/.git/config': 'c',
    })) {
      await file(name, content);
    }
    await symlink('..', join(folder, 'docs/ring'));
    return vscode.Uri.file(join(folder, 'docs'));
  }

  it('packs a folder, without what Git keeps in it', async () => {
    messages.press('Attach as .zip');
    await attachAsPerson(await filledFolder());
    assert.deepEqual(messages.texts, ['“docs” is a folder: 4 files, 8 B.', 'Attached docs.zip to #104.']);
    assert.deepEqual(messages.shown[0]?.buttons, ['Attach as .zip', 'Attach the 4 Files', 'Leave Out']);
    const entries = unzipSync(kept()[0]?.bytes ?? Buffer.alloc(0));
    assert.deepEqual(Object.keys(entries).sort(), [
      'docs/a.txt',
      'docs/deep/a.txt',
      'docs/deep/b ü.txt',
      'docs/deep/empty',
    ]);
    assert.equal(Buffer.from(entries['docs/deep/a.txt'] ?? []).toString(), 'deep a');
    assert.deepEqual(names(), ['docs.zip']);
  });

  it('attaches the files of a folder, with their way where the names alone are not different', async () => {
    messages.press('Attach the 4 Files');
    messages.press('Leave Out');
    await attachAsPerson(await filledFolder());
    assert.deepEqual(names(), ['a.txt', 'b ü.txt', 'deep_a.txt'].sort());
  });

  /** A workspace's own files, and links of every kind out of its folder. */
  async function folderOfLinks(): Promise<vscode.Uri> {
    await mkdir(join(folder, 'docs'));
    await file('docs/a.txt', 'a');
    await file('secret.txt', 'secret');
    await symlink('../secret.txt', join(folder, 'docs/b.txt'));
    await symlink('/etc', join(folder, 'docs/etc'));
    await symlink('a.txt', join(folder, 'docs/own.txt'));
    return vscode.Uri.file(join(folder, 'docs'));
  }
  const LINKS = /Links that lead out of a folder or to another folder are not followed: b\.txt, etc\./;

  for (const [answer, attached] of [
    ['Attach as .zip', ['docs.zip']],
    ['Attach the 2 Files', ['a.txt', 'own.txt']],
  ] as const) {
    it(`follows no link out of a folder, and says so: ${answer}`, async () => {
      messages.press(answer);
      await attachAsPerson(await folderOfLinks());
      assert.match(messages.shown[0]?.detail ?? '', LINKS);
      assert.deepEqual(names(), attached);
      assert.ok(kept().every(({ bytes }) => !bytes.includes('secret') && !bytes.includes('etc')));
      const [archive] = kept().filter(({ filename }) => filename === 'docs.zip');
      if (archive) assert.deepEqual(Object.keys(unzipSync(archive.bytes)).sort(), ['docs/a.txt', 'docs/own.txt']);
    });
  }

  it('tells of links in a folder that a program attaches', async () => {
    const docs = await folderOfLinks();
    await run('attachFiles', docs, undefined, { ...STORY, folders: 'files' });
    assert.deepEqual(names(), ['a.txt', 'own.txt']);
    assert.match(messages.texts[0] ?? '', LINKS);
  });

  it('names the links of a folder that holds nothing else', async () => {
    await mkdir(join(folder, 'docs'));
    await symlink('/etc', join(folder, 'docs/etc'));
    await attachAsPerson(vscode.Uri.file(join(folder, 'docs')));
    assert.match(
      messages.texts[0] ?? '',
      /The folder “docs” contains no files\. Links that lead out .* are not followed: etc\./,
    );
  });

  it('does not follow a link among several files out of its folder, nor one to a folder', async () => {
    const docs = await folderOfLinks();
    const [a, b, etc] = ['a.txt', 'b.txt', 'etc'].map((name) => vscode.Uri.joinPath(docs, name));
    await attachAsPerson(...[a, b, etc].filter((uri) => uri !== undefined));
    assert.deepEqual(names(), ['a.txt']);
    assert.match(messages.texts.at(-1) ?? '', /“b\.txt” links to .*secret\.txt, outside the folder “docs”/);
    assert.match(messages.texts.at(-1) ?? '', /“etc” links to \/etc, outside the folder “docs”/);
  });

  it('does not follow a link that is open in an editor out of its folder', async () => {
    const docs = await folderOfLinks();
    for (const name of ['a.txt', 'b.txt']) {
      const document = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(docs, name));
      await vscode.window.showTextDocument(document, { preview: false });
    }
    await rejects(run('attachOpenEditors', STORY), /“b\.txt” links to .*, outside the folder “docs”/);
    assert.deepEqual(names(), ['a.txt']);
  });

  it('does with a folder what a program says', async () => {
    const docs = await filledFolder();
    await run('attachFiles', docs, undefined, { ...STORY, folders: 'zip' });
    assert.deepEqual(names(), ['docs.zip']);
    await mkdir(join(folder, 'bare'));
    const bare = vscode.Uri.file(join(folder, 'bare'));
    await rejects(run('attachFiles', bare, undefined, { ...STORY, folders: 'zip' }), /“bare” contains no files/);
  });

  it('tells of a likely secret before anything is sent, and does what the person says', async () => {
    const uris = [await file('.env', 'PASSWORD=x'), await file('good.txt', 'good')];
    await attachAsPerson(...uris);
    assert.deepEqual(messages.texts, ['“.env” may contain a secret.']);
    assert.deepEqual(messages.shown[0]?.buttons, ['Leave Out', 'Attach Anyway']);
    assert.equal(messages.shown[0]?.detail?.split('\n')[0], 'files with this name contain secrets');
    assert.equal(uploads().length, 0);
    messages.press('Leave Out');
    await attachAsPerson(...uris);
    assert.deepEqual(names(), ['good.txt']);
    messages.press('Attach Anyway');
    await attachAsPerson(...uris);
    assert.deepEqual(names(), ['.env', 'good.txt', 'good.txt']);
  });

  it('keeps what looks like a secret from programs that do not insist, and shows no more than its beginning', async () => {
    const token = `ghp_${'aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYzAbC'}`;
    const uri = await file('notes.md', `# Notes\n\ntoken: ${token}\n`);
    const expected = /“notes\.md” may contain a secret: GitHub token on line 3 \(ghp_…\)\./;
    await rejects(run('attachFiles', uri, undefined, STORY), expected);
    assert.equal(uploads().length, 0);
    await run('attachFiles', uri, undefined, { ...STORY, evenSecrets: true });
    assert.deepEqual(names(), ['notes.md']);
  });

  it('attaches no file over the limit that is set', async () => {
    const settings = vscode.workspace.getConfiguration('storyTracker');
    await settings.update('attachmentLimit', 1, vscode.ConfigurationTarget.Global);
    try {
      await attachAsPerson(await file('large.bin', Buffer.alloc(1024 * 1024 + 1)), await file('small.txt', 's'));
      assert.deepEqual(names(), ['small.txt']);
      assert.match(messages.texts[0] ?? '', /“large\.bin” is too large \(1\.0 MB\)\. The setting .* allows 1\.0 MB\.$/);
    } finally {
      await settings.update('attachmentLimit', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('attaches the selected text, named after the file and the lines', async () => {
    const uri = await file('app.ts', 'one\ntwo\nthree\nfour\n');
    const editor = await vscode.window.showTextDocument(uri);
    await rejects(run('attachSelection', STORY), /Select some text in an editor first\./);
    editor.selection = new vscode.Selection(1, 0, 3, 0);
    await run('attachSelection', STORY);
    assert.deepEqual(names(), ['app.lines-2-3.ts']);
    assert.equal(kept()[0]?.bytes.toString(), 'two\nthree\n');
  });

  it('attaches the changes of a repository as a patch', async () => {
    const [{ uri: root } = { uri: vscode.Uri.file('/') }] = vscode.workspace.workspaceFolders ?? [];
    await rejects(run('attachDiff', STORY), /No such changes in tracked files/);
    const readme = join(root.fsPath, 'README.md');
    const before = await readFile(readme);
    try {
      await writeFile(readme, 'changed\n');
      await run('attachDiff', STORY);
      await run('attachDiff', { ...STORY, changes: 'unstaged' });
      await rejects(run('attachDiff', { ...STORY, changes: 'staged' }), /No such changes/);
    } finally {
      await writeFile(readme, before);
    }
    const [all, unstaged] = kept();
    assert.match(all?.filename ?? '', /^.*-main\.patch$/);
    assert.match(unstaged?.filename ?? '', /^.*-main-unstaged\.patch$/);
    assert.match(all?.bytes.toString() ?? '', /^diff --git a\/README\.md b\/README\.md\n[\s\S]*\+changed\n$/);
  });

  it('attaches what Source Control names: changes, or a group of them', async () => {
    const [a, b, c] = [await file('a.txt', 'a'), await file('b.txt', 'b'), await file('c.txt', 'c')];
    await withPickedStory(() => run('attachFiles', new Change(a), new Change(b), new Change(b)));
    assert.deepEqual(names(), ['a.txt', 'b.txt']);
    await withPickedStory(() => run('attachFiles', new ChangeGroup([new Change(c)])));
    assert.deepEqual(names(), ['a.txt', 'b.txt', 'c.txt']);
  });

  it('attaches everything when several commands send at once', async () => {
    const uris = await Promise.all(['1', '2', '3', '4', '5', '6'].map((name) => file(name, randomBytes(200_000))));
    await Promise.all([
      run('attachFiles', uris[0], uris.slice(0, 3), STORY),
      run('attachFiles', uris[3], uris.slice(3), STORY),
    ]);
    assert.deepEqual(names(), ['1', '2', '3', '4', '5', '6']);
  });

  it('tells a program by a rejection', async () => {
    const missing = vscode.Uri.file(join(folder, 'missing.txt'));
    await rejects(run('attachFiles', missing, undefined, STORY), /“missing\.txt” no longer exists\./);
    await rejects(run('attachFiles', vscode.Uri.file(folder), undefined, STORY), /is a folder\. Only files/);
    await rejects(run('attachFiles', await file('empty', ''), undefined, STORY), /“empty” is empty\./);
    const good = await file('good.txt', 'good');
    await rejects(run('attachFiles', good, undefined, { storyId: 4711 }), /Could not find story #4711/);
    await rejects(run('attachFiles', good, undefined, { storyId: '104' }), /Pass the story as/);
    assert.deepEqual([uploads().length, messages.shown], [0, []]);
  });

  it('says so when a file may not be read', async () => {
    const secret = await file('secret.txt', 'secret');
    await chmod(secret.fsPath, 0);
    // Nobody is kept from a file by its rights as root; this one nobody can read.
    const unreadable = process.getuid?.() === 0 ? vscode.Uri.file('/proc/self/mem') : secret;
    await rejects(
      run('attachFiles', unreadable, undefined, STORY),
      /Could not read “(mem”|secret.txt”: permission denied)/,
    );
    assert.equal(uploads().length, 0);
  });

  it('retries a file that could not be read once it can', async () => {
    const late = join(folder, 'late.txt');
    await symlink('real.txt', late);
    const uris = [await file('good.txt', 'good'), vscode.Uri.file(late)];
    await attachAsPerson(...uris);
    assert.deepEqual(messages.shown[0]?.buttons, ['Retry Failed', 'Show Each File']);
    assert.deepEqual(messages.texts, ['Attached 1 of 2 files to #104. “late.txt” no longer exists.']);
    const showWarningMessage = async () => {
      await file('real.txt', 'late');
      return 'Retry Failed';
    };
    Object.assign(vscode.window, { showWarningMessage });
    await attachAsPerson(vscode.Uri.file(late));
    await eventually(() => assert.deepEqual(names(), ['good.txt', 'late.txt']));
  });

  it('asks about empty files', async () => {
    const uris = [await file('empty.txt', ''), await file('full.txt', 'full')];
    await attachAsPerson(...uris);
    assert.deepEqual(messages.shown[0]?.buttons, ['Attach Anyway', 'Leave Out']);
    assert.deepEqual(names(), [], 'nothing without an answer');
    messages.press('Leave Out');
    await attachAsPerson(...uris);
    assert.deepEqual(names(), ['full.txt']);
    messages.press('Attach Anyway');
    await attachAsPerson(...uris);
    assert.deepEqual(names(), ['empty.txt', 'full.txt', 'full.txt']);
  });

  it('retries only the file that failed', async () => {
    server.refuse(/attachments$/, ['The disk is full.']);
    messages.press('Retry Failed');
    await attachAsPerson(await file('first.txt', '1'), await file('second.txt', '2'));
    await eventually(() => assert.deepEqual(names(), ['first.txt', 'second.txt']));
    assert.equal(uploads().length, 3);
    assert.match(messages.texts[0] ?? '', /^Attached 1 of 2 files to #104\. (first|second)\.txt: The disk is full\.$/);
    await eventually(() => assert.match(messages.texts[1] ?? '', /^Attached (first|second)\.txt to #104\.$/));
  });

  it('looks at a failed file again before it is retried: it may hold a secret by now, or be too large', async () => {
    const config = vscode.workspace.getConfiguration('storyTracker');
    const uri = await file('notes.txt', 'nothing to hide');
    const failed = async () => {
      server.refuse(/attachments$/, ['The disk is full.']);
      const answer = messages.leaveOpen();
      await attachAsPerson(uri);
      return answer;
    };
    const retry = await failed();
    await file('notes.txt', KEY);
    messages.press('Leave Out');
    retry('Retry Failed');
    await eventually(() => assert.equal(messages.texts.at(-1), '“notes.txt” may contain a secret.'));
    await file('notes.txt', 'x'.repeat(2_000_000));
    const later = await failed();
    await config.update('attachmentLimit', 1, vscode.ConfigurationTarget.Global);
    try {
      later('Retry Failed');
      await eventually(() => assert.match(messages.texts.at(-1) ?? '', /“notes\.txt” is too large \(1\.9 MB\)/));
    } finally {
      await config.update('attachmentLimit', undefined, vscode.ConfigurationTarget.Global);
    }
    assert.deepEqual(names(), []);
  });

  it('asks about what a person has allowed only once, as long as it stays as it is', async () => {
    const uris = [await file('key.txt', KEY), await file('empty.txt', '')];
    server.refuse(/attachments$/, ['The disk is full.']);
    server.refuse(/attachments$/, ['The disk is full.']);
    messages.press('Attach Anyway');
    messages.press('Attach Anyway');
    messages.press('Retry Failed');
    await attachAsPerson(...uris);
    await eventually(() => assert.deepEqual(names(), ['empty.txt', 'key.txt']));
    assert.equal(messages.shown.filter(({ buttons }) => buttons.includes('Attach Anyway')).length, 2);
  });

  it('sends again by itself what the server is too busy to take', async () => {
    const busy = { status: 429, body: '<errors><error>Slowly.</error></errors>', headers: { 'retry-after': '0' } };
    server.reply(/POST .*attachments$/, busy, 2);
    await run('attachFiles', await file('patient.txt', 'rye'), undefined, STORY);
    assert.deepEqual(names(), ['patient.txt']);
    assert.equal(uploads().length, 3);
  });

  it('tells how large a pasted file is of which nothing was read, and which were sent', async () => {
    await run('attachPasted', STORY, [{ name: 'film.mp4', size: 64 * 1024 * 1024 }]).then(undefined, () => undefined);
    const dot = { name: 'dot.png', bytes: new Uint8Array([1]) };
    assert.deepEqual(await run('attachPasted', STORY, [dot, { name: 'big.png', size: 64 * 1024 * 1024 }]), ['dot.png']);
    assert.match(
      messages.texts[0] ?? '',
      /“film\.mp4” is not on this machine and is too large .*64 MB; the limit is 32 MB/,
    );
    assert.deepEqual(names(), ['dot.png']);
  });

  it('does not attach a file twice whose answer got lost', async () => {
    server.loseAnswer(/attachments$/);
    messages.press('Retry Failed');
    await attachAsPerson(await file('lost.txt', 'lost'));
    await eventually(() => assert.equal(messages.texts.at(-1), 'All files are attached to #104.'));
    assert.deepEqual(names(), ['lost.txt']);
    assert.match(messages.texts[0] ?? '', /^Nothing was attached to #104\. lost\.txt: .* interrupted/);
  });

  it('loses nothing when the service is killed in the middle, and goes on when it is back', async () => {
    const { port } = server;
    const bytes = randomBytes(6_000_000);
    const uri = await file('big.bin', bytes);
    server.cut(/attachments$/, 1_000_000);
    const attaching = run('attachFiles', uri, undefined, STORY);
    await rejects(attaching, /Nothing was attached to #104\. big\.bin: The connection to .* was interrupted/);
    await server.stop();
    await rejects(run('attachFiles', uri, undefined, STORY), /Nothing answers at/);
    assert.ok((await readFile(uri.fsPath)).equals(bytes));
    server = await FixtureServer.start(port);
    await run('attachFiles', uri, undefined, STORY);
    assert.ok(kept()[0]?.bytes.equals(bytes));
  });

  it('says once that the token is no longer accepted in the middle, and tries no further file', async () => {
    const uris = await Promise.all(['a', 'b', 'c', 'd'].map((name) => file(name, name)));
    server.reply(
      /attachments$/,
      { status: 401, type: 'text/html', body: '<h1>Who are you?</h1>' },
      Number.POSITIVE_INFINITY,
    );
    await attachAsPerson(...uris);
    assert.equal(messages.texts.length, 1);
    assert.match(messages.texts[0] ?? '', /^Nothing was attached to #104\. a, b, c, d: .*Sign in again/);
    assert.deepEqual(messages.shown[0]?.buttons, ['Retry Failed', 'Show Each File']);
    assert.ok(uploads().length <= 2, `${uploads().length}`);
    server.token = 'changed';
    await rejects(run('attachFiles', uris[0], uris, STORY), /does not accept the API token\. Sign in again/);
  });

  it('stops at Cancel and sends no further byte', async () => {
    let progressToken: vscode.CancellationTokenSource | undefined;
    const before = vscode.window.withProgress;
    const reports: string[] = [];
    const withProgress: typeof vscode.window.withProgress = async (_, task) => {
      progressToken = new vscode.CancellationTokenSource();
      const report = ({ message = '' }: { message?: string }) => {
        reports.push(message);
        progressToken?.cancel();
      };
      return task({ report }, progressToken.token);
    };
    Object.assign(vscode.window, { withProgress });
    try {
      const uri = await file('huge.bin', Buffer.alloc(200_000_000));
      await rejects(run('attachFiles', uri, undefined, STORY), /huge\.bin: Canceled\./);
    } finally {
      Object.assign(vscode.window, { withProgress: before });
    }
    assert.match(reports[0] ?? '', /^[\d.]+ [KM]?B of 191 MB \(\d+ %\)$/);
    assert.deepEqual(kept(), []);
  });

  it('attaches what an editor holds that is not on disk', async () => {
    const document = await vscode.workspace.openTextDocument({ content: 'never saved\n', language: 'plaintext' });
    await vscode.window.showTextDocument(document);
    await run('attachFiles', document.uri, undefined, STORY);
    assert.equal(kept()[0]?.bytes.toString(), 'never saved\n');
    const script = await vscode.workspace.openTextDocument({ content: 'x = 1\n', language: 'javascript' });
    await run('attachFiles', script.uri, undefined, STORY);
    assert.deepEqual(
      names()
        .map((name) => name.replace(/\d+/, 'N'))
        .sort(),
      ['Untitled-N.js', 'Untitled-N.txt'],
    );
    // VS Code would open by itself, some time later, what is not saved and in no editor.
    for (const unsaved of [script, document]) {
      await vscode.window.showTextDocument(unsaved);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
  });

  it('reads files of other schemes through VS Code', async () => {
    const provider: vscode.TextDocumentContentProvider = { provideTextDocumentContent: () => 'virtual' };
    const registered = vscode.workspace.registerTextDocumentContentProvider('st-test', provider);
    const unknown = vscode.Uri.parse('st-unknown:/x.txt');
    await rejects(run('attachFiles', unknown, undefined, STORY), /Could not read “x\.txt”/);
    const { bytes } = await memoryFileSystem();
    await run('attachFiles', vscode.Uri.parse('st-memory:/m.bin'), undefined, STORY);
    assert.ok(kept()[0]?.bytes.equals(bytes));
    const tooLarge = run('attachFiles', vscode.Uri.parse('st-memory:/large.bin'), undefined, STORY);
    await rejects(tooLarge, /“large\.bin” is not on this machine and is too large .*1\.0 GB.*32 MB/);
    registered.dispose();
    await run('attachFiles', vscode.Uri.parse('st-memory:/folder'), undefined, { ...STORY, folders: 'zip' });
    const zip = kept().find(({ filename }) => filename === 'folder.zip');
    assert.deepEqual(Object.keys(unzipSync(zip?.bytes ?? Buffer.alloc(0))), ['folder/m.bin']);
  });

  it('has no more than two files of other schemes in memory at once', async () => {
    const uris = ['a', 'b', 'c', 'd', 'e'].map((name) => vscode.Uri.parse(`st-slow:/${name}/m.bin`));
    let [reading, most] = [0, 0];
    await memoryFileSystem('st-slow', Buffer.from('slow'), async () => {
      reading += 1;
      most = Math.max(most, reading);
      await new Promise((resolve) => setTimeout(resolve, 30));
      reading -= 1;
    });
    await run('attachFiles', uris[0], uris, STORY);
    assert.deepEqual([names().length, most <= 2], [5, true]);
  });

  it('reads what is dropped without an address only as long as it is not too much for memory', async () => {
    const sizes = [1, 33, 20, 20, 1];
    const read: string[] = [];
    const files = sizes.map((size, index) => ({
      name: `${index}.bin`,
      data: async () => {
        read.push(`${index}.bin`);
        return new Uint8Array(size * 1024 * 1024);
      },
    }));
    const offered = await droppedBytes([
      ...files,
      { name: 'known', uri: vscode.Uri.file('/known'), data: async () => new Uint8Array() },
    ]);
    assert.deepEqual(read, ['0.bin', '1.bin', '2.bin', '3.bin']);
    assert.deepEqual(
      offered.map((one) => (one instanceof vscode.Uri ? one.path : one.kind)),
      ['ready', 'unusable', 'ready', 'ready', 'unusable', '/known'],
    );
  });

  it('attaches all open editors for a program', async () => {
    for (const name of ['one.txt', 'two.txt']) {
      const document = await vscode.workspace.openTextDocument(await file(name, name));
      await vscode.window.showTextDocument(document, { preview: false });
    }
    await run('attachOpenEditors', STORY);
    assert.deepEqual(names(), ['one.txt', 'two.txt']);
  });

  it('asks before it attaches an older state of a file than the editor shows', async () => {
    const uri = await file('dirty.txt', 'old');
    const editor = await vscode.window.showTextDocument(uri);
    await editor.edit((edit) => edit.replace(new vscode.Range(0, 0, 0, 3), 'new'));
    messages.press('Save and Attach');
    await attachAsPerson(uri);
    assert.deepEqual(
      kept().map(({ bytes }) => bytes.toString()),
      ['new'],
    );
  });

  it('attaches nothing when a changed file cannot be saved', async () => {
    await memoryFileSystem('st-sealed', Buffer.from('old'));
    const uri = vscode.Uri.parse('st-sealed:/m.bin');
    const editor = await vscode.window.showTextDocument(uri);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'new'));
    messages.press('Save and Attach');
    await attachAsPerson(uri);
    await eventually(() =>
      assert.match(messages.texts.at(-1) ?? '', /Nothing was attached because VS Code could not save “m\.bin”/),
    );
    assert.equal(uploads().length, 0);
    await vscode.window.showTextDocument(uri);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });
});

describe('Opening attachments', () => {
  let server: FixtureServer;
  let messages: RecordedMessages;
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
  beforeEach(() => {
    messages = new RecordedMessages();
  });
  afterEach(() => messages.restore());

  it('saves one by its temporary address, without the token', async () => {
    await writeFile(join(folder, 'source.txt'), 'bytes\r\n');
    await run('attachFiles', vscode.Uri.file(join(folder, 'source.txt')), undefined, STORY);
    const [attachmentId] = server.routes.story(104).files.keys();
    const target = vscode.Uri.file(join(folder, 'target.txt'));
    await run('saveAttachment', { ...STORY, attachmentId, target });
    assert.equal(await readFile(target.fsPath, 'utf8'), 'bytes\r\n');
    const download = server.requests.find(({ path }) => path.startsWith('/files/'));
    assert.equal(download?.headers['x-servicetoken'], undefined);
  });

  it('offers the story’s page where the server gives no address, or one that is not of the web', async () => {
    for (const [attachmentId, name] of [
      [31, 'menu.txt'],
      [32, 'trap.html'],
    ]) {
      await run('openAttachment', { storyId: 101, attachmentId });
      const shown = messages.shown.at(-1);
      assert.equal(shown?.text, `The server has no address for “${name}”.`);
      assert.deepEqual(shown.buttons, ['Open Story in Browser']);
    }
  });

  it('says what is not there', async () => {
    const opening = run('openAttachment', { storyId: 101, attachmentId: 4711 });
    await assert.rejects(async () => opening, /does not have this/);
    const without = run('openAttachment', { storyId: 106 });
    await assert.rejects(async () => without, /Story #106 has no attachments/);
  });
});

/** As the Git extension passes them. */
class Change {
  readonly resourceUri: vscode.Uri;
  constructor(uri: vscode.Uri) {
    this.resourceUri = uri;
  }
}

class ChangeGroup {
  readonly id = 'workingTree';
  readonly resourceStates: readonly Change[];
  constructor(changes: readonly Change[]) {
    this.resourceStates = changes;
  }
}

/** A file system of its own scheme, with one small and one large file, in which nothing can be written. */
async function memoryFileSystem(
  scheme = 'st-memory',
  bytes: Buffer = randomBytes(1000),
  whileReading = async () => {},
): Promise<{ readonly bytes: Buffer }> {
  const never = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  const denied = () => {
    throw vscode.FileSystemError.NoPermissions();
  };
  const provider: vscode.FileSystemProvider = {
    onDidChangeFile: never.event,
    watch: () => new vscode.Disposable(() => undefined),
    stat: (uri) => {
      if (uri.path === '/folder') return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };
      const size = uri.path === '/large.bin' ? 1024 ** 3 : bytes.length;
      return { type: vscode.FileType.File, ctime: 0, mtime: 0, size };
    },
    readFile: async (uri) => {
      await whileReading();
      return uri.path.endsWith('/m.bin') ? bytes : denied();
    },
    readDirectory: () => [['m.bin', vscode.FileType.File]],
    createDirectory: denied,
    writeFile: denied,
    delete: denied,
    rename: denied,
  };
  vscode.workspace.registerFileSystemProvider(scheme, provider);
  return { bytes };
}
