import assert from 'node:assert/strict';
import fc from 'fast-check';
import { messageOf, TrackerError } from '../../../../src/core/errors.ts';
import { type FilterContext, filterOf, hidesDone, matches, parseFilter } from '../../../../src/core/filter/filter.ts';
import { integrationNames } from '../../../../src/core/filter/filterKeys.ts';
import { filterTerms } from '../../../../src/core/filter/filterTerms.ts';
import { aDate, anAttachment, aStory, without } from '../../../support/builders/builders.ts';
import { growth } from '../../../support/measures/growth.ts';

const context: FilterContext = {
  me: 'Ada Fenn',
  initials: new Map([
    ['Ada Fenn', 'AF'],
    ['Bo Lind', 'BL'],
  ]),
  integrations: integrationNames([{ id: 3, name: 'Help desk', type: 'Zendesk' }]),
  now: Date.parse('2026-03-18T15:00:00Z'),
};

const stories = [
  aStory({ id: 1, name: 'Trim the wick', estimate: 1, ownedBy: 'Ada Fenn', labels: ['lamp'], state: 'started' }),
  aStory({
    id: 2,
    name: 'Fog bell',
    estimate: 5,
    ownedBy: 'Bo Lind',
    labels: ['Lamp', 'to do'],
    requestedBy: 'Bo Lind',
  }),
  without(
    aStory({ id: 3, type: 'bug', name: 'Door jams', state: 'delivered', description: 'Salt on the WICK door' }),
    'estimate',
  ),
  aStory({ id: 4, estimate: -1, state: 'unscheduled', labels: ['a,b'], createdAt: aDate('2026-03-18T00:00:00Z') }),
  aStory({ id: 5, type: 'épique', state: 'parked', estimate: 3, updatedAt: aDate('2026-03-17T23:59:59Z') }),
  without(
    aStory({ id: 6, type: 'chore', state: 'accepted', attachments: [anAttachment()], ownedBy: 'Ada Fenn' }),
    'estimate',
  ),
  aStory({
    id: 7,
    name: 'Chart: 12:30 tide',
    estimate: 8,
    ticket: { prefix: 'other', externalId: '9', integrationId: 3 },
    requestedBy: 'Cy',
  }),
];

