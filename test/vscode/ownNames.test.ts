import assert from 'node:assert/strict';
import type { Memento } from 'vscode';
import { TrackerError } from '../../src/core/errors.ts';
import type { Tracker } from '../../src/core/ports/tracker.ts';
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

  beforeEach(() => {
    kept = {};
    asked = 0;
    owner = 'Ada Fenn';
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
    const backlogs = {
      projects: async () => [entry],
      tracker: () => ({ listStories }) as unknown as Tracker,
    } as unknown as Backlogs;
    const workspaceMemory = {
      keys: () => Object.keys(kept),
      get: (key: string, other?: unknown) => kept[key] ?? other,
      update: async (key: string, value: unknown) => {
        kept[key] = value;
      },
    } as Memento;
    return ownNames({ backlogs, log: silentLog, workspaceMemory });
  }

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
