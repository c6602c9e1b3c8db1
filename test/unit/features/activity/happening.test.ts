import assert from 'node:assert/strict';
import { happening } from '../../../../src/features/activity/age.ts';
import { anActivity } from '../../../support/builders/builders.ts';

describe('happening', () => {
  function assertHappening(description: string, text: string, short: string, author = 'Ada Fenn'): void {
    assert.deepEqual(happening(anActivity({ description, author }), 'AF'), { text, short });
  }

  it('is the server’s sentence, shorter by the name at its beginning', () => {
    assertHappening('Ada Fenn started “Bread”', 'Ada Fenn started “Bread”', 'AF started “Bread”');
  });

  it('is left alone where it begins otherwise', () => {
    assertHappening(
      '“Bread” was started by Ada Fenn',
      '“Bread” was started by Ada Fenn',
      '“Bread” was started by Ada Fenn',
    );
    assertHappening('Ada Fennimore came', 'Ada Fennimore came', 'Ada Fennimore came');
    assertHappening('Something came', 'Something came', 'Something came', '');
  });

  it('is one line of visible text', () => {
    assertHappening('Ada  Fenn\nsaid \u202eno\u0007', 'Ada Fenn said \ufffdno\ufffd', 'AF said \ufffdno\ufffd');
    assert.ok(happening(anActivity({ description: 'x'.repeat(100_000) }), 'AF').text.length <= 300);
  });

  it('is the event’s own name when the server gave no sentence', () => {
    assertHappening(' ', 'story_update', 'story_update');
  });
});
