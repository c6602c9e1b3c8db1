import assert from 'node:assert/strict';
import { storyFieldsIn } from '../../../../src/host/story/storyFieldsArgument.ts';
import { l10n } from '../../../support/texts/untranslated.ts';

const fieldsIn = (given: Readonly<Record<string, unknown>>) => storyFieldsIn({ l10n }, given);

function assertRefused(given: Readonly<Record<string, unknown>>, mend: string): void {
  it(`refuses ${JSON.stringify(given)} and says: ${mend}`, () => {
    assert.throws(() => fieldsIn(given), { kind: 'input', message: mend });
  });
}

describe('the fields of a story that a program names', () => {
  it('are taken as they are, and others left alone', () => {
    const given = { name: 'Bake', estimate: 0, labels: ['a b'], ownedBy: 'Ann', description: '', storyId: 3, x: 1 };
    const { storyId: _id, x: _x, ...fields } = given;
    assert.deepEqual(fieldsIn(given), fields);
    assert.deepEqual(fieldsIn({}), {});
  });

  it('are cleared by null', () => {
    const nothing = { description: null, estimate: null, ownedBy: null, deadline: null };
    assert.deepEqual(fieldsIn(nothing), nothing);
  });

  it('name the day of a deadline', () => {
    // Noon, which is the same day on servers of nearly all zones.
    const deadline = { text: '2026/12/31 12:00:00 UTC', time: Date.UTC(2026, 11, 31, 12) };
    assert.deepEqual(fieldsIn({ deadline: '2026-12-31' }), { deadline });
    assert.deepEqual(fieldsIn({ deadline: '2026/12/31' }), { deadline });
  });

  assertRefused({ name: ' ' }, 'Pass name as string.');
  assertRefused({ name: null }, 'Pass name as string.');
  assertRefused({ name: 'x'.repeat(5001).slice(0, 0) }, 'Pass name as string.');
  assertRefused({ description: 3 }, 'Pass description as string | null.');
  assertRefused({ estimate: '3' }, 'Pass estimate as number | null.');
  assertRefused({ estimate: -1 }, 'Pass estimate as number | null.');
  assertRefused({ estimate: Number.POSITIVE_INFINITY }, 'Pass estimate as number | null.');
  for (const estimate of [Number.NaN, 0.5, 1e308]) assertRefused({ estimate }, 'Pass estimate as number | null.');
  assertRefused({ labels: 'a,b' }, 'Pass labels as string[].');
  assertRefused({ labels: ['a,b'] }, 'Pass labels as string[].');
  assertRefused({ ownedBy: 7 }, 'Pass ownedBy as string | null.');
  assertRefused({ deadline: '2026-02-31' }, 'Pass deadline as "YYYY-MM-DD" | null.');
  assertRefused({ deadline: '2026-00-15' }, 'Pass deadline as "YYYY-MM-DD" | null.');
  assertRefused({ deadline: '0026-01-15' }, 'Pass deadline as "YYYY-MM-DD" | null.');
  assertRefused({ deadline: 'soon' }, 'Pass deadline as "YYYY-MM-DD" | null.');
});
