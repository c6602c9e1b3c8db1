import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import {
  countsText,
  failedText,
  namedText,
  newAndChangedText,
  newIdsText,
} from '../../src/features/transfer/transferTexts.ts';
import { eventually } from '../support/eventually.ts';
import { FixtureServer } from '../support/servers/fixtureServer.ts';
import { elementText, type RunningService, runningService } from '../support/servers/runningService.ts';
import { RecordedMessages } from '../support/windows/recordedMessages.ts';

const extensionPath = vscode.extensions.getExtension('story-tracker.story-tracker')?.extensionPath ?? '';
const run = (command: string, ...args: readonly unknown[]) =>
  vscode.commands.executeCommand(`storyTracker.${command}`, ...args);

const TABLE = [
  'Id,Title,Type,Estimate,Current State,Requested By',
  '7001,Bread,feature,2,unstarted,Bob',
  '7002,Cake,bug,,started,Bob',
  '7003,Pie,epic,,unstarted,Bob',
].join('\n');

interface Result {
  readonly created: number;
  readonly isTrial: boolean;
  readonly remarks: readonly { readonly row: number; readonly column: string }[];
  readonly project: { readonly id: number; readonly name: string };
  readonly files: { readonly attached: number; readonly failed: readonly string[] };
}

describe('Files of stories', () => {
  const { showInputBox, showOpenDialog, showQuickPick, showSaveDialog } = vscode.window;
  let server: RunningService;
  let messages: RecordedMessages;
  let folder: string;

  before(async () => {
    server = await runningService(join(extensionPath, 'dist/service.js'));
    await run('signIn', { baseUrl: server.url, token: server.token });
  });
  after(async () => {
    await run('signOut', { baseUrl: server.url });
    await server.stop();
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-'));
    await writeFile(join(folder, 'bakery.csv'), TABLE);
    messages = new RecordedMessages();
  });
  afterEach(async () => {
    Object.assign(vscode.window, { showInputBox, showOpenDialog, showQuickPick, showSaveDialog });
    messages.restore();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(folder, { recursive: true, force: true });
  });

  const projects = async () => [...(await server.ask('GET', '/projects')).matchAll(/<name>([^<]*)<\/name>/g)].length;

  it('are imported and exported by a program, with attached files and nothing of links', async () => {
    await mkdir(join(folder, '7001'));
    await writeFile(join(folder, '7001', 'recipe.txt'), 'Flour');
    await symlink('/etc/hostname', join(folder, '7001', 'link.txt'));
    const before = await projects();
    const wishes = { file: folder, projectName: 'Bakery' };
    const trial = (await run('importStories', { ...wishes, dryRun: true })) as Result;
    assert.deepEqual([trial.isTrial, trial.created, trial.remarks[0]?.row], [true, 2, 4]);
    assert.equal(await projects(), before);
    const result = (await run('importStories', wishes)) as Result;
    assert.deepEqual([result.created, result.project.name, result.files], [2, 'Bakery', { attached: 1, failed: [] }]);
    const stories = await server.ask('GET', `/projects/${result.project.id}/stories`);
    assert.match(stories, /<filename>recipe\.txt<\/filename>/);
    assert.doesNotMatch(stories, /link\.txt/);
    const again = (await run('importStories', { ...wishes, projectId: result.project.id })) as Result;
    assert.deepEqual([again.created, again.files.attached], [0, 0]);

    const out = join(folder, 'out');
    await mkdir(out);
    const exporting = { projectId: result.project.id, file: join(out, 'bakery.xml'), attachments: join(out, 'files') };
    const written = Object(await run('exportProject', exporting)) as { readonly attachments?: number };
    assert.equal(written.attachments, 1);
    assert.match(await readFile(join(out, 'bakery.xml'), 'utf8'), /<name>Bread<\/name>/);
    assert.equal(await readFile(join(out, 'files', '7001', 'recipe.txt'), 'utf8'), 'Flour');
    await run('exportProject', { projectId: result.project.id, file: join(out, 'bakery.csv') });
    assert.match(await readFile(join(out, 'bakery.csv'), 'utf8'), /^Id,Title,/);
  });

  it('are shown to a person before, who matches people and can turn away', async () => {
    const before = await projects();
    const asked: string[][] = [];
    const answers: ((labels: readonly string[]) => number)[] = [];
    Object.assign(vscode.window, {
      showOpenDialog: async () => [vscode.Uri.file(join(folder, 'bakery.csv'))],
      showInputBox: async () => 'Patisserie',
      showQuickPick: async (given: readonly { readonly label: string }[]) => {
        const labels = given.map(({ label }) => label);
        asked.push(labels);
        const index = answers.shift()?.(labels) ?? -1;
        return given[index];
      },
    });
    answers.push(() => 0);
    assert.equal(await run('importStories'), undefined);
    assert.deepEqual(asked[1]?.slice(0, 3), [
      '$(cloud-upload) Import 2 stories',
      'People in the file',
      '$(person) Bob',
    ]);
    assert.ok(
      asked[1]?.some((label) => label.startsWith('$(warning) Type: epic')),
      asked[1]?.join('\n'),
    );
    assert.equal(await projects(), before);

    const person = (labels: readonly string[]) => labels.indexOf('$(person) Bob');
    const me = (labels: readonly string[]) => labels.findIndex((label) => label.startsWith('$(person)'));
    answers.push(
      () => 0,
      person,
      me,
      () => 0,
    );
    const result = (await run('importStories')) as Result;
    assert.deepEqual([result.created, result.project.name], [2, 'Patisserie']);
    const story = await server.ask('GET', `/projects/${result.project.id}/stories`);
    assert.notEqual(elementText(story, 'requested_by'), 'Bob');
    assert.match(messages.shown.at(-1)?.text ?? '', /Imported 2 stories into Patisserie/);
  });

  it('tell once what is wrong with a column, and all of it in a text that needs no saving', async () => {
    await writeFile(join(folder, 'bakery.csv'), `${TABLE}\n7004,Tart,saga,,unstarted,Bob`);
    const offered: (readonly vscode.QuickPickItem[])[] = [];
    Object.assign(vscode.window, {
      showOpenDialog: async () => [vscode.Uri.file(join(folder, 'bakery.csv'))],
      showInputBox: async () => 'Odd',
      showQuickPick: async (given: readonly vscode.QuickPickItem[]) => {
        offered.push(given);
        const choices = [given[0], given.find(({ label }) => label.endsWith('Show All'))];
        return choices[offered.length - 1];
      },
    });
    assert.equal(await run('importStories'), undefined);
    const odd = offered[1]?.filter(({ label }) => label.startsWith('$(warning) Type:'));
    assert.deepEqual(
      odd?.map(({ label, description }) => [label, description]),
      [['$(warning) Type: epic, …', 'rows 4, 5']],
    );
    const report = vscode.window.activeTextEditor?.document;
    assert.match(report?.getText() ?? '', /row 4.*"epic".*\nrow 5.*"saga"/);
    assert.deepEqual([report?.isUntitled, report?.isDirty], [false, false]);
  });

  it('are exported where a person says, who can open the file then', async () => {
    const [only] = [...(await server.ask('GET', '/projects')).matchAll(/<id[^>]*>(\d+)</g)].map(([, id]) => Number(id));
    const file = join(folder, 'taken.csv');
    Object.assign(vscode.window, {
      showSaveDialog: async () => vscode.Uri.file(file),
      showQuickPick: async ([stories]: readonly unknown[]) => stories,
    });
    messages.press('Open File');
    await run('exportProject', { projectId: only });
    const isOpen = () => assert.equal(vscode.window.activeTextEditor?.document.uri.fsPath, file);
    await eventually(isOpen);
    assert.match(messages.texts.at(-1) ?? '', /^Exported .+\.$/);
  });

  it('ask again where an address is refused, with all that was matched', async () => {
    const described: (string | undefined)[] = [];
    const inputs = ['Tearoom', 'nobody@example.org'];
    const bob = '$(person) Bob';
    const answers: ((labels: readonly string[]) => number)[] = [
      () => 0,
      (labels) => labels.indexOf(bob),
      (labels) => labels.findIndex((label) => label.endsWith('Another Email Address…')),
      () => 0,
      (labels) => labels.indexOf(bob),
      (labels) => labels.findIndex((label) => label.endsWith('Keep the Name')),
      () => 0,
    ];
    Object.assign(vscode.window, {
      showOpenDialog: async () => [vscode.Uri.file(join(folder, 'bakery.csv'))],
      showInputBox: async () => inputs.shift(),
      showQuickPick: async (given: readonly vscode.QuickPickItem[]) => {
        described.push(given.find(({ label }) => label === bob)?.description);
        return given[answers.shift()?.(given.map(({ label }) => label)) ?? -1];
      },
    });
    const result = (await run('importStories')) as Result;
    assert.deepEqual([result.created, result.project.name, answers], [2, 'Tearoom', []]);
    const name = 'kept as a name';
    const address = 'nobody@example.org';
    assert.deepEqual(described, [undefined, name, undefined, address, address, undefined, name]);
    assert.match(messages.texts.join('\n'), /No user has the address.*nobody@example\.org/);
    assert.equal((await server.ask('GET', '/projects')).split('<name>Tearoom</name>').length, 2, 'it is made once');
  });

  it('are refused in words, and leave no file behind', async () => {
    await writeFile(join(folder, 'bakery.csv'), 'Nothing,of the kind\n1,2');
    const file = join(folder, 'bakery.csv');
    await assert.rejects(async () => run('importStories', { file, projectName: 'No' }), /name the columns/);
    await assert.rejects(
      async () => run('importStories', { file: join(folder, 'gone.csv'), projectName: 'No' }),
      /no longer exists/,
    );
    const foreign = await FixtureServer.start();
    await run('signIn', { baseUrl: foreign.url, token: foreign.token });
    try {
      const out = join(folder, 'no.csv');
      const exporting = async () => run('exportProject', { projectId: 7, file: out });
      await assert.rejects(exporting, /does not import or export projects/);
      assert.deepEqual(await readdir(folder), ['bakery.csv']);
    } finally {
      await run('signOut', { baseUrl: foreign.url });
      await foreign.stop();
    }
  });
});

