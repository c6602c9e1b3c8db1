import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { Connections } from '../../../../src/service/http/connections.ts';
import { HeardRequest } from '../../../../src/service/http/heardRequest.ts';
import { type Paced, PieceTurns } from '../../../../src/service/http/pieceTurns.ts';
import { RequestBody } from '../../../../src/service/http/requestBody.ts';
import { eventually } from '../../../support/eventually.ts';

/** Pieces of a byte that have room in what Node reads of a connection at once. */
const PIECES_OF_A_READ = Math.ceil((64 * 1024) / '1\r\na\r\n'.length);

class Held implements Paced {
  isHeld = false;
  isNew = false;
  readonly holder: string;

  constructor(holder: string) {
    this.holder = holder;
  }

  holdForTurn(isHeld: boolean): void {
    this.isHeld = isHeld;
  }
}

describe('the pieces that come in one turn', () => {
  let turns: PieceTurns;

  beforeEach(() => {
    turns = new PieceTurns();
  });

  const opened = (count: number, holder = 'Ada') =>
    Array.from({ length: count }, () => {
      const one = new Held(holder);
      turns.begin(one);
      return one;
    });
  const heldOf = (all: readonly Held[]) => all.map(({ isHeld }) => isHeld);
  /** All that are held wait for a turn more, in which connections may come in. */
  const released = async () => {
    await turn();
    await turn();
  };
  /** The next that is let go on of those that brought many. */
  async function nextOf(all: readonly Held[]): Promise<number> {
    for (let times = 0; times < 100_000 && all.every(({ isHeld }) => isHeld); times += 1) await turn();
    assert.equal(all.filter(({ isHeld }) => !isHeld).length, 1);
    return all.findIndex(({ isHeld }) => !isHeld);
  }

  it('hold every connection once they are two thousand, and those that did not bring many for as short as can be', async () => {
    const [one, other, third] = opened(3) as [Held, Held, Held];
    turns.count(one, 1_000);
    turns.count(other, 999);
    assert.deepEqual(heldOf([one, other, third]), [false, false, false]);
    turns.count(other, 1);
    assert.deepEqual(heldOf([one, other, third]), [true, true, true]);
    const [late] = opened(1) as [Held];
    assert.equal(late.isHeld, true);
    await released();
    assert.deepEqual(heldOf([third, late]), [false, false]);
  });

  it('let those that brought many go on one by one, in their order, and again after each round', async () => {
    const all = opened(3);
    for (const each of all) turns.count(each, 700);
    const order: number[] = [];
    for (let times = 0; times < 6; times += 1) {
      const next = await nextOf(all);
      order.push(next);
      turns.count(all[next] as Held, 5_000);
      assert.ok(all.every(({ isHeld }) => isHeld));
    }
    assert.deepEqual(order, [0, 1, 2, 0, 1, 2]);
  });

  it('let new ones go on in every other turn, whatever others bring in theirs', async () => {
    const [many, few, news] = opened(3) as [Held, Held, Held];
    news.isNew = true;
    const order: string[] = [];
    turns.count(many, 2_000);
    while (order.length < 4) {
      await turn();
      if (news.isHeld && few.isHeld) continue;
      order.push(news.isHeld ? 'few' : 'new');
      turns.count(many, 2_000);
    }
    assert.deepEqual(order, ['new', 'few', 'new', 'few']);
  });

  it('let those go on one by one that may bring many, also where none are held', async () => {
    const all = opened(3);
    for (const each of all) turns.expect(each);
    assert.deepEqual(heldOf(all), [true, true, true]);
    const [other] = opened(1) as [Held];
    assert.equal(other.isHeld, false);
    for (let left = 3; left > 0; left -= 1) {
      assert.equal(heldOf(all).filter((isHeld) => isHeld).length, left);
      await turn();
    }
    assert.deepEqual(heldOf(all), [false, false, false]);
  });

  it('let holders have turns, however many connections one has', async () => {
    const all = [...opened(5, 'Ada'), ...opened(1, 'Bob')];
    for (const each of all) turns.count(each, 700);
    const holders: string[] = [];
    for (let times = 0; times < 4; times += 1) {
      const next = all[await nextOf(all)] as Held;
      holders.push(next.holder);
      turns.count(next, 5_000);
    }
    assert.deepEqual(holders, ['Ada', 'Bob', 'Ada', 'Bob']);
  });

  it('let those be read first whose holders have the fewest', async () => {
    const order: string[] = [];
    for (const holder of ['Ada', 'Ada', 'Bob', 'Ada', 'Cleo', 'Bob']) {
      const one = new Held(holder);
      one.holdForTurn = (isHeld) => {
        if (!isHeld) order.push(holder);
      };
      turns.begin(one);
    }
    const [many] = opened(1, 'Dan') as [Held];
    turns.count(many, 2_000);
    await released();
    assert.deepEqual(order, ['Cleo', 'Bob', 'Bob', 'Ada', 'Ada', 'Ada']);
  });

  it('leave others as much time as one of those took', async () => {
    const [many, other] = opened(2) as [Held, Held];
    const begun = performance.now();
    turns.count(many, 1_000);
    while (performance.now() < begun + 30);
    turns.count(many, 1_000);
    await released();
    assert.deepEqual(heldOf([many, other]), [true, false]);
    while (many.isHeld) await turn();
    assert.ok(performance.now() - begun >= 59, `${performance.now() - begun} ms`);
  });

  it('hold those that once brought many also between their bodies, and let go of all when nothing comes', async () => {
    const all = opened(3);
    for (const each of all) turns.count(each, 700);
    await eventually(() => assert.ok(all.every(({ isHeld }) => !isHeld)));
    const [late] = opened(1) as [Held];
    turns.count(late, 2_000);
    assert.ok([...all, late].every(({ isHeld }) => isHeld));
  });

  it('count a connection no more that was closed', async () => {
    const [one, other] = opened(2) as [Held, Held];
    turns.count(one, 1_000);
    turns.count(other, 1_000);
    turns.forget(one);
    one.isHeld = false;
    await eventually(() => assert.equal(other.isHeld, false));
    turns.count(one, 5_000);
    assert.deepEqual(heldOf([one, other]), [false, false]);
  });
});

