import assert from 'node:assert/strict';
import { localDays } from '../../../../src/host/shell/localDays.ts';

const DAY = 86_400_000;
const ZONES = [
  'UTC',
  'America/Los_Angeles',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'Asia/Kathmandu',
  'Africa/Cairo',
];

describe('Days where the window is', () => {
  const before = process.env.TZ;
  afterEach(() => {
    process.env.TZ = before ?? 'UTC';
  });

  for (const zone of ZONES) {
    it(`follow each other without gaps, whenever clocks change, in ${zone}`, () => {
      process.env.TZ = zone;
      const first = Math.floor(Date.UTC(2026, 0, 1) / DAY);
      for (let day = first; day < first + 400; day += 1) {
        const start = localDays.startOf(day);
        assert.equal(localDays.dayAt(start), day);
        assert.equal(localDays.dayAt(start - 1), day - 1);
        assert.equal(localDays.dayAt(localDays.startOf(day + 1) - 1), day);
      }
    });
  }

  it('are those of the calendar also long ago', () => {
    process.env.TZ = 'UTC';
    assert.equal(localDays.startOf(localDays.dayAt(Date.UTC(2026, 2, 31, 12))), Date.UTC(2026, 2, 31));
    const early = new Date(0).setUTCFullYear(50, 0, 1);
    assert.equal(localDays.startOf(localDays.dayAt(early)), early);
  });
});
