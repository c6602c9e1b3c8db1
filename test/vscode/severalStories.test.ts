import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { findStory } from '../../src/core/backlog/backlog.ts';
import { copyId, copyLink, copyMarker, deleteRow } from '../../src/features/stories/commands.ts';
import { StoryPanels } from '../../src/features/storyPanel/storyPanels.ts';
import { applyEdits, type WorkNeeds } from '../../src/features/work/applyEdits.ts';
import {
  changeState,
  changeType,
  deleteStory,
  editLabels,
  editStory,
  renameStory,
} from '../../src/features/work/commands.ts';
import { tickTask } from '../../src/features/work/taskCommands.ts';
import { Accounts } from '../../src/host/accounts/accounts.ts';
import { createBacklogs } from '../../src/host/app.ts';
import { Engine } from '../../src/host/engine/engine.ts';
import type { Backlogs } from '../../src/host/projects/backlogs.ts';
import { Messages } from '../../src/host/shell/messages.ts';
import { commentDraft, fieldDrafts } from '../../src/host/story/draftFiles.ts';
import { RestoredStories } from '../../src/host/story/restoredStories.ts';
import { makeReversibly } from '../../src/host/story/reversibleStories.ts';
import { StoryArgument } from '../../src/host/story/storyArgument.ts';
import { UndoHistory } from '../../src/host/story/undoHistory.ts';
import { IterationNode, StoryNode } from '../../src/host/tree/nodes.ts';
import { StoriesViewHolder } from '../../src/host/tree/storiesView.ts';
import { eventually } from '../support/eventually.ts';
import { FixtureServer } from '../support/servers/fixtureServer.ts';
import { silentLog } from '../support/silentLog.ts';
import { FakeInputBox } from '../support/windows/fakeInputBox.ts';
import { KeptDrafts } from '../support/windows/keptDrafts.ts';
import { MemorySecrets } from '../support/windows/memorySecrets.ts';
import { RecordedMessages } from '../support/windows/recordedMessages.ts';

const extensionPath = vscode.extensions.getExtension('story-tracker.story-tracker')?.extensionPath ?? '';
const key = { accountId: 'bakery', projectId: 7 };

/** A window on the bakery, whose rows are passed to commands as the tree passes them. */
class Window {
  readonly needs: WorkNeeds;
  readonly backlogs: Backlogs;
  /** What is selected in the tree. */
  selected: readonly StoryNode[] = [];
  readonly kept = new KeptDrafts();
  private readonly engine = new Engine(join(extensionPath, 'dist/worker.js'), silentLog);
  private readonly accounts: Accounts;

  constructor() {
    const storiesView = new StoriesViewHolder();
    storiesView.attach({ selection: () => this.selected, reveal: async () => {} });
    const access = () => Promise.reject(new Error('There is no built-in service here.'));
    this.accounts = new Accounts(new MemorySecrets(), this.engine, { access });
    this.backlogs = createBacklogs(this.accounts, silentLog);
    this.needs = {
      accounts: this.accounts,
      backlogs: this.backlogs,
      log: silentLog,
      messages: new Messages(silentLog, () => undefined),
      restoredStories: new RestoredStories(),
      storiesView,
      storyArgument: new StoryArgument(this.backlogs, storiesView),
      undoHistory: new UndoHistory(async () => true),
      workspaceMemory: {
        keys: () => [],
        get: <T>(_: string, otherwise?: T) => otherwise as T,
        update: async () => undefined,
      },
      openDrafts: async () => this.kept.drafts,
    };
  }

  async open(server: FixtureServer): Promise<void> {
    await this.accounts.add({ id: 'bakery', label: 'Bakery', kind: 'server', baseUrl: server.url }, server.token);
    await this.backlogs.all();
  }

  /** The row clicked and all that are selected. */
  async rows(...ids: readonly number[]): Promise<readonly [StoryNode | undefined, readonly StoryNode[]]> {
    const backlog = await this.backlogs.backlog(key);
    const stories = ids.flatMap((id) => findStory(backlog, id) ?? []);
    const iteration = new IterationNode(key, 'current', undefined, stories);
    const rows = stories.map((story) => new StoryNode(key, story, iteration));
    return [rows[0], rows];
  }

  /** What shows stories in tabs. */
  panels(): StoryPanels {
    const written = { addTask: async () => {}, applyEdits: async () => [] };
    return new StoryPanels(
      { ...this.needs, drafts: this.kept.drafts, engine: this.engine, ...written },
      vscode.Uri.file(extensionPath),
    );
  }

