import assert from 'node:assert/strict';
import type { ToldActivity } from '../../../../src/core/replica/replica.ts';
import type { Activity, ChangedStory } from '../../../../src/core/story/activity.ts';
import { historyPart } from '../../../../src/features/storyPanel/storyHistory.ts';
import { aDate, aNote } from '../../../support/builders/builders.ts';
import { englishTexts } from './englishTexts.ts';

const project = { accountId: 'a', address: 'https://x.test', projectId: 1 };

function told(fields: Partial<Activity>, story: Partial<ChangedStory> = {}): ToldActivity {
  const stories = [{ id: 12, changed: {}, cleared: [], ...story }];
  const activity = { id: 1, version: 1, eventType: 'story_update', author: 'Bo', description: 'Bo did it', stories };
  return { project, isUnread: false, isOwn: false, activity: { ...activity, ...fields } };
}

const partOf = (one: ToldActivity, me?: string) =>
  historyPart(12, { told: [one], hasOlder: false, mayHaveMore: true, me }, englishTexts);
const lines = (html: string) =>
  [...html.matchAll(/<div dir="auto">(.*?)<\/div>/g)].map(([, line]) => line?.replace(/<[^>]*>/g, ''));

describe('The history of a story', () => {
  assertLines({}, { changed: { state: 'started', ownedBy: 'Bo' } }, ['State: started', 'Owner: Bo']);
  assertLines({}, { changed: { ownedBy: 'Ada' } }, ['Owner: You']);
  assertLines({}, { changed: { estimate: 3 }, cleared: ['ownedBy'] }, ['Estimate: 3 points', 'Owner: none']);
  assertLines({}, { changed: { estimate: -1 } }, ['Estimate: unestimated']);
  assertLines({}, { changed: { labels: ['api', 'shop'] } }, ['Labels: api, shop']);
  assertLines({}, { changed: { description: 'A long text' } }, ['Changed the description']);
  assertLines({}, { changed: { deadline: { text: '2027/01/01' } } }, ['Deadline: 2027/01/01']);
  assertLines({}, { changed: { ticket: { prefix: 'x', externalId: 'T-1' } } }, ['Ticket: T-1']);
  assertLines({ eventType: 'story_create', description: 'Bo added “X”' }, {}, ['Created the story']);
  assertLines({ eventType: 'note_create', description: 'Bo added comment: “Hm”' }, {}, ['Added comment: “Hm”']);
  const linked = (text: string) => ({ changed: { notes: [aNote({ text })] } });
  const commit = `Commit by Ada\n${'5e'.repeat(20)}\n\nBake rolls [#12]`;
  assertLines({ eventType: 'note_create', description: `Bo added comment: "${commit}"` }, linked(commit), [
    'Linked commit 5e5e5e5',
  ]);
  assertLines({ eventType: 'note_create', description: 'Bo did' }, linked('Bake [#12]'), ['Linked a commit']);
  assertLines({ eventType: 'note_create', description: 'Bo added comment: “Hm”' }, linked('Hm'), [
    'Added comment: “Hm”',
  ]);
  assertLines({ eventType: 'odd_thing', description: '' }, {}, ['odd_thing']);
  assertLines({ description: 'Moved' }, { id: 99, changed: { state: 'accepted' } }, ['Moved']);

  it('says who did it and when, and “You” for oneself', () => {
    const occurredAt = aDate('2026-03-02T09:30:00Z');
    const html = partOf(told({ occurredAt }));
    assert.match(
      html,
      /<strong><bdi>Bo<\/bdi><\/strong> <span class="quiet"><time datetime="2026-03-02T09:30:00.000Z"/,
    );
    assert.match(partOf(told({ author: 'Ada' }), 'Ada'), /<strong>You<\/strong>/);
    assert.match(partOf({ ...told({}), isOwn: true }), /<strong>You<\/strong>/);
    const { author: _, ...nameless } = told({}).activity;
    assert.match(partOf({ ...told({}), activity: nameless }), /<bdi>Someone<\/bdi>/);
  });

  describe('of a story that was made at a place', () => {
    const at = (time: string) => ({ occurredAt: aDate(`2026-03-02T${time}Z`) });
    const made = told({ eventType: 'story_create', ...at('09:30:00') });
    const moved = (fields: Partial<Activity> = {}, story: Partial<ChangedStory> = { changed: { rank: '5' } }) =>
      told({ description: 'Bo moved “X” before “Y”', ...at('09:30:01'), ...fields }, story);
    const shown = (...all: readonly ToldActivity[]) =>
      lines(historyPart(12, { told: all, hasOlder: false, mayHaveMore: true, me: undefined }, englishTexts));

    it('begins with its creation, not with the move to that place', () => {
      assert.deepEqual(shown(moved(), made), ['Created the story']);
      const begun = told({}, { changed: { state: 'started' } });
      assert.deepEqual(shown(begun, moved(), made), ['State: started', 'Created the story']);
    });

    for (const [what, ...all] of [
      ['later', moved(at('09:31:00')), made],
      ['by someone else', moved({ author: 'Ada' }), made],
      ['a second time', moved(at('09:30:02')), moved(), made],
      ['to the icebox', moved({}, { changed: { rank: '5', state: 'unscheduled' } }), made],
      ['of nobody knows when', moved({ occurredAt: { text: 'then' } }), made],
    ] as const) {
      it(`tells of a move ${what}`, () => assert.equal(shown(...all).length, 2));
    }
  });

  it('offers older ones where there are some, and says where there are none here', () => {
    const html = (hasOlder: boolean, eventType: string, mayHaveMore = true) =>
      historyPart(12, { told: [told({ eventType })], hasOlder, mayHaveMore, me: undefined }, englishTexts);
    assert.match(html(true, 'story_update'), /data-do="olderHistory"[^>]*>Show Older</);
    assert.match(html(false, 'story_update'), /Older activity is not on this machine\./);
    assert.doesNotMatch(html(false, 'story_create'), /Older/);
    assert.doesNotMatch(html(false, 'story_update', false), /Older/, 'of the built-in service all is here');
  });

  it('is empty where nothing is known', () => {
    assert.equal(historyPart(12, { told: [], hasOlder: false, mayHaveMore: true, me: undefined }, englishTexts), '');
  });

  it('holds no markup of the server, and little of its endless texts', () => {
    const evil = '<img src=x onerror=alert(1)>[a](javascript:x)';
    const endless = `${evil}\u202e${'x'.repeat(1_000_000)}`;
    const changed = { name: endless, state: endless, ownedBy: endless, labels: [endless], deadline: { text: endless } };
    const html = partOf(told({ author: endless, occurredAt: { text: endless } }, { changed }));
    const other = partOf(told({ eventType: endless, description: endless, author: evil }));
    for (const one of [html, other]) {
      assert.doesNotMatch(one.replace(/<\/?(?:h2|ul|li|div|strong|span|bdi|p)(?: [^<>]*)?>/g, ''), /[<>]/);
      assert.ok(one.length < 10_000, `${one.length}`);
    }
  });
});

function assertLines(fields: Partial<Activity>, story: Partial<ChangedStory>, expected: readonly string[]): void {
  it(`says ${expected.join(', ')}`, () => assert.deepEqual(lines(partOf(told(fields, story), 'Ada')), expected));
}
