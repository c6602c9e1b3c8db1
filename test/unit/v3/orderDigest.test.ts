import assert from 'node:assert/strict';
import { orderDigest } from '../../../src/v3/orderDigest.ts';

const [MONDAY, WEEK] = [1_773_619_200_000, 7 * 86_400_000];
const third = { number: 3, start: MONDAY, finish: MONDAY + WEEK, teamStrength: 1, storyIds: [12, 14] };
const fourth = { number: 4, start: MONDAY + WEEK, finish: MONDAY + 2 * WEEK, teamStrength: 0.5, storyIds: [] };
const fifth = { number: 5, storyIds: [13] };

describe('The digest of an order', () => {
  it('is what sha256sum makes of its lines', () => {
    // printf 'iteration 3 1773619200000 1774224000000 1: 12 14\niteration 4 1774224000000 1774828800000 0.5:\n
    //   iteration 5 - - -: 13\nicebox: 40 9\n' | openssl dgst -sha256 -binary | basenc --base64url | cut -c1-22
    assert.equal(orderDigest([third, fourth, fifth], [40, 9]), 'ptv36fe_tDeGPEixdcUffK');
    assert.equal(orderDigest([], []), 'i1dV9Op-aBxzpsrncsUsJ_');
  });

  it('differs with every place, date and strength', () => {
    const digests = [
      orderDigest([third, fourth, fifth], [40, 9]),
      orderDigest([third, fourth, fifth], [9, 40]),
      orderDigest([third, fourth, fifth], [409]),
      orderDigest([{ ...third, storyIds: [14, 12] }, fourth, fifth], [40, 9]),
      orderDigest([{ ...third, storyIds: [12] }, { ...fourth, storyIds: [14] }, fifth], [40, 9]),
      orderDigest([third, { ...fourth, teamStrength: 1 }, fifth], [40, 9]),
      orderDigest([third, { ...fourth, finish: fourth.finish + WEEK }, fifth], [40, 9]),
      orderDigest([third, fourth, { ...fifth, number: 6 }], [40, 9]),
      orderDigest([third, fourth, { ...fifth, storyIds: [13, 40] }], [9]),
    ];
    assert.equal(new Set(digests).size, digests.length);
  });
});
