import assert from 'node:assert/strict';
import { TrackerError, type TrackerErrorKind } from '../../../../src/core/errors.ts';
import { FixtureServer } from '../../../support/servers/fixtureServer.ts';
import { type BehaviourName, behaviours, HostileServer } from '../../../support/servers/hostileServer.ts';
import { CANARY, everythingIn, listen, type TestServer, trackerFor } from '../../../support/servers/testServer.ts';

/** What a read fails with, and a change where that differs. */
const kinds: Readonly<Record<BehaviourName, readonly [TrackerErrorKind, TrackerErrorKind?]>> = {
  'sends on to another origin': ['protocol'],
  'sends on for good to another origin': ['protocol'],
  'sends on to another scheme': ['protocol'],
  'sends on to a host that looks alike': ['protocol'],
  'sends on to a name without end': ['protocol'],
  'sends on to a script': ['protocol'],
  'sends on in circles': ['protocol'],
  'knows the token no more': ['unauthorized'],
  'repeats the token in its refusal': ['refused'],
  'repeats the token in XML that is none': ['protocol'],
  'repeats the token as root': ['protocol'],
  'refuses at great length': ['refused'],
  'refuses in many sentences': ['refused'],
  'refuses with text that turns and rings': ['refused'],
  'refuses with markup': ['refused'],
  'wants patience for a year': ['busy'],
  'sends a page': ['protocol'],
  'sends a page as XML': ['protocol'],
  'sends another document': ['protocol'],
  'sends nothing': ['protocol'],
  'sends no content': ['protocol'],
  'says that nothing changed': ['protocol'],
  'sends JSON': ['protocol'],
  'ends in the middle': ['protocol'],
  'breaks off in the middle': ['unreachable'],
  'breaks off at once': ['unreachable'],
  'names too short a length': ['protocol'],
  'names too great a length': ['unreachable'],
  'names two lengths': ['unreachable'],
  'names a length below nothing': ['protocol'],
  'names a wrong size of a chunk': ['protocol'],
  'names no version of HTTP': ['protocol'],
  'never ends its head': ['protocol'],
  'never ends a list': ['protocol'],
  'never ends a text': ['protocol'],
  'never ends a tag': ['protocol'],
  'never ends a comment': ['protocol'],
  'never ends a refusal': ['refused'],
  'sends a bomb of entities': ['protocol'],
  'names an entity elsewhere': ['protocol'],
  'nests without end': ['protocol'],
  'has attributes without end': ['protocol'],
  'sends more after the end': ['protocol'],
  'sends bytes of no text': ['protocol'],
  'sends another encoding': ['protocol'],
  'sends compressed data unasked': ['protocol'],
  'sends a bomb of compressed data': ['protocol'],
  'sends compressed data that is none': ['protocol'],
  'is silent': ['timeout'],
  'is silent in the middle': ['timeout'],
  drips: ['timeout'],
  fails: ['server'],
};

/** What a window has room for. */
const LONGEST_MESSAGE = 700;
const UNREADABLE = /[\p{Cc}\u202a-\u202e\u2028\u2029\u2066-\u2069]/u;

describe('a server that', () => {
  let good: FixtureServer;
  let elsewhere: TestServer;
  let server: HostileServer;
  let other: ReturnType<typeof trackerFor>;

  before(async () => {
    good = await FixtureServer.start();
    good.token = CANARY;
    elsewhere = await listen((_, response) => response.end());
  });
  after(async () => {
    await good.stop();
    await elsewhere.close();
  });
  beforeEach(async () => {
    server = await HostileServer.start(good.url, elsewhere.url);
    other = trackerFor(server.url);
  });
  afterEach(async () => {
    await other.tracker.close();
    await server.stop();
  });

  async function beImpatient(): Promise<void> {
    await other.tracker.close();
    other = trackerFor(server.url, { timeouts: { headers: 150, body: 150, total: 900 } });
  }

  async function assertFails(work: Promise<unknown>, kind: TrackerErrorKind): Promise<void> {
    const error = await work.then(
      (value) => assert.fail(`it gave ${JSON.stringify(value)}`),
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof TrackerError, String(error));
    assert.equal(error.kind, kind, error.message);
    assert.match(error.message, /^\S.{2,}\S$/);
    assert.ok(error.message.length <= LONGEST_MESSAGE, `${error.message.length} characters`);
    assert.doesNotMatch(error.message, UNREADABLE);
    assert.ok(!everythingIn(error).includes(CANARY), everythingIn(error));
  }

  for (const [name, behaviour] of Object.entries(behaviours) as [BehaviourName, (typeof behaviours)[BehaviourName]][]) {
    const [ofRead, ofChange = ofRead] = kinds[name];
    it(`${name} is ${ofRead}: told readably, once, without the token, which nobody else gets`, async () => {
      if (ofRead === 'timeout') await beImpatient();
      const { tracker, lines } = other;
      server.strike(/./, behaviour);
      await assertFails(tracker.currentBacklog(7), ofRead);
      await assertFails(tracker.addNote({ projectId: 7, storyId: 101 }, 'Hello'), ofChange);
      assert.ok(!lines.join('\n').includes(CANARY), lines.join('\n'));
      assert.equal(elsewhere.connections(), 0);
      server.relent();
      assert.equal((await tracker.currentBacklog(7)).length, 2);
    });
  }

  it('compresses a bomb is stopped also when compressed answers are welcome', async () => {
    const { tracker } = trackerFor(server.url, { isCompressed: true });
    server.strike(/./, behaviours['sends a bomb of compressed data']);
    await assertFails(tracker.currentBacklog(7), 'protocol');
    await tracker.close();
  });

  it('never ends is left after what a document may have', async () => {
    server.strike(/./, behaviours['never ends a list']);
    await assertFails(other.tracker.currentBacklog(7), 'protocol');
    await other.tracker.close();
    await server.stop();
    assert.ok(server.bytesWritten < 100 * 1024 * 1024, String(server.bytesWritten));
    server = await HostileServer.start(good.url, elsewhere.url);
  });
}).timeout(30_000);