describe('What is said of an import', () => {
  const report = {
    ...{ isTrial: true, project: { id: 1, name: 'Bakery', isNew: true }, people: [], notNamed: [], remarks: [] },
    ...{ created: 1234, updated: 0, unchanged: 0, deleted: 0, leftOut: 0, renumbered: 0, filesMissing: 0 },
    ...{ remarkCount: 0, types: {}, states: {} },
  };

  it('has counts with separators, and one of a kind as one', () => {
    const more = { types: { feature: 1200, bug: 1, epic: 2 }, states: { unstarted: 1202, started: 1 } };
    assert.equal(
      countsText({ ...report, ...more, unchanged: 1500, leftOut: 2, filesMissing: 1 }, 2000),
      '1,200 features, 1 bug, 2 epic · 1,500 unchanged · 2 left out · 2,000 files · 1 attachment without its file · 1,202 unstarted, 1 started',
    );
    assert.deepEqual(
      [
        [1, 0],
        [1234, 0],
        [0, 1],
        [1234, 5678],
        [2, 1],
      ].map(([created = 0, updated = 0]) => newAndChangedText({ created, updated })),
      [
        '1 story',
        '1,234 stories',
        '1 changed story',
        '1,234 new and 5,678 changed stories',
        '2 new and 1 changed story',
      ],
    );
    assert.deepEqual([namedText(1), namedText(2345)], ['Named once', 'Named 2,345 times']);
    assert.equal(
      failedText({ attached: 1, failed: ['a.txt: Too large.'] }),
      '1 file could not be attached: a.txt: Too large.',
    );
    assert.match(newIdsText(1), /^1 story gets a new ID/);
  });
});