describe('filter', () => {
  assertFinds('', 1, 2, 3, 4, 5, 6, 7);
  assertFinds('  \t ', 1, 2, 3, 4, 5, 6, 7);

  describe('by key', () => {
    assertFinds('id:2', 2);
    assertFinds('id:#2,7,99', 2, 7);
    assertFinds('type:bug', 3);
    assertFinds('TYPE:Bug,chore', 3, 6);
    assertFinds('type:ÉPIQUE', 5);
    assertFinds('state:started,parked', 1, 5);
    assertFinds('label:lamp', 1, 2);
    assertFinds('label:"to do"', 2);
    assertFinds('label:"a,b"', 4);
    assertFinds('label:a');
    assertFinds('label:lamp label:"to do"', 2);
    assertFinds('requester:cy', 7);
    assertFinds('owner:"bo lind"', 2);
    assertFinds('owner:BL,AF', 1, 2, 6);
    assertFinds('owner:ada', 1, 6);
    assertFinds('owner:ad');
    assertFinds('owner:me', 1, 6);
    assertFinds('mywork:me', 1, 3);
    assertFinds('mywork:"Bo Lind"', 2);
    assertFinds('external_id:9', 7);
    assertFinds('external_id:8');
    assertFinds('integration:"help desk",jira', 7);
    assertFinds('integration:zendesk', 7);
    assertFinds('integration:other', 7);
    assertFinds('integration:desk');
    assertFinds('type: bug', 3);
    assertFinds('type:  bug,chore wick', 3);
    assertFinds('label: "to do"', 2);
    assertFinds('type:bug jams', 3);
    assertFinds('label:lamp wick', 1);
    assertFinds('owner:bo lind', 2);
    assertFinds('has_attachment:true', 6);
    assertFinds('has_external_id:TRUE', 7);
    assertFinds('has_external_id:false has_attachment:false', 1, 2, 3, 4, 5);
    assertFinds('has_attachment:true,false', 1, 2, 3, 4, 5, 6, 7);
  });

  describe('by what is not so, or not there', () => {
    assertFinds('-type:bug', 1, 2, 4, 5, 6, 7);
    assertFinds('-type:bug,chore', 1, 2, 4, 5, 7);
    assertFinds('-TYPE:bug -label:lamp', 4, 5, 6, 7);
    assertFinds('-owner:me', 2, 3, 4, 5, 7);
    assertFinds('owner:none', 3, 4, 5, 7);
    assertFinds('owner:none,bo', 2, 3, 4, 5, 7);
    assertFinds('-owner:None', 1, 2, 6);
    assertFinds('label:none', 3, 5, 6, 7);
    assertFinds('-label:none', 1, 2, 4);
    assertFinds('requester:none');
    assertFinds('mywork:none');
    assertFinds('-points:none type:feature', 1, 2, 7);
    assertFinds('-has_attachment:true', 1, 2, 3, 4, 5, 7);
    assertFinds('-1');

    it('takes a label and a person who is called so', () => {
      const called = aStory({ ownedBy: 'None', labels: ['none'] });
      for (const text of ['owner:none', 'label:none']) assert.ok(matches(parseFilter(text), called, context), text);
    });
  });

  describe('by points', () => {
    assertFinds('points:5', 2);
    assertFinds('points:=5,8', 2, 7);
    assertFinds('points:>3', 2, 7);
    assertFinds('points:>=3', 2, 5, 7);
    assertFinds('estimate:<3', 1);
    assertFinds('estimate:<=3', 1, 5);
    assertFinds('points:>=3 points:<8', 2, 5);
    assertFinds('points:none', 4);
    assertFinds('points:-1,1', 1, 4);
  });

  describe('by time', () => {
    assertFinds('created_since:2026/03/18', 4);
    assertFinds('created_since:2026-03-03', 4);
    assertFinds('created_since:3/18/2026', 4);
    assertFinds('created_since:"Mar 18, 2026"', 4);
    assertFinds('created_since:today', 4);
    assertFinds('created_since:2026/03/19');
    assertFinds('modified_since:yesterday', 4, 5);
    assertFinds('modified_since:1d', 4, 5);
    assertFinds('modified_since:3w', 1, 2, 3, 4, 5, 6, 7);

    it('passes over a moment in a zone that is not known', () => {
      const story = aStory({ createdAt: { text: '2026/03/18 10:00:00 XYZ' } });
      assert.equal(matches(parseFilter('created_since:2020/01/01'), story, context), false);
    });
  });

  describe('by words', () => {
    assertFinds('wick', 1, 3);
    assertFinds('WICK salt', 3);
    assertFinds('"the wick"', 1, 3);
    assertFinds('"trim the"', 1);
    assertFinds('trim,bell', 1, 2);
    assertFinds('fog, bell', 2);
    assertFinds('lamp', 1, 2);
    assertFinds('lind', 2);
    assertFinds('"bo li"', 2);
    assertFinds('cy', 7);
    assertFinds('12:30', 7);
    assertFinds('"chart: 12"', 7);
    assertFinds('"chart": 12', 7);
    assertFinds('nothing');
    assertFinds('7', 7);
    assertFinds('#2,#3', 2, 3);
    assertFinds('#23');
  });

  it('counts what is not scheduled yet to the work of a person', () => {
    const owned = aStory({ state: 'unscheduled', ownedBy: 'Ada Fenn' });
    assert.equal(matches(parseFilter('mywork:me'), owned, context), true);
  });

  it('knows nobody called me when it is not said who asks', () => {
    const owned = aStory({ ownedBy: 'Ada Fenn' });
    assert.equal(matches(parseFilter('owner:me'), owned, { now: context.now }), false);
  });

  it('takes a quotation mark after a back-slash for itself', () => {
    const quoted = aStory({ labels: ['say "aye"'] });
    assert.equal(matches(parseFilter(String.raw`label:"say \"aye\""`), quoted, context), true);
  });

  it('sees the same letter in both ways to write an accent', () => {
    assert.equal(matches(parseFilter('cafe\u0301'), aStory({ name: 'Café' }), context), true);
  });
});

describe('the parts of a filter', () => {
  const goesOn = (key: string) => key === 'label' || key === 'mywork';
  function assertParts(text: string, ...expected: readonly (readonly [string, ...string[]])[]): void {
    it(`${JSON.stringify(text)} are ${expected.map((part) => part.join(' ')).join(', ')}`, () => {
      const parts = filterTerms(text, goesOn).map(({ key = '', values }) => [key, ...values]);
      assert.deepEqual(parts, expected);
    });
  }
  assertParts('mywork:Nora Vesper state:started', ['mywork', 'Nora Vesper'], ['state', 'started']);
  assertParts('state:started mywork:Nora  Vesper', ['state', 'started'], ['mywork', 'Nora Vesper']);
  assertParts('label: to do', ['label', 'to do']);
  assertParts('label:to do,fix it', ['label', 'to do', 'fix it']);
  assertParts('label:a, b , c d', ['label', 'a', 'b', 'c d']);
  assertParts('type:bug crash here', ['type', 'bug'], ['', 'crash'], ['', 'here']);
  assertParts('type: bug crash', ['type', 'bug'], ['', 'crash']);
  assertParts('label:"to do" crash', ['label', 'to do'], ['', 'crash']);
  assertParts('label:do "it now"', ['label', 'do'], ['', 'it now']);
  assertParts('crash label:to do', ['', 'crash'], ['label', 'to do']);

  it('are told apart in proportion to its length', () => {
    const label = (length: number) => `label:${'a '.repeat(length)}`;
    assert.ok(growth(100_000, label, (text) => filterTerms(text, goesOn)) <= 3.2);
  });
});

