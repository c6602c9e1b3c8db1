import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { type Greeting, Greetings } from '../../../../src/service/http/greetings.ts';
import { eventually } from '../../../support/eventually.ts';

const AT_ONCE = 8;

/** A greeting on a connection of which nothing comes, and how often it was let be read. */
class Begun {
  isRead = true;
  turns = 0;
  readonly greeting: Greeting;
  /** When it had a turn after it had to wait. */
  readonly hadTurn: Promise<void>;
  private noteTurn: () => void = () => undefined;
  private readonly socket = Object.assign(new Socket(), {
    _handle: { readStart: () => this.start(), readStop: () => this.stop() },
  });

  constructor(greetings: Greetings, holder: string) {
    this.hadTurn = new Promise((resolve) => {
      this.noteTurn = resolve;
    });
    this.greeting = greetings.begin(this.socket, holder);
    if (this.isRead) this.turns = 1;
  }

  close(): void {
    this.socket.emit('close');
  }

  private start(): void {
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

  it('wait, beyond eight, until another one is over or its connection closed', () => {
    const [first, second] = begun(AT_ONCE) as [Begun, Begun];
    const [ninth, tenth] = begun(2) as [Begun, Begun];
    assert.deepEqual([ninth.isRead, tenth.isRead], [false, false]);
    first.greeting.end();
    second.close();
    assert.deepEqual([ninth.isRead, tenth.isRead], [true, true]);
    assert.equal(first.isRead, true);
  });

  it('all have turns, again and again, however many never end, and never more than eight', async () => {
    begun(50);
    await eventually(() => {
      assert.equal(numberRead(), AT_ONCE);
      for (const { turns } of all) assert.ok(turns >= 3, `${turns}`);
    });
  });

  it('that came last do not wait for all who never end', async () => {
    begun(1_000);
    const [last] = begun(1) as [Begun];
    await last.hadTurn;
    const passed = all.filter(({ turns }) => turns > 0).length;
    assert.ok(passed <= 3 * AT_ONCE, `${passed}`);
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

  it('are not read while they are held, also in their turn', async () => {
    const [first] = begun(AT_ONCE) as [Begun];
    const [ninth] = begun(1) as [Begun];
    for (const one of [first, ninth]) one.greeting.hold(true);
    for (const one of all.slice(1, AT_ONCE)) one.greeting.end();
    assert.deepEqual([first.isRead, ninth.isRead], [false, false]);
    for (const one of [first, ninth]) one.greeting.hold(false);
    assert.deepEqual([first.isRead, ninth.isRead], [true, true]);
  });
});
