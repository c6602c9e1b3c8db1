import assert from 'node:assert/strict';
import fc from 'fast-check';
import { shareOf } from '../../../../../src/service/store/postgres/connectionShare.ts';

describe('the share of a process in the connections of a server', () => {
  it('is what is left over others, a spare and what each has in any case', () => {
    const shares = [1, 2, 4, 8].map((processes) => shareOf({ room: 97, others: 5, processes }));
    assert.deepEqual(
      shares.map(({ readers, writers }) => [readers, writers]),
      [
        [59, 29],
        [29, 14],
        [13, 7],
        [6, 3],
      ],
    );
  });

  it('is one of each where there is no room, and for all together never more than there is where there is some', () => {
    const some = fc.record({ room: fc.nat(500), others: fc.nat(100), processes: fc.nat(40) });
    fc.assert(
      fc.property(some, (given) => {
        const { readers, writers } = shareOf(given);
        assert.ok(readers >= 1 && writers >= 1);
        const all = given.processes * (readers + writers + 2) + given.others;
        assert.ok(all <= given.room || (readers === 1 && writers === 1));
      }),
    );
  });
});
