import assert from 'node:assert/strict';
import { TrackerError } from '../../../../src/core/errors.ts';
import type { Story } from '../../../../src/core/story/story.ts';
import { filteredStories } from '../../../../src/host/story/filteredStories.ts';
import { aBacklog, anIteration, aProject, aStory } from '../../../support/builders/builders.ts';
import { silentLog } from '../../../support/silentLog.ts';

type Needs = Parameters<typeof filteredStories>[0];

describe('stories that pass a filter, for programs', () => {
  const account = { id: 'bakery', label: 'Bakery', kind: 'server' } as const;
  /** What the server finds in done iterations; `undefined` where it does not answer. */
  let older: readonly Story[] | undefined;
  let asked: unknown[];
  let isSecondRead: boolean;

  beforeEach(() => {
    [older, asked, isSecondRead] = [[], [], true];
  });

  const first = aBacklog({
    project: aProject({ id: 1, name: 'Bakery' }),
    iterations: [anIteration({ number: 5, stories: [aStory({ id: 2, type: 'bug', ownedBy: 'Ada Fenn' })] })],
    icebox: [aStory({ id: 3, type: 'bug', state: 'unscheduled', name: 'A' })],
    done: [
      anIteration({ number: 3, stories: [aStory({ id: 7, type: 'bug', state: 'accepted' })] }),
      anIteration({ number: 4, stories: [aStory({ id: 8, type: 'bug', state: 'accepted' })] }),
    ],
  });
  const second = aBacklog({
    project: aProject({ id: 2, name: 'Mill' }),
    iterations: [anIteration({ stories: [aStory({ id: 5, type: 'bug', name: 'B', ownedBy: 'Bo Marsh' })] })],
  });

  function needs(): Needs {
    const entries = [first, second].map(({ project }) => {
      return { account, project, key: { accountId: 'bakery', projectId: project.id } };
    });
    const backlog = async ({ projectId }: { readonly projectId: number }) => {
      if (projectId === 2 && !isSecondRead) throw new TrackerError('unreachable', 'Nothing answers.');
      return projectId === 1 ? first : second;
    };
    const listStories = async (...query: readonly unknown[]) => {
      asked.push(query);
      if (!older) throw new TrackerError('timeout', 'Too slow.');
      return older;
    };
    const backlogs = {
      requireProjects: async () => entries,
      knownProjects: async () => entries,
      backlog,
      tracker: () => ({ listStories }),
    };
    const names = new Map<string, unknown>([['storyTracker.ownNames', { bakery: 'Ada Fenn' }]]);
    const workspaceMemory = { keys: () => [], get: (key: string) => names.get(key), update: async () => undefined };
    return { accounts: { list: async () => [account] }, backlogs, log: silentLog, workspaceMemory } as unknown as Needs;
  }

  const ids = async (text: string) => (await filteredStories(needs(), text)).stories.map(({ story }) => story.id);

  it('come in order of priority from all projects, without done iterations', async () => {
    assert.deepEqual(await ids('type:bug'), [2, 3, 5]);
    assert.deepEqual(await ids(' '), [2, 3, 5]);
    assert.deepEqual(asked, []);
  });

  it('may be of some projects, of one’s own, and sorted over all projects', async () => {
    assert.deepEqual(await ids('project:mill'), [5]);
    assert.deepEqual(await ids('owner:me'), [2]);
    assert.deepEqual(await ids('type:bug -id:2 sort:name-desc'), [5, 3]);
  });

  it('are searched for in done iterations where the filter reaches them, each once', async () => {
    older = [8, 9].map((id) => aStory({ id, type: 'bug', state: 'accepted' }));
    assert.deepEqual(await ids('project:1 state:accepted type:bug'), [8, 7, 9]);
    assert.equal(asked.length, 1);
  });

  it('say which projects are missing from the answer, wholly or in part', async () => {
    older = undefined;
    isSecondRead = false;
    const { stories, unread } = await filteredStories(needs(), 'type:bug includedone:true');
    assert.deepEqual(
      [stories.map(({ story }) => story.id), unread],
      [
        [2, 3, 8, 7],
        ['Bakery', 'Mill'],
      ],
    );
  });

  it('say that a project is missing in part where its server may have found more than it was asked for', async () => {
    const found = (count: number) =>
      Array.from({ length: count }, (_, index) => aStory({ id: 100 + index, type: 'bug', state: 'accepted' }));
    const unread = async () => (await filteredStories(needs(), 'project:1 state:accepted')).unread;
    older = found(99);
    assert.deepEqual(await unread(), []);
    older = found(100);
    assert.deepEqual(await unread(), ['Bakery']);
  });

  it('throw what is wrong with the filter, and what a server says where none can be read', async () => {
    await assert.rejects(filteredStories(needs(), 'owned:me'), { kind: 'input' });
    isSecondRead = false;
    await assert.rejects(filteredStories(needs(), 'project:mill'), { kind: 'unreachable' });
  });
});
