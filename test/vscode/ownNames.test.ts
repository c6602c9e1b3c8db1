import assert from 'node:assert/strict';
import type { Memento } from 'vscode';
import { TrackerError } from '../../src/core/errors.ts';
import type { Tracker } from '../../src/core/ports/tracker.ts';
import type { Accounts } from '../../src/host/accounts/accounts.ts';
import { ownNames } from '../../src/host/accounts/ownNames.ts';
import type { Backlogs } from '../../src/host/projects/backlogs.ts';
import type { ProjectEntry } from '../../src/host/projects/projectList.ts';
import { aProject, aStory } from '../support/builders/builders.ts';
import { silentLog } from '../support/silentLog.ts';

describe('One’s own name', () => {
  let kept: Record<string, unknown>;
  let asked: number;
  /** Whom the server takes whoever asks for; `undefined` while it does not answer. */
  let owner: string | undefined;
  /** Whose memberships it tells; `undefined` where it tells none. */
  let members: readonly string[] | undefined;

  beforeEach(() => {
    kept = {};
    asked = 0;
    owner = 'Ada Fenn';
    members = undefined;
  });

  /** What is known for a token that was given at this moment. */
  function names(tokenSince?: number) {
    const account = { id: 'bakery', label: 'Bakery', kind: 'server' as const, ...(tokenSince && { tokenSince }) };
    const entry: ProjectEntry = { account, key: { accountId: 'bakery', projectId: 1 }, project: aProject() };
    const listStories = async () => {
      asked++;
      if (owner === undefined) throw new TrackerError('unreachable', 'No network.');
      return [aStory({ ownedBy: owner })];
    };
    const listMyMemberships = async () => {
      if (members === undefined) throw new TrackerError('notFound', 'No such page.');
      return members.map((name, id) => ({ id, person: { name }, role: 'Member' }));
    };
    const backlogs = { knownProjects: async () => [entry] } as unknown as Backlogs;
    const accounts = {
      list: async () => [account],
      tracker: () => ({ listStories, listMyMemberships }) as unknown as Tracker,
    } as unknown as Accounts;
    const workspaceMemory = {
      keys: () => Object.keys(kept),
      get: (key: string, other?: unknown) => kept[key] ?? other,
      update: async (key: string, value: unknown) => {
        kept[key] = value;
      },
    } as Memento;
    return ownNames({ accounts, backlogs, log: silentLog, workspaceMemory });
  }

  it('is that of one’s memberships, also for who has no story yet', async () => {
    members = ['Cy Dale', 'Cy Dale'];
    assert.deepEqual(await names(5), { bakery: 'Cy Dale' });
    assert.equal(asked, 0);
  });

  it('is that of one’s stories where a server tells the memberships of others too, or none', async () => {
    members = ['Cy Dale', 'Ada Fenn'];
    assert.deepEqual(await names(5), { bakery: 'Ada Fenn' });
    members = [];
    owner = 'Bo Marsh';
    assert.deepEqual(await names(6), { bakery: 'Bo Marsh' });
  });

  it('is asked for once', async () => {
    assert.deepEqual(await names(5), { bakery: 'Ada Fenn' });
    assert.deepEqual(await names(5), { bakery: 'Ada Fenn' });
    assert.equal(asked, 1);
  });

  it('is another one for who signs in to the same server with another token', async () => {
    await names(5);
    owner = 'Bo Marsh';
    assert.deepEqual(await names(6), { bakery: 'Bo Marsh' });
  });

  it('is nobody else’s while the server does not tell it, and asked for again', async () => {
    await names(5);
    owner = undefined;
    assert.deepEqual(await names(6), {});
    owner = 'Bo Marsh';
    assert.deepEqual(await names(6), { bakery: 'Bo Marsh' });
  });
});
