import assert from 'node:assert/strict';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Visit } from '../../../../src/service/front/visit.ts';
import { Connections } from '../../../../src/service/http/connections.ts';

/** Milliseconds. */
const PATIENCE = 30_000;

describe('who takes an answer', () => {
  /** Whether a reader is cut off who took so many bytes of a long list, the last of them a second ago, after twice the patience. */
  function isCutOff(taken: number, isInTheWay: boolean): boolean {
    const socket = new Socket();
    const request = new IncomingMessage(socket);
    const exchange = {
      request,
      response: new ServerResponse(request),
      connection: new Connections().of(socket),
      userOf: () => undefined,
    };
    const head = { rawHeaders: [], sender: { address: '127.0.0.1', isPrivate: true }, digest: '' };
    const visit = new Visit(1, exchange, head, 0);
    const now = visit.begun + 2 * PATIENCE;
    visit.beginAnswer(visit.begun, () => isInTheWay);
    visit.noteTaken(taken, now - 1_000);
    return visit.isIdle(now, PATIENCE, false);
  }

  it('may be slow, unless others are refused for it', () => {
    assert.equal(isCutOff(1_000, false), false);
    assert.equal(isCutOff(1_000, true), true);
    assert.equal(isCutOff(10_000_000, true), false);
  });
});
