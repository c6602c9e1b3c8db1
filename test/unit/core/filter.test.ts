import assert from 'node:assert/strict';
import fc from 'fast-check';
import { TrackerError } from '../../../src/core/errors.ts';
import { type FilterContext, hidesDone, matches, parseFilter } from '../../../src/core/filter.ts';
import type { Story } from '../../../src/core/story.ts';
import { aDate, anAttachment, aStory, without } from '../../support/builders.ts';

const now = Date.UTC(2026, 10, 18, 12);
const context: FilterContext = { me: 'Ada Fenn', initials: new Map([['Bo Lind', 'BL']]), now };

function assertFound(filter: string, story: Story, expected = true): void {
  assert.equal(matches(parseFilter(filter), story, context), expected, filter);
}

function assertMissed(filter: string, story: Story): void {
  assertFound(filter, story, false);
}

function assertRefused(filter: string, sentence: RegExp): void {
  assert.throws(
    () => parseFilter(filter),
    (error) => error instanceof TrackerError && error.kind === 'input' && sentence.test(error.message),
    filter,
  );
}

describe('the story filter', () => {
  it('finds by id, type and state, in any case', () => {
    const story = aStory({ id: 12, type: 'bug', state: 'started' });
    for (const filter of ['id:12', 'id:#12', 'id:7,12', 'type:bug', 'Type:BUG', 'state:unstarted,started']) {
      assertFound(filter, story);
    }
    for (const filter of ['id:1', 'type:feature', 'state:start', 'type:bug state:finished'])
      assertMissed(filter, story);
    assertFound('state:paused', aStory({ state: 'paused' }));
  });

  it('finds by labels, each of them when asked for twice', () => {
    const story = aStory({ labels: ['api', 'to do', 'a,b'] });
    for (const filter of ['label:API', 'label:"to do"', 'label:api label:"to do"', 'label:x,api', 'label:"a,b"']) {
      assertFound(filter, story);
    }
    for (const filter of ['label:ap', 'label:api label:x', 'label:a,b', 'label:do']) assertMissed(filter, story);
  });

  it('finds by people: name, one word of it, initials, me', () => {
    const story = aStory({ ownedBy: 'Bo Lind', requestedBy: 'Ada Fenn' });
    for (const filter of ['owner:"bo lind"', 'owner:Lind', 'owner:bl', 'requester:me', 'requester:ada']) {
      assertFound(filter, story);
    }
    for (const filter of ['owner:me', 'owner:B', 'requester:AF']) assertMissed(filter, story);
    assertMissed('owner:Bo', aStory());
  });

  it('finds what waits for a person', () => {
    const mine = (state: string) => aStory({ state, ownedBy: 'Ada Fenn', requestedBy: 'Bo Lind' });
    for (const state of ['unstarted', 'started', 'finished', 'delivered', 'rejected'])
      assertFound('mywork:me', mine(state));
    for (const state of ['unscheduled', 'accepted']) assertMissed('mywork:me', mine(state));
    assertFound('mywork:BL', mine('delivered'));
    assertMissed('mywork:BL', mine('finished'));
  });

  it('finds by points', () => {
    const story = aStory({ estimate: 3 });
    for (const filter of [
      'points:3',
      'points:>2',
      'points:>=3',
      'points:<5',
      'points:<=3',
      'points:=3',
      'estimate:1,3',
    ]) {
      assertFound(filter, story);
    }
    for (const filter of ['points:>3', 'points:<3', 'points:2', 'points:none']) assertMissed(filter, story);
    assertFound('points:none', aStory({ estimate: -1 }));
    assertMissed('points:<5', aStory({ estimate: -1 }));
    assertMissed('points:<5', without(aStory(), 'estimate'));
  });

  it('finds by days, in UTC and inclusive', () => {
    const story = aStory({ createdAt: aDate('2026-11-16T00:00:00Z'), updatedAt: aDate('2026-11-17T23:59:59Z') });
    for (const filter of ['2026/11/16', '2026-11-16', '11/16/2026', '2d', '1w']) {
      assertFound(`created_since:${filter}`, story);
    }
    for (const filter of ['2026/11/17', 'yesterday', '1d', 'today']) assertMissed(`created_since:${filter}`, story);
    assertFound('modified_since:yesterday', story);
    assertMissed('modified_since:today', story);
    assertMissed('created_since:2026/01/01', without(aStory(), 'createdAt'));
  });

  it('finds by attachments and tickets', () => {
    assertFound('has_attachment:true', aStory({ attachments: [anAttachment()] }));
    assertFound('has_attachment:false', aStory());
    assertMissed('has_attachment:true', aStory());
    assertFound('has_external_id:TRUE', aStory({ ticket: { prefix: 'other', externalId: '7' } }));
    assertMissed('has_external_id:true', aStory());
  });

  it('finds words in name, description and labels, and a number as an id', () => {
    const story = aStory({ id: 12, name: 'Über Login', description: 'See http://x', labels: ['ci'] });
    for (const filter of [
      'login',
      'ÜBER',
      'U\u0308ber',
      'see ci',
      '"über login"',
      '"http://x"',
      '12',
      '#12',
      'foo,log',
    ]) {
      assertFound(filter, story);
    }
    for (const filter of ['logout', 'login logout', '"login über"', '1', '#2']) assertMissed(filter, story);
  });

  it('takes quotes and colons in words and values as they come', () => {
    assertFound('"say \\"hi\\""', aStory({ name: 'Say "hi" now' }));
    assertFound('"type:bug"', aStory({ name: 'About type:bug' }));
    assertFound('label:a:b', aStory({ labels: ['a:b'] }));
    assertFound('10:30', aStory({ name: 'At 10:30' }));
  });

  it('finds everything when it is empty', () => {
    for (const filter of ['', '  ', ',', '""']) assertFound(filter, aStory());
  });

  it('says what it cannot understand', () => {
    assertRefused('colour:red', /colour.*knows id, type, state/s);
    assertRefused('http://x', /http.*quotes/s);
    assertRefused('constructor:1', /constructor/);
    assertRefused('type:', /nothing after .type:/);
    assertRefused('label:"to do', /not closed/);
    assertRefused('id:twelve', /story numbers/);
    assertRefused('points:many', /number/);
    assertRefused('created_since:2026/02/30', /not a day/);
    assertRefused('has_attachment:yes', /true or false/);
    assertRefused('includedone:maybe', /true or false/);
  });
});