  async close(): Promise<void> {
    this.backlogs.dispose();
    this.accounts.dispose();
    this.kept.dispose();
    await this.engine.dispose();
  }
}

describe('Several stories at once', () => {
  let server: FixtureServer;
  let window: Window;
  const fieldOf = (id: number, name: string) =>
    />(.*)</.exec(server.routes.story(id).elements.get(name) ?? '')?.[1] ?? '';
  const isThere = (id: number) => server.order.includes(id);
  const fields = (name: string, ...ids: readonly number[]) => ids.map((id) => fieldOf(id, name));

  beforeEach(async () => {
    server = await FixtureServer.start();
    window = new Window();
    await window.open(server);
  });
  afterEach(async () => {
    await window.close();
    await server.stop();
  });

  it('are told of as the local copy has them where another window had the answer', async () => {
    const submit = async () => ({ entryIds: ['1'], sent: 1, repeated: 0, isElsewhere: true as const });
    const backlogs: Backlogs = Object.assign(Object.create(window.backlogs), { submit });
    const [, rows] = await window.rows(101, 102);
    const wanted = rows.map(({ story }) => {
      const name = `Mine ${story.id}`;
      return {
        story,
        intent: { kind: 'edit', storyId: story.id, edit: { name }, known: { name: story.name } } as const,
      };
    });
    const answers = await applyEdits({ ...window.needs, backlogs }, key, wanted, 'Done.');
    assert.deepEqual(
      answers.map(({ id, name }) => [id, name]),
      rows.map(({ story }) => [story.id, story.name]),
    );
  });

  /** Answers each list with the item of this label; gives the labels that each list had. */
  async function picking(labels: readonly string[], work: () => Promise<unknown>): Promise<readonly string[][]> {
    const { showQuickPick } = vscode.window;
    const asked: string[][] = [];
    const pick = async (items: readonly { readonly label: string }[]) => {
      asked.push(items.map(({ label }) => label));
      return items.find(({ label }) => labels.includes(label));
    };
    Object.assign(vscode.window, { showQuickPick: pick });
    try {
      await work();
    } finally {
      Object.assign(vscode.window, { showQuickPick });
    }
    return asked;
  }

  it('offers every state of the type, the next one first', async () => {
    const asked = await picking(['rejected'], async () => changeState(window.needs, ...(await window.rows(101))));
    assert.deepEqual(asked, [
      ['Finish Story…', 'All States', 'unscheduled', 'unstarted', 'rejected', 'finished', 'delivered', 'accepted'],
    ]);
    assert.equal(fieldOf(101, 'current_state'), 'rejected');
  });

  it('starts and finishes one story by the commands for it, with all that belongs to it', async () => {
    const { executeCommand } = vscode.commands;
    const done: unknown[] = [];
    Object.assign(vscode.commands, {
      executeCommand: async (command: string, story: { readonly story: { readonly id: number } }, more: unknown) => {
        if (!command.endsWith('artStory') && !command.endsWith('finishStory'))
          return executeCommand(command, story, more);
        return void done.push([command, story.story.id, more]);
      },
    });
    try {
      const started = await window.rows(101);
      const unstarted = await window.rows(106);
      await picking(['Finish Story…'], async () => changeState(window.needs, ...started));
      await picking(['Start Story…'], async () => changeState(window.needs, ...unstarted));
    } finally {
      Object.assign(vscode.commands, { executeCommand });
    }
    assert.deepEqual(done, [
      ['storyTracker.finishStory', 101, { caller: 'person' }],
      ['storyTracker.startStory', 106, { caller: 'person' }],
    ]);
    assert.equal(fieldOf(101, 'current_state'), 'started');
  });

  it('deletes, from the menu of a row that is not selected, that one alone', async () => {
    const [, selected] = await window.rows(104, 105);
    const [row] = await window.rows(106);
    window.selected = selected;
    const { executeCommand } = vscode.commands;
    const given: (readonly unknown[])[] = [];
    Object.assign(vscode.commands, {
      executeCommand: async (_command: string, ...args: readonly unknown[]) => void given.push(args),
    });
    try {
      await deleteRow(window.needs, row);
      await deleteRow(window.needs, selected[0]);
    } finally {
      Object.assign(vscode.commands, { executeCommand });
    }
    const messages = new RecordedMessages();
    try {
      messages.press('Delete');
      await deleteStory(window.needs, ...(given[0] ?? []));
      assert.match(messages.texts.join(), /^Delete #106/);
      assert.deepEqual([104, 105, 106].map(isThere), [true, true, false]);
      messages.press('Delete');
      await deleteStory(window.needs, ...(given[1] ?? []));
      assert.deepEqual([104, 105].map(isThere), [false, false], 'those that are selected go together');
    } finally {
      messages.restore();
    }
  });

  it('takes a mistaken start back', async () => {
    await changeState(window.needs, { storyId: 106, state: 'started' });
    await picking(['unstarted'], async () => changeState(window.needs, ...(await window.rows(106))));
    assert.equal(fieldOf(106, 'current_state'), 'unstarted');
  });

  it('offers of several only states that all can have', async () => {
    const asked = await picking([], async () => changeState(window.needs, ...(await window.rows(104, 106))));
    assert.deepEqual(asked, [['Start', 'All States', 'unscheduled', 'accepted']]);
  });

  it('asks for one estimate where several need one', async () => {
    const rows = await window.rows(104, 105, 106);
    const asked = await picking(['Start', '2 points'], () => changeState(window.needs, ...rows));
    assert.equal(asked.length, 2);
    assert.deepEqual(fields('current_state', 104, 105, 106), ['started', 'started', 'started']);
    assert.deepEqual(fields('estimate', 104, 105, 106), ['2', '2', '']);
  });

  it('changes the type of all with one question, and takes that back with one undo, estimates too', async () => {
    await changeState(window.needs, { storyId: 104, state: 'started', estimate: 2 });
    const rows = await window.rows(104, 105);
    const asked = await picking(['$(gear) chore'], () => changeType(window.needs, ...rows));
    assert.deepEqual(asked, [['$(star-full) feature', '$(bug) bug', '$(gear) chore', '$(rocket) release']]);
    assert.deepEqual(fields('story_type', 104, 105), ['chore', 'chore']);
    assert.equal(fieldOf(104, 'estimate'), '');
    assert.ok(await window.needs.undoHistory.retrace('undo'));
    assert.deepEqual(fields('story_type', 104, 105), ['feature', 'feature']);
    assert.equal(fieldOf(104, 'estimate'), '2');
  });

  it('are meant where they are selected between the click on one and the tab that it opens', async () => {
    const [row, rows] = await window.rows(104, 105, 106);
    assert.ok(row);
    const panels = window.panels();
    const meant = async () => (await window.needs.storyArgument.several([], '', { selectionOf: 'person' })).length;
    try {
      window.selected = rows;
      panels.click(row, false);
      await eventually(() => assert.ok(vscode.window.tabGroups.activeTabGroup.activeTab?.label.includes('#104')));
      assert.equal(await meant(), 3);
      window.selected = [row];
      assert.equal(await meant(), 1);
    } finally {
      window.selected = [];
      panels.dispose();
    }
  });

  it('asks for the estimate that stories need which are begun, and takes it back with the type', async () => {
    await changeType(window.needs, ...(await window.rows(104, 105, 106)), { type: 'chore' });
    for (const storyId of [104, 105]) await changeState(window.needs, { storyId, state: 'started' });
    const rows = await window.rows(104, 105, 106);
    const asked = await picking(['$(star-full) feature', '2 points'], () => changeType(window.needs, ...rows));
    assert.equal(asked.length, 2);
    assert.deepEqual(fields('story_type', 104, 105, 106), ['feature', 'feature', 'feature']);
    assert.deepEqual(fields('estimate', 104, 105), ['2', '2']);
    assert.notEqual(fieldOf(106, 'estimate'), '2');
    assert.ok(await window.needs.undoHistory.retrace('undo'));
    assert.deepEqual(fields('story_type', 104, 105, 106), ['chore', 'chore', 'chore']);
    await picking(['$(star-full) feature'], () => changeType(window.needs, ...rows));
    assert.deepEqual(fields('story_type', 104, 105, 106), ['chore', 'chore', 'chore'], 'turned away');
  });

  it('takes a type for a program, and none that is no text', async () => {
    await changeType(window.needs, { storyId: 104, type: 'bug' });
    assert.equal(fieldOf(104, 'story_type'), 'bug');
    await assert.rejects(changeType(window.needs, { storyId: 104, type: 5 }), /\{ type: string \}/);
  });

  it('tells refusals together, and does the rest', async () => {
    server.refuse(/^PUT .*\/104$/, ['Too much bread.']);
    const rows = await window.rows(104, 105, 106);
    await assert.rejects(
      changeType(window.needs, ...rows, { type: 'bug' }),
      /Could not change 1 of 3 stories\. .*Too much bread\./,
    );
    assert.deepEqual(fields('story_type', 104, 105, 106), ['feature', 'bug', 'bug']);
  });

  it('puts labels on all of them, undone at once', async () => {
    await editLabels(window.needs, ...(await window.rows(104, 106)), { add: ['shop'] });
    assert.deepEqual(fields('labels', 104, 106), ['shop', 'shop']);
    assert.ok(await window.needs.undoHistory.retrace('undo'));
    assert.deepEqual(fields('labels', 104, 106), ['', '']);
  });

  it('are written with a small letter inside of a sentence, and one of them too', async () => {
    const { createStatusBarItem } = vscode.window;
    const shown: vscode.StatusBarItem[] = [];
    const create = (...args: readonly unknown[]) => {
      const item: vscode.StatusBarItem = Reflect.apply(createStatusBarItem, vscode.window, args);
      shown.push(item);
      return item;
    };
    Object.assign(vscode.window, { createStatusBarItem: create });
    try {
      await editLabels(window.needs, ...(await window.rows(104)), { add: ['shop'] });
      await changeType(window.needs, ...(await window.rows(104)), { type: 'bug' });
      await editStory(window.needs, { storyId: 104, name: 'Bake rye' });
      await editLabels(window.needs, ...(await window.rows(104, 106)), { add: ['oven'] });
    } finally {
      Object.assign(vscode.window, { createStatusBarItem });
    }
    assert.deepEqual(
      shown.map(({ text }) => text.replace(/ \$\(discard\) Undo$/, '')),
      [
        'Changed the labels of story #104.',
        'Story #104: type bug.',
        'Changed the name of story #104.',
        'Changed the labels of 2 stories.',
      ],
    );
  });

  describe('taken back', () => {
    const { setStatusBarMessage } = vscode.window;
    let told: string[] = [];

    beforeEach(() => {
      told = [];
      const show = (text: string) => {
        told.push(text);
        return new vscode.Disposable(() => undefined);
      };
      Object.assign(vscode.window, { setStatusBarMessage: show });
    });
    afterEach(() => Object.assign(vscode.window, { setStatusBarMessage }));

    for (const [ids, text] of [
      [[105, 104], /^Restored 2 stories with new IDs: #104 is now #(\d+), #105 is now #(\d+)\.$/],
      [[104, 105, 106, 107], /^Restored 4 stories with new IDs\.$/],
    ] as const) {
      it(`say of ${ids.length} that were deleted that their IDs are new`, async () => {
        await deleteStory(window.needs, ...(await window.rows(...ids)), { confirmed: true });
        await window.needs.undoHistory.retrace('undo');
        assert.equal(told.length, 1);
        assert.match(told.join(), text);
      });
    }

    it('say what of them is as before, or is changed again', async () => {
      const { undoHistory } = window.needs;
      const retrace = async (...ways: readonly ('undo' | 'redo')[]) => {
        for (const way of ways) assert.ok(await undoHistory.retrace(way));
        return told.splice(0);
      };
      await editStory(window.needs, { storyId: 104, name: 'Bake rye', description: 'Slowly' });
      assert.deepEqual(await retrace('undo', 'redo'), [
        'Reverted story #104: name, description.',
        'Changed story #104 again: name, description.',
      ]);
      await editLabels(window.needs, ...(await window.rows(104, 106)), { add: ['oven'] });
      assert.deepEqual(await retrace('undo', 'redo'), [
        'Reverted 2 stories: labels.',
        'Changed 2 stories again: labels.',
      ]);
      const backlog = await window.backlogs.backlog(key);
      const [task] = findStory(backlog, 101)?.tasks ?? [];
      await tickTask(window.needs, [{ storyId: 101, taskId: task?.id }], true);
      assert.deepEqual(await retrace('undo'), ['Reverted story #101: a task.']);
    });
  });

  it('that are deleted say what is written about them and not saved, which comes back with them', async () => {
    const messages = new RecordedMessages();
    const { drafts } = window.kept;
    try {
      await drafts.update(commentDraft(key, 104), 'Half a comment');
      const draft = { field: 'description', base: '', text: 'Half a description' };
      await drafts.update(`${fieldDrafts(key, 104)}/description`, draft);
      await drafts.update(commentDraft(key, 1041), 'Of another');
      messages.press('Delete');
      await deleteStory(window.needs, ...(await window.rows(104)));
      assert.match(messages.shown[0]?.detail ?? '', /and your unsaved description\.\n/);
      assert.match(messages.shown[0]?.detail ?? '', /your unsaved comment/);
      await window.needs.undoHistory.retrace('undo');
      const now = window.needs.restoredStories.numberNow(key, 104);
      assert.ok(now > 0 && now !== 104);
      assert.deepEqual(
        [drafts.get(commentDraft(key, now)), drafts.get(`${fieldDrafts(key, now)}/description`), drafts.keys().length],
        ['Half a comment', draft, 3],
      );
    } finally {
      messages.restore();
    }
  });

  it('copies a line for each, and one marker for all', async () => {
    const copied = async (copy: typeof copyId) => {
      await copy(window.needs, ...(await window.rows(104, 106)));
      return vscode.env.clipboard.readText();
    };
    assert.equal(await copied(copyId), '104\n106');
    assert.equal(await copied(copyMarker), '[fixes #104 #106]');
    await copyLink(window.needs, ...(await window.rows(101)));
    assert.equal(await vscode.env.clipboard.readText(), 'https://tracker.example.test/story/show/101');
  });

  it('made where no server could be reached, and discarded, take no older one of the same words along when undone', async () => {
    const { backlogs, needs } = window;
    const older = server.elementsOf(104);
    assert.match(older.get('name') ?? '', /Bake bread/);
    const description = findStory(await backlogs.backlog(key), 104)?.description ?? '';
    server.cut(/^POST .*\/stories$/, 0, 9);
    const made = await makeReversibly(needs, key, [{ story: { name: 'Bake bread', description } }]);
    assert.ok((made.made[0]?.storyId ?? 0) < 0);
    const [entry] = backlogs.unsent;
    assert.ok(entry && (await backlogs.discard(entry.id)));
    await eventually(() => assert.deepEqual(backlogs.unsent, []));
    await needs.undoHistory.retrace('undo').catch(() => undefined);
    await backlogs.refresh();
    assert.ok(findStory(await backlogs.backlog(key), 104));
    assert.ok(!server.requests.some(({ method }) => method === 'DELETE'));
  });

  describe('and one that is renamed', () => {
    const { createInputBox } = vscode.window;
    let box: FakeInputBox;

    beforeEach(() => {
      Object.assign(vscode.window, {
        createInputBox: () => {
          box = new FakeInputBox();
          return box;
        },
      });
    });
    afterEach(() => Object.assign(vscode.window, { createInputBox }));

    const rename = async (id: number): Promise<void> => {
      const [row] = await window.rows(id);
      void renameStory(window.needs, row);
      await eventually(() => assert.ok(box.isOpen));
    };
    const answered = () => eventually(() => assert.equal(box.busy, false));

    it('is offered its name, all of it selected, and can be taken back', async () => {
      await rename(104);
      assert.deepEqual([box.title, box.value, box.valueSelection], ['Rename Story #104', 'Bake bread', [0, 10]]);
      box.type('Bake rye');
      box.enter();
      await eventually(() => assert.equal(box.isOpen, false));
      assert.equal(fieldOf(104, 'name'), 'Bake rye');
      assert.ok(await window.needs.undoHistory.retrace('undo'));
      assert.equal(fieldOf(104, 'name'), 'Bake bread');
    });

    it('says in the box why it is refused, and keeps what was typed', async () => {
      server.refuse(/^PUT .*\/104$/, ['No rye here.']);
      await rename(104);
      box.type('  ');
      assert.equal(box.validationMessage, 'Enter a story name.');
      box.type('Bake rye');
      box.enter();
      await eventually(() => assert.match(String(box.validationMessage), /No rye here\./));
      await answered();
      assert.ok(box.isOpen && box.enabled);
      box.hide();
      await rename(104);
      assert.deepEqual([box.value, box.prompt], ['Bake rye', 'Now: Bake bread']);
      box.enter();
      await eventually(() => assert.equal(box.isOpen, false));
      assert.equal(fieldOf(104, 'name'), 'Bake rye');
      assert.deepEqual(window.kept.values, []);
    });

    it('overwrites no name that someone else gave it, unless asked to', async () => {
      await rename(104);
      server.routes.story(104).elements.set('name', '<name>Bake spelt</name>');
      box.type('Bake rye');
      box.enter();
      await eventually(() => assert.match(String(box.validationMessage), /“Bake spelt” now\. Press Enter/));
      await answered();
      assert.equal(fieldOf(104, 'name'), 'Bake spelt');
      box.enter();
      await eventually(() => assert.equal(box.isOpen, false));
      assert.equal(fieldOf(104, 'name'), 'Bake rye');
    });
  });
});
