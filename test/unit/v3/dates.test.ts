import assert from 'node:assert/strict';
import fc from 'fast-check';
import { MAX_NUMBER } from '../../../src/core/limits.ts';
import { readZonedDate, writeDay, zonedDate } from '../../../src/v3/dates.ts';

describe('dates', () => {
  function assertTime(text: string, expected: string | undefined): void {
    const date = readZonedDate(text);
    assert.equal(date.text, text);
    assert.equal(date.time === undefined ? undefined : new Date(date.time).toISOString(), expected, text);
  }

  it('read the zones that servers write', () => {
    const hours = {
      UTC: 12,
      GMT: 12,
      EST: 17,
      EDT: 16,
      CST: 18,
      CDT: 17,
      MST: 19,
      MDT: 18,
      PST: 20,
      PDT: 19,
      CET: 11,
      CEST: 10,
      BST: 11,
      EET: 10,
      EEST: 9,
      JST: 3,
      Z: 12,
    };
    for (const [zone, hour] of Object.entries(hours)) {
      assertTime(`2010/05/19 12:30:05 ${zone}`, `2010-05-19T${String(hour).padStart(2, '0')}:30:05.000Z`);
    }
  });
  it('read numeric offsets and ISO 8601', () => {
    assertTime('2010/05/19 12:00:00 +0530', '2010-05-19T06:30:00.000Z');
    assertTime('2010/05/19 12:00:00 -08:00', '2010-05-19T20:00:00.000Z');
    assertTime('2010/05/19 12:00:00 UTC+02', '2010-05-19T10:00:00.000Z');
    assertTime('2010-05-19T12:00:00Z', '2010-05-19T12:00:00.000Z');
    assertTime('2010-05-19T12:00:00.25+02:00', '2010-05-19T10:00:00.250Z');
    assertTime('2010-05-19T12:00Z', '2010-05-19T12:00:00.000Z');
    assertTime(' 2010/05/19 12:00:00 utc ', '2010-05-19T12:00:00.000Z');
  });
  it('read a day alone as its start in UTC', () => {
    assertTime('2010/05/19', '2010-05-19T00:00:00.000Z');
    assertTime('2010-05-19', '2010-05-19T00:00:00.000Z');
    assertTime('2012/02/29', '2012-02-29T00:00:00.000Z');
    assertTime('2012/2/9', '2012-02-09T00:00:00.000Z');
    assertTime('2012/2/9 03:00:00 PST', '2012-02-09T11:00:00.000Z');
  });
  it('read months by their names', () => {
    assertTime('Dec 31, 2027', '2027-12-31T00:00:00.000Z');
    assertTime('december 31 2027', '2027-12-31T00:00:00.000Z');
    assertTime('31 Dec 2027', '2027-12-31T00:00:00.000Z');
    assertTime('Sept. 1, 2027 12:30:00 EST', '2027-09-01T17:30:00.000Z');
    assertTime('May 1, 2027 12:30:00', undefined);
    for (const text of ['Foo 1, 2027', 'Ma 1, 2027', 'Decembers 1, 2027', 'Feb 29, 2027', 'Dec 31', 'Dec 31, 20270'])
      assertTime(text, undefined);
  });
  it('are no longer than a date can be', () => {
    const padded = (text: string, length: number) => text.padEnd(length);
    assert.equal(readZonedDate(padded('2027/12/31', MAX_NUMBER)).time, Date.UTC(2027, 11, 31));
    assert.equal(readZonedDate(padded('2027/12/31', MAX_NUMBER + 1)).time, undefined);
    assert.equal(readZonedDate(padded('Dec 31, 2027', MAX_NUMBER + 1)).time, undefined);
  });
  it('never take an unknown or missing zone for UTC', () => {
    for (const zone of ['', 'XYZ', 'IST', 'constructor', '__proto__', '+25:00', '+02:99', 'UTC EST']) {
      assertTime(`2010/05/19 12:00:00 ${zone}`.trim(), undefined);
    }
  });
  it('keep impossible dates as text', () => {
    for (const text of [
      '2010/02/30',
      '2010/13/01 00:00:00 UTC',
      '2010/00/10',
      '2010/05/19 24:00:00 UTC',
      '2010/05/19 12:60:00 UTC',
      '2011/02/29',
      '2010/05-19',
      'soon',
      '',
      '19/05/2010',
    ]) {
      assertTime(text, undefined);
    }
  });
  it('are written in UTC', () => {
    assert.equal(zonedDate(Date.parse('2010-05-19T12:30:05.999Z')).text, '2010/05/19 12:30:05 UTC');
    assert.equal(writeDay(Date.parse('2010-05-19T23:59:59Z')), '2010/05/19');
    assert.throws(() => zonedDate(Number.NaN), RangeError);
    assert.throws(() => zonedDate(Date.UTC(20000, 1)), RangeError);
  });
  it('come back as they were written', () => {
    const max = Date.UTC(9999, 11, 31);
    fc.assert(
      fc.property(fc.integer({ min: 0, max }), (time) =>
        assert.deepEqual(readZonedDate(zonedDate(time).text), zonedDate(time)),
      ),
    );
  });
  it('mean the same however much space is before the zone, possible or not', () => {
    const two = (max: number) => fc.integer({ min: 0, max }).map((value) => String(value).padStart(2, '0'));
    const day = fc.tuple(fc.integer({ min: 0, max: 9999 }), two(14), two(33), two(25), two(61), two(61));
    fc.assert(
      fc.property(day, fc.constantFrom('/', '-'), ([year, month, date, ...clock], mark) => {
        const text = `${[String(year).padStart(4, '0'), month, date].join(mark)} ${clock.join(':')}`;
        assert.equal(readZonedDate(`${text} UTC`).time, readZonedDate(`${text}  UTC`).time);
      }),
    );
    for (const text of [
      '2010/05/19 12:30:0x UTC',
      '2010/05/19T12:30:05 UTC',
      '20x0/05/19 12:30:05 UTC',
      '2010/05/19 12:30.05 UTC',
    ]) {
      assert.equal(readZonedDate(text).time, readZonedDate(text.replace(' UTC', '  UTC')).time, text);
    }
  });
});
