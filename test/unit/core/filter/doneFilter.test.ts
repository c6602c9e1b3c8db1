import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  doneQuery,
  type Filter,
  filterOf,
  matches,
  parseFilter,
  reachesDone,
} from '../../../../src/core/filter/filter.ts';
import { filterTerms } from '../../../../src/core/filter/filterTerms.ts';
import { aStory } from '../../../support/builders/builders.ts';

const DAY = 86_400_000;
const now = Date.UTC(2026, 2, 31, 15);

function assertQuery(text: string, expected: string | undefined): void {
  assert.equal(doneQuery(text, now), expected, text);
}

describe('doneQuery', () => {
  it('asks from an earlier day where days are those of a person, since servers may count others', () => {
    const east = { dayAt: (time: number) => Math.floor(time / DAY + 0.5), startOf: (day: number) => (day - 0.5) * DAY };
    const query = doneQuery('created_since:today includedone:true', now, east);
    assert.equal(query, 'created_since:2026/03/30 state:accepted includedone:true');
  });

  it('says to a server what its grammar can say, and that done stories are meant', () => {
    assertQuery('includedone:true', 'state:accepted includedone:true');
    assertQuery('type:bug,chore owner:me includedone:true', 'type:bug,chore owner:me state:accepted includedone:true');
    assertQuery('label:"to do",shop includedone:true', 'label:"to do",shop state:accepted includedone:true');
    assertQuery(
      'oven has_attachment:true includedone:true',
      'oven has_attachment:true state:accepted includedone:true',
    );
    assertQuery('id:#5,7', 'id:5,7 state:accepted includedone:true');
    assertQuery('label:shop oven includedone:true', 'oven label:shop state:accepted includedone:true');
    assertQuery('state:accepted oven', 'oven state:accepted includedone:true');
  });

  it('names the days that are meant', () => {
    assertQuery('created_since:today includedone:true', 'created_since:2026/03/31 state:accepted includedone:true');
    assertQuery('modified_since:1w includedone:true', 'modified_since:2026/03/24 state:accepted includedone:true');
  });

  it('leaves out what only we know, to be looked at here', () => {
    assertQuery('points:>3 estimate:none includedone:true', 'state:accepted includedone:true');
    assertQuery('12 #12 bread,rolls includedone:true', 'state:accepted includedone:true');
    assertQuery('label:"say \\"hi\\"" includedone:true', 'state:accepted includedone:true');
  });

  it('leaves out what is not to be so, what is to be missing, projects and order', () => {
    assertQuery('-type:bug label:none,shop oven state:accepted', 'oven state:accepted includedone:true');
    assertQuery('project:bakery sort:name -id:5 state:accepted', 'state:accepted includedone:true');
    assertQuery('-state:accepted includedone:true', undefined);
    assertQuery('-id:5', undefined);
  });

  it('is nothing where no done story can fit', () => {
    for (const text of ['type:bug', 'state:started includedone:true', 'mywork:me includedone:true']) {
      assertQuery(text, undefined);
    }
    assertQuery('state:accepted includedone:false', undefined);
    assertQuery('id:5 state:started', undefined);
  });

  it('is never of more parts or longer than servers take', () => {
    const most = Array.from({ length: 31 }, (_, index) => `word${'x'.repeat(index)}`);
    const query = doneQuery([...most, 'includedone:true'].join(' '), now) ?? '';
    assert.equal(filterTerms(query).length, 32);
    assert.ok(asServersRead(query));
    assertQuery(`label:"${'日'.repeat(2000)}" oven includedone:true`, 'oven state:accepted includedone:true');
    const labels = Array.from({ length: 29 }, (_, index) => `${'日'.repeat(100)}${index}`).join();
    assertQuery(`label:${labels} type:bug state:accepted`, 'type:bug state:accepted includedone:true');
  });

  it('lets through, read by our own rules, every accepted story that the filter lets through', () => {
    const word = fc.constantFrom('oven', 'shop', '12', '"to do"', 'Ada', 'me', 'bug');
    const key = fc.constantFrom('type', 'label', 'owner', 'requester', 'id', 'created_since', 'points');
    const value = fc.constantFrom('bug', 'shop', '"to do"', 'me', '12', '7d', '>2', 'none');
    const view = fc.constantFrom('project:1', '-project:shop', 'sort:name');
    const term = fc.oneof(
      word,
      view,
      fc
        .tuple(fc.constantFrom('', '-'), key, fc.array(value, { minLength: 1, maxLength: 2 }))
        .map(([sign, name, all]) => `${sign}${name}:${all.join(',')}`),
    );
    const story = fc
      .record({
        ...{ id: fc.constantFrom(12, 13), type: fc.constantFrom('bug', 'chore'), name: word, ownedBy: word },
        ...{ labels: fc.array(fc.constantFrom('shop', 'to do')), estimate: fc.constantFrom(-1, 1, 3) },
      })
      .map((fields) => aStory({ ...fields, state: 'accepted' }));
    const context = { now, me: 'Ada' };
    fc.assert(
      fc.property(fc.array(term, { maxLength: 3 }), story, (terms, done) => {
        const text = [...terms, 'includedone:true'].join(' ');
        if (!isFilter(text) || !matches(parseFilter(text), done, context)) return;
        const query = doneQuery(text, now);
        assert.ok(query !== undefined && matches(asServersRead(query), done, context), `${text} → ${query}`);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('reachesDone', () => {
  it('is so for a filter that says it, and for accepted and certain stories unless it says otherwise', () => {
    for (const text of ['includedone:true', 'id:5', 'state:started,accepted', '']) assert.ok(reachesDone(text), text);
    for (const text of ['type:bug', 'state:started', 'accepted', 'id:5 includedone:false']) {
      assert.ok(!reachesDone(text), text);
    }
  });
});

/** For whom a value goes on to the next key. */
function asServersRead(query: string): Filter {
  return filterOf(filterTerms(query, () => true));
}

function isFilter(text: string): boolean {
  try {
    parseFilter(text);
    return true;
  } catch {
    return false;
  }
}
