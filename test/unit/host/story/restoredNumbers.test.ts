import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import type { Backlog } from '../../../../src/core/backlog/backlog.ts';
import type { Outcome } from '../../../../src/core/outbox/outbox.ts';
import type { Story } from '../../../../src/core/story/story.ts';
import { commentDraft } from '../../../../src/host/story/draftFiles.ts';
import { noteRestored } from '../../../../src/host/story/restoredNumbers.ts';
import { RestoredStories } from '../../../../src/host/story/restoredStories.ts';
import { aBacklog, aStory, aTask } from '../../../support/builders/builders.ts';
import { eventually } from '../../../support/eventually.ts';
import { silentLog } from '../../../support/silentLog.ts';
import { KeptDrafts } from '../../../support/windows/keptDrafts.ts';

const key = { accountId: 'home', projectId: 1 };
const former = [aTask({ id: 71, description: 'Knead' }), aTask({ id: 72, description: 'Bake' })];
const wanted = { former: 7, story: { name: 'Rye' } };

describe('The numbers of a story that was made again', () => {
  let restored: RestoredStories;
  let changes: number;
  let backlog: Backlog;
  let gone: PromiseWithResolvers<Outcome>;
  let kept: KeptDrafts;
  const onServer = (): Story =>
    aStory({ id: 10, name: 'Rye', tasks: former.map((task, index) => ({ ...task, id: 101 + index })) });
  const note = (made: { readonly storyId: number; readonly entryId?: string }) => {
    const backlogs = {
      peek: () => backlog,
      reload: async () => {
        backlog = aBacklog({ icebox: [aStory({ id: 3, name: 'Rye' }), onServer()] });
      },
      refreshStory: async () => onServer(),
      whenGone: () => gone.promise,
    };
    const needs = { backlogs, log: silentLog, openDrafts: async () => kept.drafts, restoredStories: restored };
    return noteRestored(needs, key, { ...made, wanted, others: new Set([3]) }, former);
  };
  const now = () => [restored.numberNow(key, 7), restored.numberOf(key, 7), restored.taskNow(key, 72)];

  beforeEach(() => {
    restored = new RestoredStories();
    restored.addRemoved(key, 7);
    restored.onDidChange(() => changes++);
    changes = 0;
    gone = Promise.withResolvers();
    backlog = aBacklog({ icebox: [aStory({ id: -4, name: 'Rye' })] });
    kept = new KeptDrafts();
  });

  afterEach(() => kept.dispose());

  it('are known at once where its server took it', () => {
    backlog = aBacklog({ icebox: [onServer()] });
    void note({ storyId: 10 });
    assert.deepEqual(now(), [10, 10, 102]);
  });

  it('are known as soon as its server has it, and so is that it waits until then', async () => {
    await note({ storyId: -4, entryId: 'e1' });
    await setImmediate();
    assert.deepEqual([...now(), changes], [7, -4, 72, 1]);
    gone.resolve({ kind: 'sent', created: 10 });
    await setImmediate();
    assert.deepEqual(now(), [10, 10, 102]);
    assert.equal(restored.numberNow(key, -4), 10);
    assert.ok(changes > 1, 'its tab is told');
  });

  it('are found where another window has sent it', async () => {
    await note({ storyId: -4, entryId: 'e1' });
    gone.resolve({ kind: 'sent', isElsewhere: true });
    await setImmediate();
    assert.deepEqual(now(), [10, 10, 102]);
  });

  it('are none where it was discarded before it was sent', async () => {
    await note({ storyId: -4, entryId: 'e1' });
    gone.resolve({ kind: 'discarded' });
    await setImmediate();
    assert.deepEqual(now(), [7, undefined, 72]);
  });

  it('are where what was written about it is found, before and after its server has it', async () => {
    const found = (storyId: number) => kept.drafts.get(commentDraft(key, storyId));
    await kept.drafts.update(commentDraft(key, 7), 'Half a thought');
    await note({ storyId: -4, entryId: 'e1' });
    assert.deepEqual([found(7), found(-4), found(10)], [undefined, 'Half a thought', undefined]);
    gone.resolve({ kind: 'sent', created: 10 });
    await eventually(() =>
      assert.deepEqual([found(7), found(-4), found(10)], [undefined, undefined, 'Half a thought']),
    );
  });
});
