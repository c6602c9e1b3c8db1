import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { type Greeting, Greetings } from '../../../../src/service/http/greetings.ts';
import { eventually } from '../../../support/eventually.ts';

const AT_ONCE = 8;
const MOST_BEGUN = 128;

/** A greeting on a connection, and how often it was let be read. Where TLS is put off, its first bytes have come. */
class Begun {
  isGreeted = false;
  isRead = false;
  turns = 0;
  readonly greeting: Greeting;
  /** When it had a turn after it had to wait. */
  readonly hadTurn: Promise<void>;
  readonly socket: Socket;
  private noteTurn: () => void = () => undefined;
  private readonly handle = {
    bytesRead: 0,
    readStart: () => this.start(),
    readStop: () => this.stop(),
    close: (done: () => void) => setImmediate(done),
  };

  constructor(greetings: Greetings, holder: string) {
    this.hadTurn = new Promise((resolve) => {
      this.noteTurn = resolve;
    });
    this.socket = Object.assign(new Socket(), { _handle: this.handle });
    this.greeting = greetings.begin(this.socket, holder, () => this.greet());
    if (this.isRead) this.turns = 1;
    if (this.isGreeted) return;
    this.socket.push('Hello');
    this.socket.read();
  }

  /** So many bytes come. */
  hear(bytes: number): void {
    this.handle.bytesRead += bytes;
  }

  nextTurn(): Promise<void> {
    return new Promise((resolve) => {
      this.noteTurn = resolve;
    });
  }

  close(): void {
    this.socket.emit('close');
  }

  /** TLS reads what comes; what came before it began is all there for it. */
  private greet(): void {
    assert.equal(this.isGreeted, false);
    const isLate = this.greeting !== undefined;
    if (isLate) assert.equal(String(this.socket.read()), 'Hello');
    this.isGreeted = true;
    if (isLate) this.start();
    else this.isRead = true;
  }

  private start(): void {
    if (!this.isGreeted) return; // Node reads what is kept for TLS.
    assert.equal(this.isRead, false);
    this.isRead = true;
    this.turns += 1;
    this.noteTurn();
  }

  private stop(): void {
    assert.equal(this.isRead, true);
    this.isRead = false;
  }
}

describe('greetings of TLS', () => {
  let greetings: Greetings;
  let all: Begun[];

  beforeEach(() => {
    greetings = new Greetings();
    all = [];
  });
  // What waits takes turns for as long as it does.
  afterEach(() => {
    for (const one of all) one.close();
  });

  function begun(count: number, holder = 'Ada'): readonly Begun[] {
    const some = Array.from({ length: count }, () => new Begun(greetings, holder));
    all.push(...some);
    return some;
  }
  const numberRead = () => all.filter(({ isRead }) => isRead).length;

  it('are read at once while they are few', () => {
    begun(AT_ONCE);
    assert.equal(numberRead(), AT_ONCE);
  });

  it('wait, beyond eight, for a turn, and what comes after one that is over until its end', async () => {
    const [first] = begun(AT_ONCE) as [Begun];
    const [ninth] = begun(1) as [Begun];
    assert.equal(ninth.isRead, false);
    first.greeting.finish();
    await ninth.hadTurn;
    assert.deepEqual([first.isRead, ninth.isRead], [false, true]);
    first.greeting.end();
    assert.equal(first.isRead, true);
  });

  it('all have turns, again and again, however many never end, and never more than eight', async () => {
    begun(50);
    await eventually(() => {
      assert.equal(numberRead(), AT_ONCE);
      for (const { turns } of all) assert.ok(turns >= 3, `${turns}`);
    });
  });

  it('that came last do not wait for all who had a turn and never end', async () => {
    begun(1_000);
    await eventually(() => assert.ok(all.every(({ turns }) => turns > 0)));
    for (const one of all) one.turns = 0;
    const [last] = begun(1) as [Begun];
    await last.hadTurn;
    const passed = all.filter(({ turns }) => turns > 0).length;
    assert.ok(passed <= 3 * AT_ONCE, `${passed}`);
  });

  it('cost nothing but what came until they have a turn where very many wait, and have none once their callers are gone', async () => {
    begun(MOST_BEGUN);
    const [gone, stays] = begun(2, 'Bob') as [Begun, Begun];
    assert.deepEqual([gone.isGreeted, stays.isGreeted], [false, false]);
    gone.socket.push(null);
    await stays.hadTurn;
    assert.equal(gone.socket.destroyed, true);
    assert.deepEqual([gone.isGreeted, stays.isGreeted], [false, true]);
  });

  it('begin TLS at once again as soon as fewer wait', () => {
    const [first] = begun(MOST_BEGUN) as [Begun];
    assert.equal(begun(1)[0]?.isGreeted, false);
    first.close();
    assert.equal(begun(1)[0]?.isGreeted, true);
  });

  it('have turns by those who have them, however many one has', async () => {
    begun(100, 'Ada');
    const few = [...begun(2, 'Bob'), ...begun(2, 'Cleo')];
    await Promise.all(few.map(({ hadTurn }) => hadTurn));
    const passed = all.filter(({ turns }) => turns > 0).length;
    assert.ok(passed <= 3 * AT_ONCE, `${passed}`);
  });

  it('take no turn once their connections closed, and leave it to others', async () => {
    const waiting = begun(30).slice(AT_ONCE);
    for (const one of waiting.slice(1)) one.close();
    for (const one of waiting) one.turns = 0;
    await eventually(() => assert.ok((waiting[0]?.turns ?? 0) > 1));
    assert.deepEqual(
      waiting.slice(1).map(({ turns }) => turns),
      waiting.slice(1).map(() => 0),
    );
  });

  it('go on soon after they were answered, however many say nothing', async () => {
    begun(1_000);
    const [last] = begun(1) as [Begun];
    for (let times = 0; times < 3; times += 1) {
      await last.hadTurn;
      last.hear(100);
      const before = all.map(({ turns }) => turns);
      await last.nextTurn();
      const passed = all.filter(({ turns }, index) => turns > (before[index] ?? 0)).length;
      assert.ok(passed <= 4 * AT_ONCE, `${passed}`);
    }
  });

  it('are fewer at a time where reading them takes long', async () => {
    begun(100);
    let fewest = AT_ONCE;
    // Each halves them where the machine gives the time for a turn.
    for (let times = 0; times < 100 && fewest > 2; times += 1) {
      const busyUntil = performance.now() + 20;
      while (performance.now() < busyUntil); // As long as eight large signatures take.
      await turn();
      fewest = Math.min(fewest, numberRead());
    }
    assert.ok(fewest <= 2, `${fewest}`);
    await eventually(() => assert.equal(numberRead(), AT_ONCE));
  });
});