describe('filter and done stories', () => {
  const hidden = { '': false, ' ': false, wick: true, 'type:bug': true, 'includedone:true': false };
  const more = {
    'includedone:false': true,
    'type:bug includedone:true': false,
    'includedone:true includedone:false': true,
  };
  for (const [text, expected] of Object.entries({ ...hidden, ...more })) {
    it(`${JSON.stringify(text)} ${expected ? 'hides' : 'includes'} them`, () => {
      assert.equal(hidesDone(parseFilter(text)), expected);
    });
  }

  it('takes a minus before includedone for the opposite', () => {
    assert.equal(hidesDone(parseFilter('-includedone:false type:bug')), false);
    assert.equal(hidesDone(parseFilter('-includedone:true')), true);
  });

  it('asks nothing of a story by includedone', () => {
    for (const story of stories) assert.ok(matches(parseFilter('includedone:false'), story, context));
  });
});

describe('wrong filter', () => {
  assertRefused('colour:red', /Unknown filter key “colour:”\. Use .*label.*sort/);
  assertRefused('lable:red', /^Unknown filter key “lable:”\. Did you mean “label:”\?$/);
  assertRefused('-colour:red', /Unknown filter key “colour:”/);
  for (const alone of ['-', 'bread - butter', 'type:bug -']) assertRefused(alone, /^“-” leaves out .*-label:api/);
  for (const text of ['"-"', '"bread - butter"', 'label:" - "', 'bread-butter']) parseFilter(text);
  assertRefused('sort:colour', /“sort:” takes updated, .*not “colour”/);
  assertRefused('sort:name-up', /not “name-up”/);
  assertRefused('-sort:name', /put “-asc” or “-desc” behind it/);
  assertRefused('-type:', /Nothing follows “-type:”/);
  assertRefused('constructor:x', /Unknown filter key/);
  assertRefused('type:', /Nothing follows “type:”/);
  assertRefused('type:,', /Nothing follows “type:”/);
  assertRefused('type: ', /Nothing follows “type:”/);
  assertRefused('type: state:started', /Nothing follows “type:”/);
  assertRefused('label:""', /Nothing follows “label:”/);
  assertRefused('label:"to do', /unclosed/);
  assertRefused('id:twelve', /story numbers, not “twelve”/);
  assertRefused('points:many', /takes a number.*not “many”/);
  assertRefused('points:>', /takes a number/);
  assertRefused('points:1,x', /not “x”/);
  assertRefused('has_attachment:maybe', /true or false, not “maybe”/);
  assertRefused('includedone:maybe includedone:true', /true or false/);
  assertRefused('created_since:soon', /“soon” is not a day/);
  assertRefused('created_since:2026/02/30', /not a day/);
  assertRefused('modified_since:13/01/2026', /not a day/);

  it('takes none for a name where servers read it', () => {
    for (const text of ['owner:none', 'label:none']) {
      const filter = filterOf(filterTerms(text));
      assert.equal(matches(filter, without(aStory({ labels: [] }), 'ownedBy'), context), false, text);
      assert.equal(matches(filter, aStory({ ownedBy: 'None', labels: ['none'] }), context), true, text);
    }
  });

  it('has no minus, project or order where servers read it', () => {
    assert.throws(() => filterOf(filterTerms('-type:bug')), /Unknown filter key “-type:”/);
    for (const text of ['project:1', 'sort:name']) {
      assert.throws(() => filterOf(filterTerms(text)), /Unknown filter key “(?:project|sort):”\. (?!.*sort)/, text);
    }
  });

  it('is never refused but with a sentence', () => {
    const piece = fc.constantFrom(
      '"',
      '\\',
      ':',
      ',',
      ' ',
      'type',
      'points',
      'id',
      '>',
      '3',
      'é',
      '-',
      '\n',
      '__proto__',
    );
    const text = fc.oneof(
      fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units)),
      fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
    );
    fc.assert(
      fc.property(text, (typed) => {
        try {
          const filter = parseFilter(typed);
          for (const story of stories) matches(filter, story, context);
        } catch (thrown) {
          assert.ok(thrown instanceof TrackerError && thrown.kind === 'input', messageOf(thrown));
          assert.match(thrown.message, /^[\p{Lu}“].*[.?"]$/su);
        }
      }),
    );
  });
});

