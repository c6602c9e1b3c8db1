import assert from 'node:assert/strict';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Connection } from '../../../../src/service/http/connection.ts';
import { Connections } from '../../../../src/service/http/connections.ts';

describe('requests that wait on their connections', () => {
  /** So many come over a connection at once, each with lines of this length; gives how many of them it took before it was cut off. */
  function asked(connection: Connection, socket: Socket, count: number, line = 10): number {
    for (let taken = 0; taken < count; taken += 1) {
      if (socket.destroyed) return taken;
      const request = new IncomingMessage(socket);
      request.rawHeaders = Array.from({ length: 20 }, () => 'a'.repeat(line));
      connection.begins(request, new ServerResponse(request));
    }
    return count;
  }

  function opened(all: Connections): { readonly socket: Socket; readonly connection: Connection } {
    const socket = new Socket();
    return { socket, connection: all.of(socket) };
  }

  it('are so many on one, and fewer where they are larger', () => {
    const [small, large] = [opened(new Connections()), opened(new Connections())];
    const taken = asked(small.connection, small.socket, 1_000);
    assert.ok(taken > 150 && taken < 200, `${taken}`);
    const fewer = asked(large.connection, large.socket, 1_000, 800);
    assert.ok(fewer > 40 && fewer < taken / 2, `${fewer}`);
    assert.ok(small.socket.destroyed && large.socket.destroyed);
  });

  it('are so many on all together: who sends many more is cut off, and then who sent the most', async () => {
    const all = new Connections();
    const few = opened(all);
    asked(few.connection, few.socket, 4);
    const many = Array.from({ length: 20 }, () => opened(all));
    for (const { connection, socket } of many) {
      asked(connection, socket, 60);
      await nextTurn();
    }
    const before = many.filter(({ socket }) => !socket.destroyed);
    assert.ok(before.length > 1 && before.length < 4, `${before.length}`);
    const others = Array.from({ length: 40 }, () => opened(all));
    for (const { connection, socket } of others) {
      assert.equal(asked(connection, socket, 4), 4);
      await nextTurn();
    }
    const after = before.filter(({ socket }) => !socket.destroyed);
    assert.ok(after.length < before.length && after.length > 0);
    assert.ok([few, ...others].every(({ socket }) => !socket.destroyed));
  });

  it('count until their connection is closed, also when it is cut off', () => {
    const all = new Connections();
    const flood = Array.from({ length: 100 }, () => opened(all));
    const taken = flood.map(({ connection, socket }) => asked(connection, socket, 1_000));
    const most = taken.reduce((sum, count) => sum + count, 0);
    assert.ok(most < 800, `${most}`);
    for (const { socket } of flood) socket.emit('close');
    const { connection, socket } = opened(all);
    assert.equal(asked(connection, socket, 120), 120);
  });

  it('are left alone where they are few while what was cut off in the same moment still counts', async () => {
    const all = new Connections();
    const few = opened(all);
    few.connection.isOf(1);
    assert.equal(asked(few.connection, few.socket, 4), 4);
    const flood = Array.from({ length: 100 }, () => opened(all));
    for (const { connection, socket } of flood) asked(connection, socket, 1_000);
    assert.ok(flood.every(({ socket }) => socket.destroyed));
    const late = opened(all);
    asked(late.connection, late.socket, 4);
    assert.equal(few.socket.destroyed, false);
  });

  it('cost whoever has the most of them over all their connections', async () => {
    const all = new Connections();
    const one = opened(all);
    one.connection.isOf(1);
    assert.equal(asked(one.connection, one.socket, 30), 30);
    const many = Array.from({ length: 100 }, () => opened(all));
    for (const { connection, socket } of many) {
      connection.isOf(2);
      asked(connection, socket, 4);
      await nextTurn();
    }
    assert.equal(one.socket.destroyed, false);
    assert.ok(many.some(({ socket }) => socket.destroyed));
  });

  it('give way to others when they are answered, or their connections are closed', () => {
    const all = new Connections();
    for (let times = 0; times < 30; times += 1) {
      const { connection, socket } = opened(all);
      assert.equal(asked(connection, socket, 120), 120);
      for (let answered = 0; times % 2 === 0 && answered < 120; answered += 1) connection.next();
      socket.emit('close');
    }
  });
});

describe('who is closed for one more connection', () => {
  const MOST = 20;
  let all: Connections;
  let open: Map<string, Socket>;

  beforeEach(() => {
    all = new Connections();
    open = new Map();
  });

  type State = 'silent' | 'half' | 'whole' | 'answered';

  /** Opens a connection in some state, of a user where one is named. */
  function opens(name: string, state: State, user?: number): void {
    const socket = new Socket();
    const connection = all.add(socket);
    open.set(name, socket);
    if (user !== undefined) connection.isOf(user);
    if (state === 'silent') return;
    const request = new IncomingMessage(socket);
    request.complete = state !== 'half';
    connection.begins(request, new ServerResponse(request));
    if (state === 'answered') connection.next();
  }

  /** Lets one more in than may be, and gives the names of those that are closed for it. */
  async function closed(): Promise<readonly string[]> {
    await nextTurn();
    all.closeBeyond([...open.values()].filter(({ destroyed }) => !destroyed).length - 1);
    return [...open].filter(([, { destroyed }]) => destroyed).map(([name]) => name);
  }

  it('is who has sent half a request for longest, and not who is known, or sent a whole one', async () => {
    for (let count = 0; count < MOST; count += 1) opens(`half ${count}`, 'half');
    opens('known', 'answered', 1);
    opens('asking', 'whole');
    assert.deepEqual(await closed(), ['half 0']);
    opens('newcomer', 'silent');
    assert.deepEqual(await closed(), ['half 0', 'half 1']);
  });

  it('is of the user who has many, where all are known', async () => {
    opens('oldest', 'answered', 1);
    for (let count = 0; count < MOST; count += 1) opens(`many ${count}`, count % 2 === 0 ? 'half' : 'whole', 2);
    opens('newest', 'answered', 3);
    assert.deepEqual(await closed(), ['many 0']);
  });

  it('is an unknown one where fewer unknown ones may be, and nobody is where there are no more of them', async () => {
    opens('known', 'half', 1);
    for (let count = 0; count < MOST; count += 1) opens(`many ${count}`, 'half', 2);
    for (let count = 0; count < 3; count += 1) opens(`asking ${count}`, count === 1 ? 'silent' : 'whole');
    await nextTurn();
    const destroyed = () => [...open].filter(([, socket]) => socket.destroyed).map(([name]) => name);
    for (const expected of [['asking 1'], ['asking 0', 'asking 1'], ['asking 0', 'asking 1']]) {
      all.closeBeyond(1_000, 1);
      assert.deepEqual(destroyed(), expected);
    }
  });

  it('is an unknown one whose answer is not taken before one that is known', async () => {
    opens('known', 'answered', 1);
    for (let count = 0; count < 3; count += 1) opens(`asking ${count}`, 'whole');
    assert.deepEqual(await closed(), ['asking 0']);
  });

  it('is nobody who is known and has asked', async () => {
    for (let count = 0; count < MOST; count += 1) opens(`asking ${count}`, 'whole', count);
    assert.deepEqual(await closed(), []);
    opens('known', 'answered', MOST);
    assert.deepEqual(await closed(), ['known']);
  });
});