describe('done stories', () => {
  it('are shown without a filter and hidden with one that does not ask for them', () => {
    for (const filter of ['', ' ', 'includedone:true', 'type:bug includedone:true']) {
      assert.equal(hidesDone(parseFilter(filter)), false, filter);
    }
    for (const filter of ['type:bug', 'word', 'includedone:false']) {
      assert.equal(hidesDone(parseFilter(filter)), true, filter);
    }
  });
});

describe('any filter', () => {
  const word = fc.constantFrom('api', 'To Do', 'x', 'a,b', 'bug', 'é "q"', 'a:b', '\\');
  const quoted = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`;
  const stories = fc.record({ type: word, labels: fc.array(word, { maxLength: 3 }), name: word });

  it('is the conjunction of its parts, each the disjunction of its values', () => {
    const part = fc.tuple(fc.constantFrom('type', 'label', ''), fc.array(word, { minLength: 1, maxLength: 3 }));
    fc.assert(
      fc.property(stories, fc.array(part, { maxLength: 4 }), (fields, parts) => {
        const story = without(aStory({ ...fields, id: 999 }), 'description');
        const text = parts.map(([key, values]) => `${key && `${key}:`}${values.map(quoted).join(',')}`).join(' ');
        const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
        const naive = parts.every(([key, values]) =>
          values.some((value) => {
            if (key === 'type') return same(story.type, value);
            if (key === 'label') return story.labels.some((label) => same(label, value));
            return [story.name, ...story.labels].some((one) => one.toLowerCase().includes(value.toLowerCase()));
          }),
        );
        assertFound(text, story, naive);
      }),
      { numRuns: 500 },
    );
  });

  it('is understood or refused in a sentence', () => {
    const pieces = fc.constantFrom('type', ':', '"', ',', ' ', '\\', 'points:', '>', '3', 'owner:me', '-', '#', 'é');
    const text = fc.oneof(
      fc.string(),
      fc.array(pieces).map((all) => all.join('')),
    );
    fc.assert(
      fc.property(text, (filter) => {
        try {
          matches(parseFilter(filter), aStory(), context);
        } catch (error) {
          assert.ok(error instanceof TrackerError && error.message.endsWith('.'), String(error));
        }
      }),
      { numRuns: 1000 },
    );
  });
});