describe('filter against its definition', () => {
  const words = ['lamp', 'To do', 'a,b', 'say "aye"', 'wick:end', 'x\\y'];
  const people = ['Ada Fenn', 'Bo Lind'];
  const types = ['feature', 'bug', 'chore'];
  const states = ['unstarted', 'started', 'accepted'];
  const some = (values: readonly string[]) =>
    fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 });

  const story = fc
    .record({
      type: fc.constantFrom(...types),
      state: fc.constantFrom(...states),
      name: fc.constantFrom(...words, 'Fog bell'),
      ownedBy: fc.constantFrom(...people),
      estimate: fc.constantFrom(-1, 0, 1, 2, 3, 5),
      labels: fc.uniqueArray(fc.constantFrom(...words)),
    })
    .map((fields) => aStory(fields));
  type Asked = Readonly<Partial<Record<'type' | 'state' | 'owner' | 'label' | 'words', readonly string[]>>> & {
    readonly over?: number;
  };
  const asked: fc.Arbitrary<Asked> = fc.record(
    {
      type: some(types),
      state: some(states),
      owner: some([...people, 'me']),
      label: some(words),
      words: some(words),
      over: fc.constantFrom(-1, 0, 2),
    },
    { requiredKeys: [] },
  );

  const quoted = (value: string) => `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
  const textOf = ({ over, words: phrases, ...keyed }: Asked) =>
    [
      ...Object.entries(keyed).map(([key, values]) => `${key}:${values.map(quoted).join(',')}`),
      ...(phrases ? [phrases.map(quoted).join(',')] : []),
      ...(over === undefined || over < 0 ? [] : [`points:>${over}`]),
    ].join(' ');

  it('finds a story exactly when every part names something of it', () => {
    fc.assert(
      fc.property(story, asked, (given, wanted) => {
        const owners = wanted.owner?.map((owner) => (owner === 'me' ? 'Ada Fenn' : owner));
        const texts = [given.name, ...given.labels];
        const expected =
          (wanted.type?.includes(given.type) ?? true) &&
          (wanted.state?.includes(given.state) ?? true) &&
          (owners?.includes(given.ownedBy ?? '') ?? true) &&
          (wanted.label?.some((label) => given.labels.includes(label)) ?? true) &&
          (wanted.words?.some((word) => texts.some((text) => text.includes(word))) ?? true) &&
          (wanted.over === undefined || wanted.over < 0 || (given.estimate ?? -1) > wanted.over);
        assert.equal(matches(parseFilter(textOf(wanted)), given, context), expected, textOf(wanted));
      }),
      { numRuns: 300 },
    );
  });

  it('compares with what it folded of a story before, however many words ask', () => {
    let readings = 0;
    const description = 'Salt on the wick';
    const told = Object.defineProperty(aStory({ description }), 'description', {
      get: () => {
        readings += 1;
        return description;
      },
    });
    for (const text of ['salt', 'on "the wick"', 'a,b,c,d', 'type:bug brine'])
      matches(parseFilter(text), told, context);
    assert.equal(readings, 1);
  });

  it('has at most 32 words and values, and is refused with more before any story is looked at', () => {
    const values = Array.from({ length: 32 }, (_, index) => `w${index}`);
    for (const separator of [' ', ',']) {
      const filter = parseFilter(values.join(separator));
      assert.equal(matches(filter, aStory({ name: 'w0 w9' }), context), separator === ',');
    }
    const tooMany = Array.from({ length: 7_500 }, (_, index) => `w${index}`);
    for (const text of [[...values, 'x'].join(' '), `label:${[...values, 'x'].join()}`, tooMany.join(' ')]) {
      assert.throws(() => parseFilter(text), /at most 32 words and values\. Remove some/);
    }
  });

  it('is understood in time that is in proportion to its length', () => {
    const texts = [':', 'a,', '"a" ', 'a:"\\"" ', ' '];
    for (const text of texts) {
      const understood = (typed: string) => {
        try {
          parseFilter(typed);
        } catch (thrown) {
          assert.ok(thrown instanceof TrackerError);
        }
      };
      assert.ok(growth(30_000, (size) => text.repeat(size), understood) <= 3.2, text);
    }
  });
});

function assertFinds(text: string, ...ids: readonly number[]): void {
  it(`${JSON.stringify(text)} finds ${ids.join(', ') || 'nothing'}`, () => {
    const filter = parseFilter(text);
    const found = stories.filter((story) => matches(filter, story, context));
    assert.deepEqual(
      found.map(({ id }) => id),
      ids,
    );
  });
}

function assertRefused(text: string, sentence: RegExp): void {
  it(`${JSON.stringify(text)} is refused in a sentence`, () => {
    assert.throws(
      () => parseFilter(text),
      (thrown) => thrown instanceof TrackerError && thrown.kind === 'input' && sentence.test(thrown.message),
    );
  });
}
