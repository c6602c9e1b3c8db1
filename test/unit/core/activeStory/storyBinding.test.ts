import assert from 'node:assert/strict';
import fc from 'fast-check';
import { accountOnServer, bindingTexts, readBinding } from '../../../../src/core/activeStory/storyBinding.ts';

describe('The story that a branch is bound to', () => {
  const story = { accountId: 'https://tracker.example.org ada', projectId: 7, storyId: 12 };

  it('is written as its id, which scripts can read, beside its project and account', () => {
    const storyIn = '12 7 https%3A%2F%2Ftracker.example.org%20ada';
    assert.deepEqual(bindingTexts(story), { story: '12', storyIn });
  });

  it('is read as it was written', () => {
    const ids = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
    const property = fc.property(
      ids,
      ids,
      fc.string({ unit: 'grapheme', minLength: 1 }),
      (storyId, projectId, accountId) => {
        const one = { storyId, projectId, accountId };
        assert.deepEqual(readBinding(bindingTexts(one)), one);
      },
    );
    fc.assert(property);
  });

  it('may be written by hand, as an id alone', () => {
    assert.deepEqual(readBinding({ story: ' #12 ', storyIn: '' }), { storyId: 12 });
  });

  it('takes no project and account that were written for another story', () => {
    assert.deepEqual(readBinding({ ...bindingTexts(story), story: '13' }), { storyId: 13 });
    assert.deepEqual(readBinding({ story: '12', storyIn: '12 7 %E0%A4%A' }), { storyId: 12 });
  });

  const none = [
    '',
    '0',
    '-1',
    '12 34',
    '1e3',
    'x',
    '99999999999999999999',
    '[fixes #12]',
    '--evil',
    '--global',
    '0x10',
  ];
  for (const text of [...none, '12\n34', '12\0', '$(id)', '#'.repeat(9000), '9'.repeat(9000)])
    it(`is none where it says ${JSON.stringify(text.slice(0, 30))}`, () =>
      assert.equal(readBinding({ story: text, storyIn: '' }), undefined));

  it('is read from any values without throwing', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[-#\s\d%]{0,12}$/));
    const property = fc.property(text, text, (one, storyIn) => {
      const binding = readBinding({ story: one, storyIn });
      assert.ok(binding === undefined || Number.isSafeInteger(binding.storyId));
    });
    fc.assert(property);
  });

  it('is reached by its account, or by another of the same server, and by no other', () => {
    const ids = ['https://a.example.org', 'bob https://b.example.org', 'builtIn'];
    assert.equal(accountOnServer('https://a.example.org', ids), ids[0]);
    assert.equal(accountOnServer('ada https://a.example.org', ids), ids[0]);
    assert.equal(accountOnServer('ada lovelace https://b.example.org', ids), ids[1]);
    for (const other of ['https://c.example.org', 'x https://aa.example.org', 'https://a.example.org/sub', '', ' '])
      assert.equal(accountOnServer(other, ids), undefined);
  });
});
