import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { ServiceProcess } from '../../src/features/localService/serviceProcess.ts';
import { type RunningService, runningService } from '../support/servers/runningService.ts';
import { silentLog } from '../support/silentLog.ts';
import { RecordedMessages } from '../support/windows/recordedMessages.ts';

const extensionPath = vscode.extensions.getExtension('story-tracker.story-tracker')?.extensionPath ?? '';
const script = join(extensionPath, 'dist/service.js');
const run = <T = unknown>(command: string, ...args: readonly unknown[]) =>
  vscode.commands.executeCommand<T>(`storyTracker.${command}`, ...args);

interface Result {
  readonly projectId: number;
  readonly stories: number;
  readonly newIds: Readonly<Record<string, number>>;
  readonly files: { readonly attached: number; readonly failed: readonly string[] };
}

describe('Moving a project of the built-in service to a server', () => {
  const settings = () => vscode.workspace.getConfiguration('storyTracker');
  let server: RunningService;
  let folder: string;
  /** Another process on the data of the built-in service. */
  let beside: ServiceProcess;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-built-in-'));
    await settings().update('builtIn.dataFolder', folder, vscode.ConfigurationTarget.Global);
    // Its stories have the numbers that those of the server have, too: others come after them.
    await settings().update('builtIn.demoProject', true, vscode.ConfigurationTarget.Global);
    server = await runningService(script);
    await run('signIn', { builtIn: true });
    beside = new ServiceProcess(script, ['serve', '--embedded', '--json', '--data', folder], silentLog);
  });
  after(async () => {
    await run('signOut', { builtIn: true });
    await run('signOut', { baseUrl: server.url }).then(undefined, () => undefined);
    await server.stop();
    await beside.stop();
    await settings().update('builtIn.dataFolder', undefined, vscode.ConfigurationTarget.Global);
    await settings().update('builtIn.demoProject', undefined, vscode.ConfigurationTarget.Global);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  const texts = (xml: string, element: string) =>
    [...xml.matchAll(new RegExp(`<${element}(?: [^>]*)?>([^<]*)</${element}>`, 'g'))].map(([, text]) => text);
  const here = async (method: string, path: string, body?: string) => {
    const { baseUrl, token } = await beside.access;
    const headers = { 'X-ServiceToken': token, ...(body && { 'Content-Type': 'application/xml' }) };
    const answer = await fetch(`${baseUrl}/services/v3${path}`, { method, headers, ...(body && { body }) });
    const text = await answer.text();
    assert.equal(answer.status, 200, text);
    return text;
  };
  const temporary = async () => (await readdir(tmpdir())).filter((name) => name.startsWith('story-tracker-move-'));

  it('is refused for a server without an account, and for a project that is not there', async () => {
    await assert.rejects(
      async () => run('moveToServer', { projectId: 1, baseUrl: server.url }),
      /signed in to as baseUrl/,
    );
    await run('signIn', { baseUrl: server.url, token: server.token });
    await assert.rejects(
      async () => run('moveToServer', { projectId: 999, baseUrl: server.url }),
      /There is no such project in the built-in service/,
    );
  });

  it('keeps IDs, order, comments and files, and the person, and leaves nothing on the way', async () => {
    const projectId = Number(texts(await here('POST', '/projects', '<project><name>Bakery</name></project>'), 'id')[0]);
    const stories = `/projects/${projectId}/stories`;
    const ids: number[] = [];
    for (const name of ['Bread', 'Cake', 'Pie'])
      ids.push(Number(texts(await here('POST', stories, `<story><name>${name}</name></story>`), 'id')[0]));
    const [bread = 0, , pie = 0] = ids;
    await here('POST', `${stories}/${pie}/moves?move[move]=before&move[target]=${bread}`);
    await here('POST', `${stories}/${pie}/notes`, '<note><text>Apple</text></note>');
    await run('refresh');
    const recipe = join(folder, 'recipe.txt');
    await writeFile(recipe, 'Flour');
    await run('attachFiles', vscode.Uri.file(recipe), undefined, { storyId: pie, projectId });

    const result = await run<Result>('moveToServer', { projectId, baseUrl: server.url });
    assert.deepEqual([result.stories, result.newIds, result.files], [3, {}, { attached: 1, failed: [] }]);
    const there = await server.ask('GET', `/projects/${result.projectId}/stories`);
    const before = await here('GET', stories);
    const shown = (xml: string) =>
      [...xml.matchAll(/<story>[\s\S]*?<id[^>]*>(\d+)<[\s\S]*?<\/story>/g)].map(([, id]) => Number(id));
    assert.deepEqual(shown(there), shown(before));
    assert.equal(shown(there).indexOf(pie) + 1, shown(there).indexOf(bread));
    for (const id of ids) assert.ok(shown(there).includes(id));
    assert.match(there, /<text>Apple<\/text>/);
    assert.match(there, /<filename>recipe\.txt<\/filename>/);
    const me = texts(await server.ask('GET', `/projects/${result.projectId}/memberships`), 'name')[0];
    assert.equal(texts(there, 'requested_by')[0], me);
    assert.deepEqual(await temporary(), []);
  });

  it('says to a person what will come, who can turn away', async () => {
    const { showQuickPick } = vscode.window;
    const messages = new RecordedMessages();
    const projects = async () => texts(await server.ask('GET', '/projects'), 'name').length;
    try {
      Object.assign(vscode.window, { showQuickPick: async (items: readonly { readonly label: string }[]) => items[0] });
      const before = await projects();
      assert.equal(await run('moveToServer'), undefined);
      const [asked] = messages.shown;
      assert.match(asked?.text ?? '', /^Move Story Tracker with \d+ stories to 127\.0\.0\.1:\d+\?$/);
      assert.match(asked?.detail ?? '', /^\d+ stories get new IDs because theirs are in use there\./);
      assert.equal(await projects(), before);
      messages.press('Move');
      const result = await run<Result>('moveToServer');
      assert.ok(result && (await projects()) > before);
      assert.match(messages.shown.at(-1)?.text ?? '', /^Moved Story Tracker to .+: \d+ stories, \d+ files?\.$/);
      assert.deepEqual(await temporary(), []);
    } finally {
      Object.assign(vscode.window, { showQuickPick });
      messages.restore();
    }
  });

  it('tells the new IDs of stories whose own are in use', async () => {
    const result = await run<Result>('moveToServer', { projectId: 1, baseUrl: server.url });
    assert.ok(result.stories > 10 && Object.keys(result.newIds).length > 10);
    for (const [id, newId] of Object.entries(result.newIds)) assert.notEqual(Number(id), newId);
    const there = await server.ask('GET', `/projects/${result.projectId}/stories/${Object.values(result.newIds)[0]}`);
    assert.match(there, /<story>/);
    assert.deepEqual(await temporary(), []);
  });
});
