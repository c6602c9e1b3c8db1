import assert from 'node:assert/strict';
import { isLostRace, isUnavailable, sqlState } from '../../../../../src/service/store/postgres/postgresErrors.ts';

describe('errors of PostgreSQL', () => {
  const error = (code: string, message = 'said') => Object.assign(new Error(message), { code });

  for (const code of ['40001', '40P01', '23505', '23503']) {
    it(`${code} is a race that was lost: the work is begun anew`, () => {
      assert.equal(isLostRace(error(code)), true);
      assert.equal(isUnavailable(error(code)), false);
    });
  }

  for (const code of [
    '08006',
    '53300',
    '57P01',
    '57P03',
    '55P03',
    '55000',
    '28000',
    '28P01',
    '25006',
    '3D000',
    '42P01',
    'ECONNREFUSED',
    'ENOTFOUND',
    'ERR_STREAM_DESTROYED',
  ]) {
    it(`${code} passes: it is to be tried again later`, () => {
      assert.equal(isUnavailable(error(code)), true);
      assert.equal(isLostRace(error(code)), false);
    });
  }

  for (const sentence of [
    'Connection terminated unexpectedly',
    'timeout exceeded when trying to connect',
    'timeout expired',
  ]) {
    it(`"${sentence}" passes too, though it has no code`, () => assert.equal(isUnavailable(new Error(sentence)), true));
  }

  for (const code of ['42601', '22003', '23502', '42703']) {
    it(`${code} is a mistake of the service`, () => {
      assert.equal(isLostRace(error(code)) || isUnavailable(error(code)), false);
      assert.equal(sqlState(error(code)), code);
    });
  }

  it('are told from those of the system', () => {
    assert.equal(sqlState(error('ENOENT')), undefined);
    assert.equal(sqlState(new Error('23505')), undefined);
    assert.equal(isUnavailable('57P01'), false);
  });
});
