import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import type { Connection } from '../../../../src/service/http/connection.ts';
import { RequestBody } from '../../../../src/service/http/requestBody.ts';

describe('A body that comes in pieces', () => {
  let request: IncomingMessage;
  let held: boolean[];
  let body: RequestBody;

  beforeEach(() => {
    request = new IncomingMessage(new Socket());
    request.headers['transfer-encoding'] = 'chunked';
    held = [];
    const connection: Pick<Connection, 'holdBody'> = { holdBody: (isAhead) => void held.push(isAhead) };
    body = new RequestBody(request, connection as Connection, () => 'Ada');
  });

  const come = (count: number, text: string) => {
    for (let piece = 0; piece < count; piece += 1) request.emit('data', Buffer.from(text));
  };

  it('of a byte each is read in few', async () => {
    come(7_000, 'a');
    const lengths = [(await body.next())?.length, (await body.next())?.length, (await body.next())?.length];
    assert.deepEqual(lengths, [1_024, 2_048, 3_928]);
    assert.ok(!held.includes(true));
  });

  it('of kilobytes each is held where nobody reads it only', async () => {
    come(8, 'a'.repeat(4_096));
    assert.deepEqual(held, []);
    come(1, 'a');
    await turn();
    assert.deepEqual(held, [true]);
    while (held.at(-1) === true) await body.next();
    assert.deepEqual(held, [true, false]);
  });

  it('is held for good once the rest of it was let go by for long enough', async () => {
    const discarded = body.discard();
    come(1, 'a'.repeat(64 * 1024 * 1024));
    come(2_000, 'a');
    await discarded;
    await turn();
    assert.equal(held.at(-1), true);
  });
});
