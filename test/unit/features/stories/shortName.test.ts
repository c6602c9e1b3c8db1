import assert from 'node:assert/strict';
import { SHORT_NAME, shortName } from '../../../../src/features/stories/shortName.ts';

function assertShort(name: string, expected: string, length?: number): void {
  assert.equal(shortName(name, length), expected);
}

describe('shortName', () => {
  it('leaves names alone for which there is room', () => {
    assertShort('', '');
    assertShort('Bake bread', 'Bake bread');
    assertShort('x'.repeat(SHORT_NAME), 'x'.repeat(SHORT_NAME));
    assertShort('Bake bread', 'Bake bread', 10);
  });

  it('ends a long one after a word where one is near', () => {
    assertShort('Bake bread for all', 'Bake bread…', 13);
    assertShort('Bake bread for all', 'Bake bread…', 11);
    assertShort('Bake breadsticks', 'Bake…', 8);
    assertShort('Go breadsticks', 'Go brea…', 8);
    assertShort('Unbelievably long', 'Unbelie…', 8);
  });

  it('never cuts a character in two', () => {
    assertShort('👩‍🍳👩‍🍳👩‍🍳👩‍🍳', '👩‍🍳👩‍🍳…', 3);
    assertShort('e\u0301e\u0301e\u0301e\u0301', 'e\u0301e\u0301…', 3);
    assertShort('パンを焼く', 'パン…', 3);
  });

  it('is quick and short for names of any length', () => {
    assert.ok(shortName('x'.repeat(100_000)).length <= SHORT_NAME);
    assert.ok(shortName(`e${'\u0301'.repeat(100_000)}`).length <= 100_001);
  });
});
