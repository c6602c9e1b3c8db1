import assert from 'node:assert/strict';
import { TrackerError } from '../../../../src/core/errors.ts';
import type { Membership } from '../../../../src/core/story/project.ts';
import type { Account } from '../../../../src/host/accounts/account.ts';
import { onDidChangeOwnName, ownNames, rememberedNames } from '../../../../src/host/accounts/ownNames.ts';
import { aProject } from '../../../support/builders/builders.ts';
import { silentLog } from '../../../support/silentLog.ts';

type Needs = Parameters<typeof ownNames>[0];

describe('ownNames', () => {
  let account: Account;
  let kept: Map<string, unknown>;
  /** What the server calls who asks; `undefined` where it does not answer. */
  let name: string | undefined;
  let members: readonly string[];
  let asked: number;
  let count = 0;

  beforeEach(() => {
    count += 1;
    account = { id: `bakery ${count}`, label: 'Bakery', kind: 'server', tokenSince: 7 };
    kept = new Map();
    [name, members, asked] = ['Ada Fenn', ['Ada Fenn', 'Bo Marsh'], 0];
  });

  const memberOf = (one: string): Membership => ({ id: 1, role: 'Member', person: { name: one } });
  const names = () => {
    const workspaceMemory = {
      keys: () => [...kept.keys()],
      get: (key: string) => kept.get(key),
      update: async (key: string, value: unknown) => void kept.set(key, value),
    } as Needs['workspaceMemory'];
    const listMyMemberships = async () => {
      asked += 1;
      if (name === undefined) throw new TrackerError('unreachable', 'Nothing answers.');
      return [memberOf(name)];
    };
    const project = aProject({ memberships: members.map(memberOf) });
    const entry = { account, project, key: { accountId: account.id, projectId: 1 } };
    const accounts = { list: async () => [account], tracker: () => ({ listMyMemberships }) };
    const backlogs = { knownProjects: async () => [entry] };
    const needs = { accounts, backlogs, log: silentLog, workspaceMemory } as unknown as Needs;
    return ownNames(needs).then((all) => {
      assert.deepEqual(all, rememberedNames(workspaceMemory));
      return all[account.id];
    });
  };

  it('asks a server once, and again once another token is there', async () => {
    assert.deepEqual([await names(), await names(), asked], ['Ada Fenn', 'Ada Fenn', 1]);
    account = { ...account, tokenSince: 8 };
    name = 'Bo Marsh';
    assert.deepEqual([await names(), await names(), asked], ['Bo Marsh', 'Bo Marsh', 2]);
  });

  it('asks again when no member has the name any more, since it was changed', async () => {
    await names();
    [name, members] = ['Ada Marsh', ['Ada Marsh', 'Bo Marsh']];
    assert.deepEqual([await names(), await names(), asked], ['Ada Marsh', 'Ada Marsh', 2]);
  });

  it('keeps a name that no project tells of, and asks no more', async () => {
    members = ['Bo Marsh'];
    assert.deepEqual([await names(), await names(), asked], ['Ada Fenn', 'Ada Fenn', 1]);
    members = [];
    assert.deepEqual([await names(), asked], ['Ada Fenn', 1]);
  });

  it('keeps the name when the server does not answer, but not that of another person', async () => {
    await names();
    [name, members] = [undefined, ['Ada Marsh']];
    assert.equal(await names(), 'Ada Fenn');
    account = { ...account, tokenSince: 8 };
    assert.equal(await names(), undefined);
  });

  it('forgets that of another person before the server answers, and tells of each change', async () => {
    const told: (string | undefined)[] = [];
    const listening = onDidChangeOwnName((id) => told.push(id));
    await names();
    account = { ...account, tokenSince: 8 };
    name = 'Bo Marsh';
    const answer = names();
    await new Promise(setImmediate);
    assert.deepEqual(told, [account.id, account.id, account.id]);
    assert.equal(await answer, 'Bo Marsh');
    await names();
    assert.equal(told.length, 3);
    listening.dispose();
  });
});
