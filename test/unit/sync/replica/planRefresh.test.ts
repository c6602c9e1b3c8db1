import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Activity } from '../../../../src/core/story/activity.ts';
import type { Story } from '../../../../src/core/story/story.ts';
import { cursorAfter, progress } from '../../../../src/sync/replica/cursor.ts';
import { type KnownBacklog, planRefresh } from '../../../../src/sync/replica/planRefresh.ts';
import { aDate, anActivity, aProject, aStory } from '../../../support/builders/builders.ts';

type News = Parameters<typeof planRefresh>[1];

const NOW = Date.parse('2026-03-10T10:00:00Z');
const last = anActivity({ id: 7, version: 7 });

function known(fields: Partial<KnownBacklog> = {}): KnownBacklog {
  return {
    ...{ project: aProject(), cursor: cursorAfter([last]), readAt: NOW - 60_000, wholeReadAt: NOW - 60_000 },
    ...{
      ids: { openCount: 3, done: new Set([8, 9]), isHeld: (id) => [1, 2, 3, 8, 9].includes(id) },
      unsureIds: [],
    },
    ...fields,
  };
}

function news(fields: Partial<News> = {}): News {
  return { project: aProject(), activities: [last], isWritten: false, now: NOW, ...fields };
}

function event(version: number, storyId: number, changed: Partial<Story>, eventType = 'story_update'): Activity {
  return anActivity({ id: version, version, eventType, stories: [{ id: storyId, changed, cleared: [] }] });
}

describe('The plan of a refresh', () => {
  it('is nothing to read when the last activity is still the last', () => {
    const plan = { kind: 'part', cursor: cursorAfter([last]), fresh: [], lists: false, done: false, storyIds: [] };
    assert.deepEqual(planRefresh(known(), news()), plan);
  });

  it('reads stories singly only when they are held', () => {
    const activities = [event(9, 77, { name: 'Unseen' }), event(8, 2, { name: 'Seen' }), last];
    const plan = planRefresh(known(), news({ activities }));
    assert.deepEqual(plan.kind === 'part' && plan.storyIds, [2]);
  });

  it('is the lists when the iteration is over by the clock, once', () => {
    const endsAt = Date.parse('2026-03-10T09:59:30Z');
    const plan = planRefresh(known({ endsAt }), news());
    assert.ok(plan.kind === 'part' && plan.lists && plan.done);
    const later = { now: NOW + 3_600_000 };
    const after = planRefresh(known({ endsAt, readAt: NOW + 1_800_000 }), news(later));
    assert.ok(after.kind === 'part' && !after.lists);
  });

  it('is everything after a day, for what no activity tells', () => {
    assert.equal(planRefresh(known({ wholeReadAt: NOW - 25 * 3_600_000 }), news()).kind, 'whole');
  });

  it('is everything when the clock was far ahead the last time', () => {
    assert.equal(planRefresh(known({ wholeReadAt: NOW + 25 * 3_600_000 }), news()).kind, 'whole');
    assert.equal(planRefresh(known({ wholeReadAt: NOW + 3_600_000 }), news()).kind, 'part');
  });

  it('is everything when an event names no story', () => {
    assert.equal(planRefresh(known(), news({ activities: [anActivity({ id: 8, version: 8 }), last] })).kind, 'whole');
  });

  it('leaves places alone only for what surely does', () => {
    const readsLists = (activity: Activity) => {
      const plan = planRefresh(known(), news({ activities: [activity, last] }));
      assert.ok(plan.kind === 'part');
      return plan.lists;
    };
    for (const field of ['name', 'description', 'labels', 'ownedBy', 'requestedBy'] as const) {
      assert.equal(readsLists(event(8, 1, { [field]: aStory()[field] })), false, field);
    }
    for (const field of ['state', 'estimate', 'type', 'acceptedAt', 'projectId'] as const) {
      assert.equal(readsLists(event(8, 1, { [field]: aStory()[field] })), true, field);
    }
    assert.equal(readsLists(event(8, 1, {})), true);
    assert.equal(readsLists(event(8, 1, { updatedAt: aDate('2026-03-10T09:00:00Z') })), true);
    assert.equal(readsLists(event(8, 1, { name: 'New' }, 'story_create')), true);
    assert.equal(readsLists(event(8, 1, {}, 'note_create')), false);
    assert.equal(readsLists(event(8, 1, { state: 'finished' }, 'note_create')), true);
  });

  const versions = fc.uniqueArray(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 90 });

  it('misses no event and repeats none, wherever the feed is cut in two', () => {
    fc.assert(
      fc.property(versions, fc.nat(), (drawn, cut) => {
        const all = drawn.toSorted((a, b) => b - a).map((version) => event(version, version, { name: 'New' }));
        const old = all.slice(all.length - (cut % (all.length + 1)));
        const cursor = cursorAfter(old);
        const answer = all.filter(({ version }) => version > cursor.version - 1);
        const gone = progress(cursor, answer);
        assert.ok(gone.kind === 'goesOn');
        assert.deepEqual(gone.fresh, all.slice(0, all.length - old.length));
        const again = progress(gone.cursor, [...gone.fresh, ...old]);
        assert.ok(again.kind === 'goesOn');
        assert.deepEqual(again.fresh, []);
      }),
    );
  });

  it('goes on past events of one version that come one after the other', () => {
    const [first, second] = [event(8, 1, { name: 'a' }), { ...event(8, 2, { name: 'b' }), id: 99 }];
    const gone = progress(cursorAfter([first]), [second, first]);
    assert.deepEqual(gone.kind === 'goesOn' && gone.fresh, [second]);
  });

  it('is everything for any answer that lacks what was seen last, holds no versions, or is full and in rising order', () => {
    fc.assert(
      fc.property(versions, (drawn) => {
        const others = drawn.map((version) => event(version + 7, version, { name: 'New' }));
        assert.equal(planRefresh(known(), news({ activities: others })).kind, 'whole');
      }),
    );
    for (const version of [0, -1, Number.NaN, 1.5, Number.MAX_VALUE]) {
      const activities = [{ ...last, version }, last];
      assert.equal(planRefresh(known(), news({ activities })).kind, 'whole', String(version));
    }
    const rising = Array.from({ length: 99 }, (_, index) => event(8 + index, 1, { name: 'New' }));
    assert.equal(planRefresh(known(), news({ activities: [last, ...rising] })).kind, 'whole');
  });
});
