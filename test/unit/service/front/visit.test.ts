import assert from 'node:assert/strict';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Visit } from '../../../../src/service/front/visit.ts';
import { FairQueue } from '../../../../src/service/ground/fairQueue.ts';
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

describe('who asks', () => {
  const users = new Map([
    ['one', 7],
    ['other', 7],
  ]);

  function visitOf(token: string, address: string): Visit {
    const socket = new Socket();
    const request = new IncomingMessage(socket);
    if (token !== '') request.headers['x-trackertoken'] = token;
    const connection = new Connections().of(socket);
    const coming = {
      request,
      response: new ServerResponse(request),
      connection,
      userOf: (text: string) => users.get(text),
    };
    return new Visit(1, coming, { rawHeaders: [], sender: { address, isPrivate: true }, digest: '' }, 0);
  }

  it('is a user, by whichever of their tokens, and otherwise the network, whatever they send', () => {
    assert.equal(visitOf('one', '192.0.2.1').caller, visitOf('other', '192.0.2.2').caller);
    const strangers = [visitOf('', '192.0.2.1'), visitOf('made up', '192.0.2.1'), visitOf('user 7', '192.0.2.1')];
    assert.equal(new Set(strangers.map(({ caller }) => caller)).size, 1);
    assert.equal(visitOf('', '2001:db8::1').caller, visitOf('x', '2001:db8::2').caller);
    assert.notEqual(visitOf('', '192.0.2.2').caller, visitOf('', '192.0.2.1').caller);
  });

  it('is the user as soon as the store knows the token', () => {
    const visit = visitOf('new', '192.0.2.1');
    visit.isOf(7);
    assert.equal(visit.caller, visitOf('one', '192.0.2.1').caller);
  });

  it('has one turn with all who are not known, from wherever they ask, and one for each user', () => {
    const queue = new FairQueue<string>();
    for (let count = 0; count < 9; count += 1)
      queue.add(visitOf(`made up ${count}`, `192.0.2.${count}`).turn, 'stranger');
    queue.add(visitOf('one', '192.0.2.1').turn, 'user');
    assert.deepEqual([queue.next(), queue.next(), queue.next()], ['stranger', 'user', 'stranger']);
  });
});
