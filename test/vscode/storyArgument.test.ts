import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { Accounts } from '../../src/host/accounts/accounts.ts';
import { createBacklogs } from '../../src/host/app.ts';
import { Engine } from '../../src/host/engine/engine.ts';
import type { Backlogs } from '../../src/host/projects/backlogs.ts';
import { callerOf } from '../../src/host/shell/commands.ts';
import { namesStory, StoryArgument, storiesOfOneProject, storyNameIn } from '../../src/host/story/storyArgument.ts';
import { forgetTab, noticeTab } from '../../src/host/story/tabStory.ts';
import {
  BY_KEY,
  DetailNode,
  GivenStory,
  GroupNode,
  NamedStory,
  StoryNode,
  type TreeNode,
} from '../../src/host/tree/nodes.ts';
import { StoriesViewHolder } from '../../src/host/tree/storiesView.ts';
import { aStory } from '../support/builders/builders.ts';
import { FixtureServer } from '../support/servers/fixtureServer.ts';
import { silentLog } from '../support/silentLog.ts';
import { MemorySecrets } from '../support/windows/memorySecrets.ts';

const extensionPath = vscode.extensions.getExtension('story-tracker.story-tracker')?.extensionPath ?? '';
const key = { accountId: 'a', projectId: 7 };
const group = new GroupNode(key, 'label', 'paint', []);
const row = (id: number, ofProject = key) => new StoryNode(ofProject, aStory({ id }), group);

describe('The stories that a command is about', () => {
  let engine: Engine;
  let accounts: Accounts;
  let backlogs: Backlogs;

  before(() => {
    engine = new Engine(join(extensionPath, 'dist/worker.js'), silentLog);
    accounts = new Accounts(new MemorySecrets(), engine, { access: () => Promise.reject(new Error('None here.')) });
    backlogs = createBacklogs(accounts, silentLog);
  });
  after(async () => {
    backlogs.dispose();
    accounts.dispose();
    await engine.dispose();
  });

  function withSelected(selected: () => readonly TreeNode[]): StoryArgument {
    const view = new StoriesViewHolder();
    view.attach({ selection: selected, reveal: async () => undefined });
    return new StoryArgument(backlogs, view);
  }
  type Selection = Parameters<StoryArgument['several']>[2];
  const idsOf = async (argument: StoryArgument, args: readonly unknown[], selection: Selection) =>
    (await argument.several(args, '', selection)).map(({ story }) => story.id);

  it('are the row clicked, with those selected around it, each once', async () => {
    const [one, other, again] = [row(1), row(2), row(1)];
    const argument = withSelected(() => []);
    assert.deepEqual(await idsOf(argument, [one, [one, other, again, group]], { selectionOf: 'anyone' }), [1, 2]);
    assert.deepEqual(await idsOf(argument, [one, [other, again]], { selectionOf: 'anyone' }), [1]);
  });

  it('are the rows selected where none is named, for those who may mean them', async () => {
    const argument = withSelected(() => [row(3), row(4), group]);
    assert.deepEqual(await idsOf(argument, [], { selectionOf: 'anyone' }), [3, 4]);
    assert.deepEqual(await idsOf(argument, [{ state: 'started' }], { selectionOf: 'anyone' }), [3, 4]);
    assert.deepEqual(await idsOf(argument, [], { selectionOf: 'person' }), [3, 4]);
    await assert.rejects(idsOf(argument, [{ place: 'before' }], { selectionOf: 'person' }), /Pass the story as/);
    assert.deepEqual(await idsOf(argument, [BY_KEY], { selectionOf: 'key' }), [3, 4]);
    const given = new GivenStory(row(5));
    assert.deepEqual(await idsOf(argument, [given], { selectionOf: 'person' }), [5]);
  });

  it('are those that are selected again after a move', async () => {
    let looks = 0;
    const argument = withSelected(() => (++looks > 3 ? [row(3)] : []));
    assert.deepEqual(await idsOf(argument, [BY_KEY], { selectionOf: 'person', patience: 3000 }), [3]);
  });

  it('are one that our own code has at hand, without a server being asked', async () => {
    const story = aStory({ id: 9 });
    const argument = withSelected(() => [row(3)]);
    assert.equal((await argument.of(new GivenStory({ key, story }), ''))?.story, story);
    assert.equal((await argument.ofSelection(undefined, ''))?.story.id, 3);
    assert.equal((await argument.ofSelection(BY_KEY, ''))?.story.id, 3);
    assert.equal((await argument.of(new DetailNode(row(4), 'task', 1), ''))?.story.id, 4);
    await assert.rejects(argument.of(new GivenStory(row(-1)), ''), /has no ID until/);
    assert.equal((await argument.of(new GivenStory(row(-1)), '', { mayBeUnsent: true }))?.story.id, -1);
  });

  it('are that of the active editor, unless another row was selected since', async () => {
    const server = await FixtureServer.start();
    const tab = {};
    try {
      await accounts.add({ id: 'a', label: 'A', kind: 'server', baseUrl: server.url }, server.token);
      await backlogs.all();
      const before = row(3);
      let selected = [before];
      const argument = withSelected(() => selected);
      noticeTab(tab, new NamedStory(key, 104), selected);
      assert.equal((await argument.ofSelection(undefined, ''))?.story.id, 104);
      assert.equal((await argument.ofSelection(BY_KEY, ''))?.story.id, 3);
      assert.deepEqual(await idsOf(argument, [], { selectionOf: 'person' }), [104]);
      assert.deepEqual(await idsOf(argument, [BY_KEY], { selectionOf: 'person' }), [3]);
      assert.deepEqual(await idsOf(argument, [new GivenStory(row(5))], { selectionOf: 'person' }), [5]);
      selected = [row(4)];
      assert.equal((await argument.ofSelection(undefined, ''))?.story.id, 4);
      assert.deepEqual(await idsOf(argument, [], { selectionOf: 'anyone' }), [4]);
    } finally {
      forgetTab(tab);
      await accounts.remove('a');
      await server.stop();
    }
  });

  it('are refused where they are of several projects and must not be', () => {
    assert.equal(storiesOfOneProject([], 'Several.'), undefined);
    assert.equal(storiesOfOneProject([row(1), row(2)], 'Several.')?.stories.length, 2);
    const other = row(2, { accountId: 'b', projectId: 7 });
    assert.throws(() => storiesOfOneProject([row(1), other], 'Several.'), /Several\./);
  });

  it('are named by id, with the project and the account where they are known', () => {
    assert.deepEqual(storyNameIn(row(1)), { storyId: 1, ...key });
    assert.deepEqual(storyNameIn(new NamedStory(key, 2)), { storyId: 2, ...key });
    assert.deepEqual(storyNameIn({ storyId: 3, projectId: 'x', verb: '' }), { storyId: 3 });
    assert.equal(storyNameIn({}), undefined);
    assert.deepEqual([{ storyId: 'x' }, {}, undefined, group, vscode.Uri.file('/a'), row(1)].map(namesStory), [
      true,
      false,
      false,
      false,
      false,
      true,
    ]);
  });
});

describe('The caller of a command', () => {
  it('is a program where an argument was written by hand, unless it says otherwise', () => {
    assert.equal(callerOf([]), 'person');
    assert.equal(callerOf([row(1), [row(2)]]), 'person');
    assert.equal(callerOf([{ storyId: 1 }]), 'program');
    assert.equal(callerOf([row(1), { caller: 'program' }]), 'program');
    assert.equal(callerOf([row(1), { attachmentId: 1, caller: 'person' }]), 'person');
    assert.equal(callerOf([{ caller: 'other' }]), 'program');
  });
});
