import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTracker, type HttpTracker } from '../../../../src/client/tracker/httpTracker.ts';
import { type Backlog, storiesOf } from '../../../../src/core/backlog/backlog.ts';
import { TrackerError } from '../../../../src/core/errors.ts';
import type { Log } from '../../../../src/core/log.ts';
import { Client } from '../../../support/replica/client.ts';
import { FixtureServer } from '../../../support/servers/fixtureServer.ts';
import {
  type Behaviour,
  type BehaviourName,
  behaviours,
  HostileServer,
} from '../../../support/servers/hostileServer.ts';
import { silentLog } from '../../../support/silentLog.ts';

const PROJECT = 7;
const CANARY = 'canary-77d2f09e';
const pace = { random: () => 0, sleep: async () => undefined };
const timeouts = { headers: 1000, body: 1000, total: 2000 };

const requests: Readonly<Record<string, RegExp>> = {
  'for the project': /projects\/7$/,
  'for what happened': /activities/,
  'for the backlog': /current_backlog/,
  'for the icebox': /stories\?filter/,
  'for what is done': /iterations\/done/,
};
/** Those that take their time are tried on one request only. */
const SLOW = /^(?:never ends a list|is silent|drips|wants patience|sends a bomb of compressed)/;

describe('a replica of a server that', () => {
  let folder: string;
  let good: FixtureServer;
  let server: HostileServer;
  let tracker: HttpTracker;
  let client: Client;
  let lines: string[];
  let known: Backlog;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-hostile-'));
    good = await FixtureServer.start();
    good.token = CANARY;
    server = await HostileServer.start(good.url, 'http://127.0.0.1:9');
    lines = [];
    const add = (message: string | Error) => void lines.push(message instanceof Error ? `${message.stack}` : message);
    const log: Log = { debug: add, info: add, warn: add, error: add };
    tracker = createTracker({ baseUrl: server.url, token: async () => CANARY, log, pace, timeouts });
    client = new Client({ path: join(folder, 'replica.sqlite'), tracker, log });
    known = await client.refresh(PROJECT);
    assert.equal(storiesOf(known).length, 10);
  });
  afterEach(async () => {
    client.close();
    await tracker.close();
    await server.stop();
    await good.stop();
    await rm(folder, { recursive: true });
  });

  /** What a client sees that has never seen the hostile side. */
  async function truth(): Promise<Backlog> {
    const other = createTracker({ baseUrl: good.url, token: async () => CANARY, log: silentLog });
    const fresh = new Client({ tracker: other });
    try {
      return await fresh.refresh(PROJECT);
    } finally {
      fresh.close();
      await other.close();
    }
  }

  async function changeThings(): Promise<void> {
    const { stories } = good.routes;
    const [last] = stories.splice(7, 1);
    if (last) stories.splice(4, 0, last);
    good.routes.story(106).elements.set('name', '<name>Sweep twice</name>');
  }

  const refresh = () => client.refresh(PROJECT, { isAskedFor: true });

  async function assertHolds(ask: () => Promise<Backlog> = refresh): Promise<void> {
    const [outcome] = await Promise.allSettled([ask()]);
    if (outcome.status === 'rejected') {
      assert.ok(outcome.reason instanceof TrackerError, String(outcome.reason?.stack));
      assert.deepEqual(await client.paint(PROJECT), known);
    } else assert.deepEqual(outcome.value, await truth());
    assert.ok(server.struck > 0);
    server.relent();
    assert.deepEqual(await refresh(), await truth());
  }

  async function assertNoToken(): Promise<void> {
    assert.ok(!lines.join('\n').includes(CANARY), lines.join('\n'));
    for (const name of await readdir(folder)) {
      assert.ok(!(await readFile(join(folder, name))).includes(CANARY), name);
    }
  }

  for (const [index, name] of (Object.keys(behaviours) as BehaviourName[]).entries()) {
    // Every one where it matters most, and by turns elsewhere.
    const turn = Object.keys(requests)[index % Object.keys(requests).length];
    for (const [what, pattern] of Object.entries(requests)) {
      if (what !== 'for the backlog' && (what !== turn || SLOW.test(name))) continue;
      it(`${name} when asked ${what} keeps what is known, and follows again afterwards`, async () => {
        await changeThings();
        server.strike(pattern, behaviours[name]);
        await assertHolds(what === 'for what is done' ? () => client.readMoreDone(5, PROJECT) : refresh);
        await assertNoToken();
      });
    }
  }

  describe('gives numbers twice', () => {
    const editing =
      (edit: (xml: string) => string): Behaviour =>
      ({ response, good: { status, type, body } }) =>
        void response.writeHead(status, { 'content-type': type }).end(edit(body.toString()));
    const storyIn = (xml: string, id: number) =>
      xml.match(/<story>[\s\S]*?<\/story>/g)?.find((one) => new RegExp(`<id[^>]*>${id}</id>`).test(one)) ?? '';

    function assertOnce(backlog: Backlog): void {
      const ids = storiesOf(backlog).map(({ id }) => id);
      assert.deepEqual(ids, [...new Set(ids)]);
      const numbers = [...backlog.done, ...backlog.iterations].map(({ number }) => number);
      assert.deepEqual(numbers, [...new Set(numbers)]);
    }

    const cases: Readonly<Record<string, readonly [RegExp, (xml: string) => string]>> = {
      'of a story in one iteration': [
        /current_backlog/,
        (xml) => xml.replace('</stories>', `${storyIn(xml, 102)}</stories>`),
      ],
      'of a story in two iterations': [
        /current_backlog/,
        (xml) => xml.replace(/<\/stories>(?![\s\S]*<\/stories>)/, `${storyIn(xml, 102)}</stories>`),
      ],
      'of stories in the backlog and the icebox': [/stories\?filter/, (xml) => xml.replaceAll('>111<', '>104<')],
      'of stories in the icebox': [/stories\?filter/, (xml) => xml.replaceAll('>112<', '>111<')],
      'of stories done and not done': [/iterations\/done/, (xml) => xml.replaceAll('>100<', '>101<')],
      'of iterations': [/current_backlog/, (xml) => xml.replaceAll('>13<', '>12<')],
      'of iterations done and not done': [/iterations\/done/, (xml) => xml.replaceAll('>11<', '>12<')],
      'of everything': [/./, (xml) => xml.replaceAll(/>\d+</g, '>12<')],
    };
    for (const [what, [pattern, edit]] of Object.entries(cases)) {
      it(`${what} is shown once`, async () => {
        await changeThings();
        server.strike(pattern, editing(edit));
        const [outcome] = await Promise.allSettled([refresh()]);
        if (outcome.status === 'fulfilled') assertOnce(outcome.value);
        else assert.ok(outcome.reason instanceof TrackerError, String(outcome.reason?.stack));
        server.relent();
        assert.deepEqual(await refresh(), await truth());
      });
    }

    const activity = (id: number | string, version: number | string, stories = '<story><id>104</id></story>') =>
      `<activity><id>${id}</id><version>${version}</version><event_type>story_update</event_type><occurred_at>2011/07/01 09:30:00 EDT</occurred_at><project_id>7</project_id><description>x</description><stories type="array">${stories}</stories></activity>`;
    const feeds: Readonly<Record<string, string>> = {
      'versions go backwards': activity(901, 1),
      'the feed is empty all of a sudden': '',
      'versions are below nothing': activity(990, -4),
      'versions are enormous': activity(990, '9007199254740991'),
      'versions are no numbers': activity(990, 'seven'),
      'the ids of activities are all the same': activity(903, 3) + activity(903, 4) + activity(903, 5),
      'versions are all the same': activity(990, 2) + activity(991, 2) + activity(992, 2),
      'activities name stories that are not there': activity(990, 3, '<story><id>424242</id></story>'),
      'activities name ten thousand stories': activity(
        990,
        3,
        Array.from({ length: 10_000 }, (_, at) => `<story><id>${(at % 12) + 100}</id></story>`).join(''),
      ),
    };
    for (const [what, items] of Object.entries(feeds)) {
      it(`and ${what}: it follows all the same`, async () => {
        await changeThings();
        server.strike(/activities/, ({ response }) => {
          response.writeHead(200, { 'content-type': 'application/xml' });
          response.end(`<activities type="array">${items}</activities>`);
        });
        await assertHolds();
        await changeThings();
        assert.deepEqual(await refresh(), await truth());
      });
    }
  });
}).timeout(30_000);
