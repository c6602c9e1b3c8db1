import assert from 'node:assert/strict';
import { storyEditElement } from '../../src/v3/story.ts';
import { HEADING, HostileRun, lineOf, type Row } from './support/hostile/hostileRun.ts';
import { readNames } from './support/hostile/readNames.ts';
import { canWatch, LONGEST_WAIT } from './support/hostile/serviceWatch.ts';
import { onPostgres } from './support/testDatabase.ts';

/** `HOSTILE_REQUESTS` of a long run, which `scripts/attackService.ts hostile` starts. */
const LONG = process.env.HOSTILE_REQUESTS;
/** `HOSTILE_SEED` of an earlier run sends the same. */
const SEED = Number(process.env.HOSTILE_SEED ?? Math.floor(Math.random() * 2 ** 31));
/** Every other seed attacks over TLS. */
const IS_SECURE = SEED % 2 === 1;
const LIMIT = LONG === undefined ? 900_000 : 6 * 60 * 60 * 1000;
/** Places take turns by the seed; on PostgreSQL they are fewer, since most is refused before a database is asked. */
const SHORT_RUN = { every: onPostgres ? 6 : 2, count: 0, bigStories: 200, growth: 50, hold: 300 };
const LONG_RUN = { every: 1, count: Number(LONG), bigStories: 2_000, growth: 2_000, hold: 5_000 };

describe(`Hostile callers (HOSTILE_SEED=${SEED})`, () => {
  let run: HostileRun | undefined;
  let code: number | NodeJS.Signals | undefined;

  before(async function () {
    this.timeout(LIMIT);
    if (!canWatch) {
      process.stdout.write(
        '    Left out: this system does not tell what a process waits for (/proc/thread-self/schedstat).\n',
      );
      this.skip();
    }
    process.stdout.write(
      `\n    ${onPostgres ? 'PostgreSQL' : 'SQLite'}${IS_SECURE ? ' over TLS' : ''}, seed ${SEED}\n${HEADING}`,
    );
    const tell = (row: Row): void => void process.stdout.write(lineOf(row));
    run = await HostileRun.open({
      seed: SEED,
      isSecure: IS_SECURE,
      tell,
      ...(LONG === undefined ? SHORT_RUN : LONG_RUN),
    });
    await run.attack();
    await run.assertWell().catch((error: unknown) => run?.wrongs.push(String(error)));
    process.stdout.write(`    ${run.exits} exits\n`);
    code = await run.close();
  });
  after(async () => run?.close());

  it('do not end the service, which stops when it is told to', () => {
    assert.equal(run?.exits, 0);
    assert.equal(code, 0);
  });

  it('get past the sign-in at every endpoint there is', () => {
    assert.deepEqual(
      run?.targetsWithout((status) => status === 200),
      // No import is under way when its progress is asked for, and nothing is done of a form in which something is wrong.
      ['importProgress', 'formerVersion', 'pressAccount', 'changePassword', 'acceptInvitation'],
    );
  });

  it('are answered without a mistake of the service, keep nobody else waiting, and fill no more memory than they may', () => {
    assert.deepEqual(run?.wrongs, []);
    assert.deepEqual(run?.mistakes, []);
    for (const { what, judged } of run?.rows ?? []) assert.ok(judged <= LONGEST_WAIT, `${judged} ms: ${what}`);
  });
});

describe('what the service looks for in a request', () => {
  it('is found out by asking: elements, parameters, headers and fields that nobody listed', async function () {
    this.timeout(120_000);
    const names = await readNames();
    const edit = storyEditElement({
      ...{ type: 'bug', state: 'started', name: 'A', estimate: 1, description: 'A', requestedBy: 'A', ownedBy: 'A' },
      ...{ labels: ['a'], deadline: null, createdAt: { text: '2026/01/01' }, acceptedAt: { text: '2026/01/01' } },
      ticket: { prefix: 'other', externalId: '1', integrationId: 1 },
    });
    for (const { name } of edit.children) assert.ok(names.updateStory.elements.includes(name), name);
    assert.equal(names.createStory.root, 'story');
    assert.ok(names.addMembership.elements.includes('person/email'));
    for (const name of ['filter', 'limit', 'offset']) assert.ok(names.listStories.parameters.includes(name), name);
    for (const name of ['x-servicetoken', 'x-forwarded-for', 'if-none-match']) {
      assert.ok(names.listStories.headers.includes(name), name);
    }
    assert.ok(names.postHostedCommits.fields.includes('commits/author/name'));
    assert.ok(names.uploadAttachment.isUpload);
  });
});
