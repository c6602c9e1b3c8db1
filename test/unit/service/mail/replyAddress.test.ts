import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  readReplyLocalPart,
  readSignedIds,
  replyLocalPart,
  signedIds,
} from '../../../../src/service/mail/replyAddress.ts';

const ids = fc.integer({ min: 1, max: 2_147_483_647 });
const place = fc.tuple(ids, ids).map(([storyId, userId]) => ({ storyId, userId }));

describe('reply addresses', () => {
  it('name the story and the recipient, in any case, within what mail systems take', () => {
    fc.assert(
      fc.property(place, fc.string(), (one, key) => {
        const localPart = replyLocalPart(one, key);
        assert.match(localPart, /^[a-z0-9-]{1,64}$/);
        assert.deepEqual(readReplyLocalPart(localPart, key), one);
        assert.deepEqual(readReplyLocalPart(localPart.toUpperCase(), key), one);
      }),
    );
  });

  it('are good for nobody and nothing else', () => {
    fc.assert(
      fc.property(place, place, (one, other) => {
        fc.pre(one.storyId !== other.storyId || one.userId !== other.userId);
        const proof = replyLocalPart(one, 'key').split('-').at(-1);
        assert.equal(readReplyLocalPart(`story-${other.storyId}-${other.userId}-${proof}`, 'key'), undefined);
        assert.equal(readReplyLocalPart(replyLocalPart(one, 'another key'), 'key'), undefined);
      }),
    );
  });

  it('open nothing else that is signed, and nothing else opens them', () => {
    const signed = replyLocalPart({ storyId: 12, userId: 3 }, 'key').slice('story-'.length);
    assert.deepEqual(readSignedIds('reply', signed, 'key'), [12, 3]);
    assert.equal(readSignedIds('preferences', signed, 'key'), undefined);
    assert.equal(readReplyLocalPart(`story-${signedIds('preferences', 12, 3, 'key')}`, 'key'), undefined);
  });

  it('are none when anything is changed or left out', () => {
    const good = replyLocalPart({ storyId: 12, userId: 3 }, 'key');
    const wrong = [
      good.slice(0, -1),
      `${good}0`,
      good.replace('12', '012'),
      good.replace('12', '13'),
      `x${good}`,
      'story-12-3-',
      'story',
      '',
    ];
    for (const localPart of wrong) assert.equal(readReplyLocalPart(localPart, 'key'), undefined, localPart);
  });
});
