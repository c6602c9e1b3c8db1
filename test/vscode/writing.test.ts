import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { eventually } from '../support/eventually.ts';
import { elementText, type RunningService, runningService } from '../support/servers/runningService.ts';
import { FakeInputBox } from '../support/windows/fakeInputBox.ts';
import { RecordedMessages } from '../support/windows/recordedMessages.ts';

const extensionPath = vscode.extensions.getExtension('story-tracker.story-tracker')?.extensionPath ?? '';
const run = (command: string, ...args: readonly unknown[]) =>
  vscode.commands.executeCommand(`storyTracker.${command}`, ...args);

describe('Stories are written', () => {
  const { createInputBox, showInputBox, showQuickPick } = vscode.window;
  let server: RunningService;
  let messages: RecordedMessages;
  let projectId: number;
  let otherId: number;

  before(async () => {
    server = await runningService(join(extensionPath, 'dist/service.js'));
    projectId = await newProject('Bakery');
    otherId = await newProject('Kitchen');
    await run('signIn', { baseUrl: server.url, token: server.token });
  });
  after(async () => {
    await run('signOut', { baseUrl: server.url });
    await server.stop();
  });
  beforeEach(() => {
    messages = new RecordedMessages();
  });
  afterEach(() => {
    Object.assign(vscode.window, { createInputBox, showInputBox, showQuickPick });
    messages.restore();
  });

  async function newProject(name: string): Promise<number> {
    const answer = await server.ask('POST', '/projects', `<project><name>${name}</name></project>`);
    return Number(elementText(answer, 'id'));
  }

  const path = (storyId: number, project = projectId) => `/projects/${project}/stories/${storyId}`;
  const story = (storyId: number, project = projectId) => server.ask('GET', path(storyId, project));
  const isGone = (storyId: number, project = projectId) =>
    assert.rejects(story(storyId, project), /Resource not found/, `#${storyId} in ${project}`);
  const texts = (xml: string, name: string) =>
    [...xml.matchAll(new RegExp(`<${name}(?: [^>]*)?>([^<]*)</${name}>`, 'g'))].map(([, text]) => text ?? '');
  async function order(project = projectId): Promise<readonly string[]> {
    return texts((await server.ask('GET', `/projects/${project}/stories`)).replace(/<tasks.*?<\/tasks>/gs, ''), 'name');
  }

  async function create(name: string, more: object = {}): Promise<number> {
    const answer: unknown = await run('newStory', { projectId, name, ...more });
    const { storyId } = Object(answer) as { readonly storyId?: unknown };
    assert.ok(typeof storyId === 'number' && storyId > 0, JSON.stringify(answer));
    return storyId;
  }

  /** The number that a status or a message told last: what was restored got a new one. */
  async function numberOf(name: string, project = projectId): Promise<number> {
    const list = await server.ask('GET', `/projects/${project}/stories`);
    const found = [...list.matchAll(/<story\b.*?<\/story>/gs)].map(([xml]) => xml);
    const [xml = ''] = found.filter((one) => elementText(one, 'name') === name);
    return Number(elementText(xml, 'id'));
  }

  describe('newStory', () => {
    it('takes what contract.md has, and resolves with the number', async () => {
      const fields = { type: 'bug', description: 'Too **hot**', labels: ['oven', 'b c'], place: 'bottom' };
      const xml = await story(await create('Burns', fields));
      assert.deepEqual(
        ['name', 'story_type', 'description', 'labels', 'current_state'].map((name) => elementText(xml, name)),
        ['Burns', 'bug', 'Too **hot**', 'oven,b c', 'unstarted'],
      );
      assert.equal(elementText(await story(await create('Sized', { estimate: 2 })), 'estimate'), '2');
    });

    it('puts it at the top, the bottom or into the icebox', async () => {
      await create('Middle', { place: 'bottom' });
      await create('First', { place: 'top' });
      await create('Frozen', { place: 'icebox' });
      await create('Frozen too');
      const names = await order();
      const among = names.filter((name) => ['Middle', 'First', 'Frozen', 'Frozen too'].includes(name));
      assert.deepEqual(among, ['First', 'Middle', 'Frozen too', 'Frozen']);
    });

    for (const [given, mend] of [
      [{}, /Pass the story as \{ name: string, /],
      [{ name: '' }, /Pass name as string\./],
      [{ name: 'x', place: 'middle' }, /Pass place as "top" \| "bottom" \| "icebox"\./],
      [{ name: 'x', projectId: '7' }, /Pass projectId as number\./],
      [{ name: 'x', projectId: 999 }, /Could not find project 999\./],
      [{ name: 'x', labels: 'a' }, /Pass labels as string\[\]\./],
    ] as const) {
      it(`rejects ${JSON.stringify(given)} with how to pass it`, async () => {
        await assert.rejects(async () => run('newStory', given), mend);
        assert.deepEqual(messages.shown, []);
      });
    }

    it('gives those without a description the template of their type', async () => {
      const settings = vscode.workspace.getConfiguration('storyTracker');
      await settings.update('storyTemplates', { bug: '## Steps', chore: ' ' }, vscode.ConfigurationTarget.Global);
      try {
        const description = async (name: string, more: object) =>
          elementText(await story(await create(name, more)), 'description') ?? '';
        assert.equal(await description('Fails', { type: 'bug' }), '## Steps');
        assert.equal(await description('Fails so', { type: 'bug', description: 'So' }), 'So');
        assert.equal(await description('Sweep', { type: 'chore' }), '');
        assert.equal(await description('Taste', {}), '');
      } finally {
        await settings.update('storyTemplates', undefined, vscode.ConfigurationTarget.Global);
      }
    });

    it('makes a story of each line that is pasted, once they were seen, and one undo takes them back', async () => {
      await vscode.env.clipboard.writeText('- Mix\n- [ ] Knead\n3. Bake\n');
      const seen: string[][] = [];
      const pick = async (
        items: readonly { readonly label: string; readonly project?: string }[],
        options: vscode.QuickPickOptions,
      ) => {
        seen.push(items.map(({ label }) => label));
        if (options.canPickMany) return items.slice(0, 2);
        return items.find(({ label }) => label === 'Bakery' || label.endsWith('bug'));
      };
      const box = new FakeInputBox();
      Object.assign(vscode.window, { createInputBox: () => box, showQuickPick: pick });
      const created = run('newStory');
      await eventually(() => assert.ok(box.isOpen));
      box.type('- Mix- [ ] Knead3. Bake');
      await eventually(() => assert.match(JSON.stringify(box.validationMessage), /these 3 lines/));
      box.enter();
      await created;
      assert.deepEqual(seen.at(-2), ['Mix', 'Knead', 'Bake']);
      assert.deepEqual(
        (await order()).filter((name) => /^(Mix|Knead|Bake)$/.test(name)),
        ['Mix', 'Knead'],
      );
      await run('undoEdit', {});
      assert.deepEqual(
        (await order()).filter((name) => /^(Mix|Knead|Bake)$/.test(name)),
        [],
      );
      await run('redoEdit', {});
      assert.deepEqual(
        (await order()).filter((name) => /^(Mix|Knead|Bake)$/.test(name)),
        ['Mix', 'Knead'],
      );
    });

    it('offers a name again that was typed when the box was closed', async () => {
      const pick = async (items: readonly { readonly label: string }[]) =>
        items.find(({ label }) => label === 'Bakery' || label.endsWith('chore'));
      let box = new FakeInputBox();
      const createBox = () => {
        box = new FakeInputBox();
        return box;
      };
      Object.assign(vscode.window, { createInputBox: createBox, showQuickPick: pick });
      const closed = run('newStory');
      await eventually(() => assert.ok(box.isOpen));
      box.type('Dust the sh');
      box.hide();
      assert.equal(await closed, undefined);
      const created = run('newStory');
      await eventually(() => assert.ok(box.isOpen));
      assert.equal(box.value, 'Dust the sh');
      box.enter();
      await created;
      assert.ok((await order()).includes('Dust the sh'));
      const next = run('newStory');
      await eventually(() => assert.ok(box.isOpen));
      assert.equal(box.value, '');
      box.hide();
      await next;
    });

    it('is not undone once someone has worked on it', async () => {
      const id = await create('Proof');
      await server.ask('POST', `${path(id)}/notes`, '<note><text>Warm water</text></note>');
      await assert.rejects(async () => run('undoEdit', {}), new RegExp(`worked on since: #${id}`));
      await story(id);
    });

    for (const [what, method, below, xml] of [
      ['added a task to it', 'POST', '/tasks', '<task><description>Warm water</description></task>'],
      ['begun it', 'PUT', '', '<story><estimate>1</estimate><current_state>started</current_state></story>'],
    ] as const) {
      it(`is not undone once someone has ${what}`, async () => {
        const id = await create('Proof');
        await server.ask(method, `${path(id)}${below}`, xml);
        await assert.rejects(async () => run('undoEdit', {}), new RegExp(`worked on since: #${id}`));
        await story(id);
      });
    }
  });

  describe('editStory', () => {
    it('sets any of the fields, which one undo takes back', async () => {
      const id = await create('Slice', { description: 'Thin' });
      const wanted = { name: 'Cut', description: 'Thick', type: 'bug', labels: ['knife'] };
      await run('editStory', { storyId: id, ...wanted });
      const fields = async () => {
        const xml = await story(id);
        return ['name', 'description', 'story_type', 'labels'].map((name) => elementText(xml, name));
      };
      assert.deepEqual(await fields(), ['Cut', 'Thick', 'bug', 'knife']);
      await run('undoEdit', {});
      assert.deepEqual(await fields(), ['Slice', 'Thin', 'feature', undefined]);
      await run('editStory', { storyId: id, description: null });
      assert.equal((await fields())[1] ?? '', '');
    });

    it('sets the deadline of a release', async () => {
      const id = await create('Opening', { type: 'release' });
      await run('editStory', { storyId: id, deadline: '2027-03-01' });
      assert.match(elementText(await story(id), 'deadline') ?? '', /^2027\/03\/01/);
    });

    it('overwrites nothing that someone else has written since', async () => {
      const id = await create('Glaze', { description: 'Egg' });
      await run('copyId', { storyId: id });
      await server.ask('PUT', path(id), '<story><description>Milk</description></story>');
      await assert.rejects(
        async () => run('editStory', { storyId: id, description: 'Water' }),
        /The description of story #\d+ was changed elsewhere/,
      );
      assert.equal(elementText(await story(id), 'description'), 'Milk');
    });

    it('rejects a field that is not of its form', async () => {
      await assert.rejects(
        async () => run('editStory', { storyId: 1, estimate: '3' }),
        /Pass estimate as number \| null\./,
      );
    });
  });

  describe('deleteStory', () => {
    it('asks and says what goes with it, and leaves it when that is turned away', async () => {
      const id = await create('Shelf');
      await server.ask('POST', `${path(id)}/notes`, '<note><text>Oak</text></note>');
      await server.ask('POST', `${path(id)}/tasks`, '<task><description>Saw</description></task>');
      await run('refresh');
      await run('deleteStory', { storyId: id });
      const [asked] = messages.shown;
      assert.equal(asked?.text, `Delete #${id} “Shelf”?`);
      assert.equal(
        asked?.detail,
        'This also deletes 1 comment and 1 task.\nUndo restores the story with a new ID, but not its comments.',
      );
      await story(id);
      messages.press('Delete');
      await run('deleteStory', { storyId: id });
      await isGone(id);
    });

    it('says of a story with nothing besides its fields only how it is taken back', async () => {
      await run('deleteStory', { storyId: await create('Shelf') });
      assert.deepEqual(
        messages.shown.map(({ detail }) => detail),
        ['Undo restores the story with a new ID.'],
      );
    });

    it('taken back makes it again with fields, labels and tasks at its place, and says what is lost', async () => {
      await create('Before', { place: 'top' });
      const fields = { type: 'bug', description: 'Cold', labels: ['oven'], place: 'top' };
      const id = await create('Oven', fields);
      await create('After', { place: 'top' });
      await server.ask('POST', `${path(id)}/tasks`, '<task><description>Heat</description></task>');
      await server.ask(
        'POST',
        `${path(id)}/tasks`,
        '<task><description>Wait</description><complete>true</complete></task>',
      );
      await server.ask('POST', `${path(id)}/notes`, '<note><text>Gas</text></note>');
      await run('refresh');
      const names = await order();
      await run('deleteStory', { storyId: id, confirmed: true });
      await isGone(id);
      assert.deepEqual(messages.shown, []);

      await run('undoEdit', {});
      const again = await numberOf('Oven');
      const xml = await story(again);
      assert.deepEqual(await order(), names);
      assert.deepEqual(
        ['story_type', 'labels', 'current_state'].map((name) => elementText(xml, name)),
        ['bug', 'oven', 'unstarted'],
      );
      const tasks = await server.ask('GET', `${path(again)}/tasks`);
      assert.deepEqual(
        [texts(tasks, 'description'), texts(tasks, 'complete')],
        [
          ['Heat', 'Wait'],
          ['false', 'true'],
        ],
      );
      assert.deepEqual(messages.texts, [`Restored story #${id}. Its ID is now #${again}. Not restored: 1 comment.`]);

      await run('redoEdit', {});
      await isGone(again);
      await run('undoEdit', {});
      assert.deepEqual(await order(), names);
    });

    it('one after the other, taken back one after the other, leaves the order that was', async () => {
      const ids: number[] = [];
      for (const name of ['Third', 'Second', 'First']) ids.unshift(await create(name, { place: 'top' }));
      await run('refresh');
      const names = await order();
      assert.deepEqual(names.slice(0, 3), ['First', 'Second', 'Third']);
      for (const storyId of ids) await run('deleteStory', { storyId, confirmed: true });
      for (const _ of ids) await run('undoEdit', {});
      assert.deepEqual(await order(), names);
    });

    it('is told in the tab of the story, and taken back leads to the new one', async () => {
      const id = await create('Sieve');
      await run('openStory', { storyId: id });
      const tabs = () =>
        vscode.window.tabGroups.all.flatMap((group) =>
          group.tabs.map(({ label }) => label.replaceAll(/[\u2068\u2069]/g, '')),
        );
      await eventually(() => assert.ok(tabs().includes(`#${id} Sieve`), tabs().join()));
      await run('deleteStory', { storyId: id, confirmed: true });
      await eventually(() => assert.ok(tabs().includes(`#${id} Sieve (Deleted)`), tabs().join()));
      await run('undoEdit', {});
      const again = await numberOf('Sieve');
      assert.notEqual(again, id);
      assert.deepEqual(messages.shown, []);
      await run('refresh');
      assert.ok(tabs().includes(`#${id} Sieve (Deleted)`), tabs().join());
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    });

    it('shows a hostile name as text that does nothing', async () => {
      const id = await create('<b>x</b> [run](command:workbench.action.quit) \u202ekcab $(flame)\nsecond');
      await run('deleteStory', { storyId: id });
      const [asked] = messages.shown;
      assert.equal(
        asked?.text,
        `Delete #${id} “<b>x</b> [run]\u2060(command:workbench.action.quit) \ufffdkcab $(flame) second”?`,
      );
      assert.doesNotMatch(asked?.detail ?? '', /[\u202a-\u202e]/);
    });

    it('quotes the server that refuses', async () => {
      await assert.rejects(
        async () => run('deleteStory', { storyId: 999_999, confirmed: true }),
        /Could not find story/,
      );
      await assert.rejects(async () => run('deleteStory', { confirmed: true }), /storyId/);
    });
  });

  describe('duplicateStory', () => {
    it('copies fields, labels and tasks right behind the story', async () => {
      await create('Last', { place: 'top' });
      const id = await create('Roll', { type: 'chore', description: 'Flat', labels: ['pin'], place: 'top' });
      await server.ask(
        'POST',
        `${path(id)}/tasks`,
        '<task><description>Flour</description><complete>true</complete></task>',
      );
      await run('refresh');
      const answer: unknown = await run('duplicateStory', { storyId: id });
      const copy = await numberOf('Copy of Roll');
      assert.deepEqual(answer, { storyId: copy });
      assert.deepEqual((await order()).slice(0, 3), ['Roll', 'Copy of Roll', 'Last']);
      const xml = await story(copy);
      assert.deepEqual(
        ['story_type', 'labels', 'current_state'].map((name) => elementText(xml, name)),
        ['chore', 'pin', 'unstarted'],
      );
      const tasks = await server.ask('GET', `${path(copy)}/tasks`);
      assert.deepEqual([texts(tasks, 'description'), texts(tasks, 'complete')], [['Flour'], ['false']]);
      await run('undoEdit', {});
      await isGone(copy);
    });
  });

  describe('undo after undo', () => {
    it('takes back what was done before a deletion, the story being another by then', async () => {
      const id = await create('Yeast');
      await run('editStory', { storyId: id, name: 'Sourdough' });
      await run('addTask', { storyId: id, description: 'Feed' });
      await run('deleteStory', { storyId: id, confirmed: true });
      for (const _ of [1, 2, 3]) await run('undoEdit', {});
      const restored = await numberOf('Yeast');
      assert.notEqual(restored, id);
      assert.doesNotMatch(await story(restored), /Feed/);
      await run('undoEdit', {});
      await isGone(restored);
      assert.ok(!(await order()).includes('Yeast'));
    });

    it('takes a story back to the project from which it was moved before it was deleted', async () => {
      const otherId = await newProject('Other bakery');
      await run('refresh');
      const id = await create('Poolish');
      await run('editStory', { storyId: id, name: 'Biga' });
      await run('moveToProject', { storyId: id, targetProjectId: otherId });
      await run('deleteStory', { storyId: id, confirmed: true });
      for (const _ of [1, 2, 3]) await run('undoEdit', {});
      assert.ok((await order()).includes('Poolish'));
      assert.deepEqual(await order(otherId), []);
    });
  });

  describe('moveToProject', () => {
    it('takes a story along with its number, and back to its place', async () => {
      await create('Below', { place: 'top' });
      const id = await create('Pan', { place: 'top', labels: ['iron'] });
      await create('Above', { place: 'top' });
      await server.ask('POST', `${path(id)}/notes`, '<note><text>Cast</text></note>');
      await run('refresh');
      const names = await order();
      await run('moveToProject', { storyId: id, targetProjectId: otherId });
      assert.equal(elementText(await story(id, otherId), 'name'), 'Pan');
      await isGone(id);
      await run('copyTitle', { storyId: id, projectId: otherId });
      await run('copyMarker', { storyId: id });
      assert.equal(await vscode.env.clipboard.readText(), `[fixes #${id}]`);
      await run('undoEdit', {});
      assert.deepEqual(await order(), names);
      assert.match(await server.ask('GET', `${path(id)}/notes`), /Cast/);
      await run('redoEdit', {});
      await story(id, otherId);
      await run('undoEdit', {});
      assert.deepEqual(await order(), names);
    });

    it('is found there by the marker of an old commit', async () => {
      const id = await create('Whisk');
      await run('refresh');
      await run('moveToProject', { storyId: id, targetProjectId: otherId });
      const content = `[fixes #${id}] Beat eggs`;
      const document = await vscode.workspace.openTextDocument({ language: 'git-commit', content });
      await eventually(async () => {
        const asked = ['vscode.executeHoverProvider', document.uri, new vscode.Position(0, 9)] as const;
        const cards = await vscode.commands.executeCommand<vscode.Hover[]>(...asked);
        const texts = cards.flatMap(({ contents }) =>
          contents.map((one) => (typeof one === 'string' ? one : one.value)),
        );
        assert.match(texts.join('\n'), /Whisk/);
      });
      await run('moveToProject', { storyId: id, targetProjectId: projectId });
      await story(id);
    });

    it('offers the other projects of the server', async () => {
      const id = await create('Pot');
      let offered: readonly string[] = [];
      const pick = async (items: readonly { readonly label: string }[]) => {
        offered = items.map(({ label }) => label);
        return items.find(({ label }) => label === 'Kitchen');
      };
      Object.assign(vscode.window, { showQuickPick: pick });
      await run('moveToProject', { storyId: id });
      assert.ok(offered.includes('Kitchen') && !offered.includes('Bakery'));
      await story(id, otherId);
    });

    it('names the projects there are where none fits', async () => {
      const id = await create('Lid');
      const mend = new RegExp(`Pass the target as \\{ targetProjectId: number \\}, one of .*\\b${otherId}\\b`);
      await assert.rejects(async () => run('moveToProject', { storyId: id, targetProjectId: projectId }), mend);
    });
  });

  describe('tasks', () => {
    const tasksOf = async (storyId: number) => {
      const xml = await server.ask('GET', `${path(storyId)}/tasks`);
      const [names, ticks] = [texts(xml, 'description'), texts(xml, 'complete')];
      return names.map((name, index) => (ticks[index] === 'true' ? `${name} ✓` : name));
    };
    const taskId = async (storyId: number, index: number) =>
      Number(texts(await server.ask('GET', `${path(storyId)}/tasks`), 'id')[index]);

    it('are added, edited and deleted, and each is taken back', async () => {
      const id = await create('Dough');
      for (const description of ['Flour', 'Water', 'Salt']) await run('addTask', { storyId: id, description });
      const second = await taskId(id, 1);
      await run('editTask', { storyId: id, taskId: second, description: 'Milk' });
      assert.deepEqual(await tasksOf(id), ['Flour', 'Milk', 'Salt']);
      await run('undoEdit', {});
      assert.deepEqual(await tasksOf(id), ['Flour', 'Water', 'Salt']);
      await server.ask('PUT', `${path(id)}/tasks/${second}`, '<task><complete>true</complete></task>');
      await run('refresh');
      await run('deleteTask', { storyId: id, taskId: second });
      assert.deepEqual(await tasksOf(id), ['Flour', 'Salt']);
      await run('undoEdit', {});
      assert.deepEqual(await tasksOf(id), ['Flour', 'Water ✓', 'Salt']);
      await run('redoEdit', {});
      assert.deepEqual(await tasksOf(id), ['Flour', 'Salt']);
      await run('undoEdit', {});
      await run('undoEdit', {});
      assert.deepEqual(await tasksOf(id), ['Flour', 'Water ✓']);
    });

    it('say how they are passed', async () => {
      const id = await create('Crust');
      await assert.rejects(async () => run('deleteTask', { storyId: id }), /\{ storyId: number, taskId: number \}/);
      await assert.rejects(async () => run('deleteTask', { storyId: id, taskId: 9 }), /has no task 9\./);
      await assert.rejects(async () => run('addTask', { storyId: id, description: '' }), /\{ description: string \}/);
    });
  });

  it('copies its title', async () => {
    const id = await create('Sift & stir');
    await run('copyTitle', { storyId: id });
    await eventually(async () => assert.equal(await vscode.env.clipboard.readText(), 'Sift & stir'));
  });
});

describe('Moving a story on a server with one project', () => {
  let server: RunningService;
  let messages: RecordedMessages;
  let storyId: number;

  beforeEach(async () => {
    server = await runningService(join(extensionPath, 'dist/service.js'));
    const made = await server.ask('POST', '/projects/1/stories', '<story><name>Jar</name></story>');
    storyId = Number(elementText(made, 'id'));
    await run('signIn', { baseUrl: server.url, token: server.token });
    messages = new RecordedMessages();
  });
  afterEach(async () => {
    messages.restore();
    await run('signOut', { baseUrl: server.url });
    await server.stop();
  });

  it('says calmly that there is no other, and offers a new one', async () => {
    const { showInputBox } = vscode.window;
    const asked: (string | undefined)[] = [];
    const type = async ({ title, prompt }: vscode.InputBoxOptions) => void asked.push(title ?? prompt);
    Object.assign(vscode.window, { showInputBox: type });
    messages.press('New Project…');
    try {
      await run('moveToProject', { storyId, caller: 'person' });
    } finally {
      Object.assign(vscode.window, { showInputBox });
    }
    const text = 'There is no other project on this server to move stories to.';
    assert.deepEqual(messages.shown, [{ kind: 'info', text, buttons: ['New Project…'] }]);
    assert.equal(asked.length, 1);
    await assert.rejects(async () => run('moveToProject', { storyId }), new RegExp(text));
  });

  it('says who can help where the others may only be viewed', async () => {
    await run('ownStory', { storyId });
    const added = await server.ask('POST', '/projects', '<project><name>Pantry</name></project>');
    const members = `/projects/${elementText(added, 'id')}/memberships`;
    const email = /<email>([^<]*)</.exec(await server.ask('GET', members))?.[1];
    for (const [role, who] of [
      ['Owner', 'tobin.ashgrove@example.com'],
      ['Viewer', email],
    ]) {
      const person = `<person><name>${who}</name><initials>X</initials><email>${who}</email></person>`;
      await server.ask('POST', members, `<membership><role>${role}</role>${person}</membership>`);
    }
    await run('refresh');
    await run('moveToProject', { storyId, caller: 'person' });
    assert.deepEqual(
      messages.shown.map(({ kind }) => kind),
      ['info'],
    );
    assert.match(messages.texts.join(), /^You can only view the other projects .* Ask an owner/);
  });
});
