import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { BacklogMirror } from '../../../../src/host/projects/backlogMirror.ts';
import { BacklogReader } from '../../../../src/host/projects/backlogReader.ts';
import { BacklogState } from '../../../../src/host/projects/backlogState.ts';
import { ProjectReader } from '../../../../src/host/projects/projectReader.ts';
import { aStory } from '../../../support/builders/builders.ts';
import {
  bakery,
  FakeAccounts,
  key,
  mill,
  projects,
  RememberingLog,
  replicaAccount,
  settled,
  whole,
} from './heldServers.ts';

describe('Slow servers', () => {
  let accounts: FakeAccounts;
  let state: BacklogState;
  let projectReader: ProjectReader;
  let reader: BacklogReader;
  let told: number;
  const slow = () => [bakery, mill].filter(({ id }) => state.slow.has(id)).map(({ id }) => id);
  const lists = (account: typeof bakery) => accounts.sync(account.id).lists;

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    accounts = new FakeAccounts();
    accounts.accounts = [bakery, mill];
    const log = new RememberingLog();
    state = new BacklogState(new BacklogMirror({ accounts, replicaAccount }));
    reader = new BacklogReader({ state, log });
    projectReader = new ProjectReader({ accounts, state, log });
    told = 0;
    state.slow.onDidChange(() => {
      told += 1;
    });
  });
  afterEach(() => {
    mock.timers.reset();
    for (const one of [projectReader, reader, state]) one.dispose();
  });

  it('are those that have not told their projects after ten seconds, until they do', async () => {
    const reading = projectReader.read();
    await settled();
    await lists(mill).answer(projects(5));
    mock.timers.tick(9_999);
    assert.deepEqual([slow(), told], [[], 0]);
    mock.timers.tick(1);
    assert.deepEqual([slow(), told], [['bakery'], 1]);
    await lists(bakery).answer(projects(1));
    assert.deepEqual([slow(), told], [[], 2]);
    await reading;
  });

  it('are those of which one of several reads takes so long, until the last of these has ended', async () => {
    const { refreshes } = accounts.sync('bakery');
    const other = { ...key, projectId: 2 };
    const reads = [reader.read(key, {}), reader.read(other, {}).catch(() => undefined)];
    await settled();
    mock.timers.tick(10_000);
    assert.deepEqual([slow(), told], [['bakery'], 1]);
    await refreshes.answer(whole('m1', aStory()));
    assert.deepEqual([slow(), told], [['bakery'], 1]);
    await refreshes.fail();
    assert.deepEqual([slow(), told], [[], 2]);
    await Promise.all(reads);
  });

  it('have the view say so', async () => {
    let lists = 0;
    state.onDidChange((changed) => {
      if (changed === undefined) lists += 1;
    });
    const reading = reader.read(key, {});
    await settled();
    mock.timers.tick(10_000);
    assert.equal(lists, 1);
    await accounts.sync('bakery').refreshes.answer(whole('m1', aStory()));
    assert.equal(lists, 2);
    await reading;
  });
});