describe('connections that all send pieces of a byte', () => {
  const MANY = 12;
  let server: Server;
  let sockets: Socket[];
  /** Pieces that came in each turn. */
  let seen: number[];
  /** Lengths of what each body was read in. */
  let bodies: number[];

  beforeEach(async () => {
    seen = [];
    bodies = [];
    let isCounting = false;
    const connections = new Connections();
    const count = connections.pieces.count.bind(connections.pieces);
    connections.pieces.count = (one, pieces) => {
      if (!isCounting) {
        isCounting = true;
        seen.push(0);
        setImmediate(() => {
          isCounting = false;
        });
      }
      seen.push((seen.pop() ?? 0) + pieces);
      count(one, pieces);
    };
    const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const connection = connections.of(request.socket);
      const body = new RequestBody(request, connection, () => '');
      let length = 0;
      for (let piece = await body.next(); piece; piece = await body.next()) length += piece.length;
      if (request.method === 'POST') bodies.push(length);
      else await turn();
      response.on('close', () => {
        const next = connection.next();
        if (next) void answer(next.request, next.response);
      });
      response.end('ok');
    };
    server = createServer({ IncomingMessage: HeardRequest }, (request, response) => {
      if (connections.of(request.socket).begins(request, response)) void answer(request, response);
    }).on('connection', (socket) => connections.of(socket));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    sockets = Array.from({ length: MANY }, () => connect(port, '127.0.0.1'));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  });
  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
  const POST = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';

  /** Sends the same over all at once, and waits for so many answers over each. */
  async function sent(text: string, answers: number): Promise<void> {
    const all = sockets.map(async (socket) => {
      let come = '';
      while (come.split('HTTP/1.1 200').length <= answers) come += String((await once(socket, 'data'))[0]);
    });
    for (const socket of sockets) socket.write(text);
    await Promise.all(all);
  }

  function assertOneInATurn(times: number): void {
    assert.deepEqual(
      bodies,
      Array.from({ length: times * MANY }, () => 2 * PIECES_OF_A_READ),
    );
    assert.equal(
      seen.reduce((sum, pieces) => sum + pieces, 0),
      times * MANY * 2 * PIECES_OF_A_READ,
    );
    // What a turn begins with may be the rest of a body, of fewer pieces than are too many.
    for (const pieces of seen) assert.ok(pieces < PIECES_OF_A_READ + 2_250, `${pieces} pieces in a turn`);
  }

  const body = `${'1\r\na\r\n'.repeat(2 * PIECES_OF_A_READ)}0\r\n\r\n`;

  it('are read one in a turn, and all of each in the end, again and again', async () => {
    for (let times = 0; times < 2; times += 1) await sent(POST + body, 1);
    assertOneInATurn(2);
  }).timeout(30_000);

  it('are read one in a turn also where each was answered something before', async () => {
    await sent(GET, 1);
    await sent(POST + body, 1);
    assertOneInATurn(1);
  }).timeout(30_000);

  it('are read one in a turn also where nobody reads the body yet, since another request comes before it', async () => {
    await sent(GET + POST + body, 2);
    assertOneInATurn(1);
  }).timeout(30_000);
});

describe('a request of which the body comes in small pieces', () => {
  it('hands them on as few, also while nobody reads them, and a large one as it is', async () => {
    const request = new HeardRequest(new Socket());
    let counted = 0;
    request.heardBy = {
      countPieces: (pieces) => {
        counted += pieces;
      },
    };
    const whole: Buffer[] = [];
    const push = (text: string) => {
      whole.push(Buffer.from(text));
      request.push(Buffer.from(text));
    };
    for (let piece = 0; piece < 10_000; piece += 1) push(String(piece % 10));
    push('l'.repeat(5_000));
    for (let piece = 0; piece < 100; piece += 1) push('m'.repeat(piece));
    await turn();
    assert.equal(counted, 10_101);
    const read: Buffer[] = [];
    request.on('data', (piece: Buffer) => read.push(piece));
    await turn();
    push('the end');
    request.push(null);
    await once(request, 'end');
    assert.ok(Buffer.concat(read).equals(Buffer.concat(whole)));
    assert.ok(read.length < 10, `${read.length}`);
  });
});

describe('a connection that is held', () => {
  it('is not read where Node resumed it before', async () => {
    const socket = new Socket();
    const told: string[] = [];
    // As Node's server does it, which hears both.
    socket.on('resume', () => told.push('read')).on('pause', () => told.push('stop'));
    const connection = new Connections().of(socket);
    connection.holdForTurn(true);
    await turn();
    socket.resume();
    connection.holdBody(true);
    await turn();
    assert.equal(told.at(-1), 'stop');
  });
});
