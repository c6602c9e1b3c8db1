import assert from 'node:assert/strict';
import { Seeded } from '../support/measures/seeded.ts';
import { CommitWorld } from './support/commitWorld.ts';
import type { Fault } from './support/faultyProxy.ts';

/** `COMMIT_KILLS=1000` for a long run. */
const KILLS = Number(process.env.COMMIT_KILLS ?? 24);
/** `COMMIT_SEED` of an earlier run: the same commits, kills and faults, in so far as processes run at the same pace. */
const SEED = Number(process.env.COMMIT_SEED ?? Math.floor(Math.random() * 2 ** 31));
const LIMIT = 60_000 + KILLS * 3000;

const isRead = (request: string) => request.startsWith('GET');

describe(`Commits whose windows are killed between the commit and the answer (COMMIT_SEED=${SEED})`, () => {
  let world: CommitWorld;

  afterEach(() => world.close());

  it('are on each story that they name once, with a server that answers late, not at all, badly, or takes posts twice', async function () {
    this.timeout(LIMIT);
    const chance = new Seeded(SEED);
    const faults = new Seeded(SEED + 1);
    const fault = (request: string) => (isRead(request) ? faultOfRead(faults) : faultOfPost(faults));
    world = await CommitWorld.open({ chance, fault, speed: 20, isForgetful: false });
    await world.run(KILLS);
    await world.heal();
    const made = await world.assertLinkedOnce(({ text }, hash) => text.includes(hash));
    assert.ok(made >= KILLS / 2, `${made} commits were made`);
  });

  it('are so, too, where the service does not know which commits it has, since they are looked for before they are repeated', async function () {
    this.timeout(LIMIT);
    const faults = new Seeded(SEED + 3);
    // What is done is seen at once: the rule promises nothing where it is not.
    const fault = (request: string) => (isRead(request) ? faultOfRead(faults) : faultAfterPost(faults));
    world = await CommitWorld.open({
      ...{ chance: new Seeded(SEED + 2), fault, speed: 10, isForgetful: true },
      rewritten: (text, request) => (/^GET .*\/notes/.test(request) ? rewrittenNotes(text) : text),
    });
    await world.run(Math.ceil(KILLS / 3));
    await world.heal();
    await world.assertLinkedOnce(({ text }, hash) => text.includes(hash));
  });

  it('are so, too, where comments have no ids of commits either, and some commits have the same message', async function () {
    this.timeout(LIMIT);
    const faults = new Seeded(SEED + 5);
    const fault = (request: string) => (isRead(request) ? faultOfRead(faults) : faultAfterPost(faults));
    world = await CommitWorld.open({
      ...{ chance: new Seeded(SEED + 4), fault, speed: 10, isForgetful: true, hasTwins: true },
      rewritten: (text, request) => (isRead(request) || !request.includes('commits') ? withoutIds(text) : NO_NOTES),
    });
    await world.run(Math.ceil(KILLS / 3));
    await world.heal();
    await world.assertLinkedOnce(({ text }, hash) => text.includes(hash));
  });
});

const NO_NOTES = '<?xml version="1.0" encoding="UTF-8"?>\n<nil-classes type="array"/>\n';

/** Comments of commits without their ids, the message on one line, an address behind it. */
function withoutIds(xml: string): string {
  return xml.replaceAll(
    /<text>Commit by ([^<]*?)\n\w{40}\n\n([^<]*)<\/text>/g,
    (_, author: string, message: string) =>
      `<text>${author}: ${message.trim().replaceAll(/\s+/g, ' ')} (https://git.example.org/latest)</text>`,
  );
}

function faultOfRead(chance: Seeded): Fault {
  switch (chance.below(20)) {
    case 0:
      return { kind: 'cut' };
    case 1:
      return { kind: 'gateway', status: 503, isDone: false };
    case 2:
      return { kind: 'late', before: 0, after: chance.below(200) };
    default:
      return { kind: 'none' };
  }
}

function faultAfterPost(chance: Seeded): Fault {
  switch (chance.below(6)) {
    case 0:
      return { kind: 'late', before: 0, after: chance.below(1200) };
    case 1:
    case 2:
      return { kind: 'lost' };
    case 3:
      return { kind: 'gateway', status: chance.chance(2) ? 502 : 503, isDone: true };
    case 4:
      return { kind: 'cut' };
    default:
      return { kind: 'none' };
  }
}

/** Notes as HTML on one line, of another author, cut off after some letters of the message. */
function rewrittenNotes(xml: string): string {
  return xml
    .replaceAll(/<author>[^<]*<\/author>/g, '<author>Integration</author>')
    .replaceAll(
      /<text>Commit by ([^<]*?)\n(\w{40})\n\n([^<]*)<\/text>/g,
      (_, author: string, hash: string, message: string) => {
        const html = `<p>Commit by <i>${author}</i> <a href="/c/${hash}">${hash.slice(0, 12)}</a></p> `;
        const start = message
          .replaceAll(/\s+/g, ' ')
          .slice(0, 12)
          .replace(/&[^;]*$/, '');
        return `<text>${html.replaceAll('<', '&lt;').replaceAll('>', '&gt;')}${start}</text>`;
      },
    );
}

/** Some are so late that who asked has gone, and done when it is already asked whether they were. */
function faultOfPost(chance: Seeded): Fault {
  switch (chance.below(9)) {
    case 0:
      return { kind: 'late', before: chance.below(300), after: chance.below(300) };
    case 1:
      return { kind: 'late', before: chance.below(1500), after: chance.below(500) };
    case 2:
      return { kind: 'lost' };
    case 3:
      return { kind: 'cut' };
    case 4:
      return { kind: 'twice' };
    case 5:
      return { kind: 'gateway', status: chance.chance(2) ? 500 : 502, isDone: true };
    case 6:
      return { kind: 'gateway', status: 503, isDone: false };
    default:
      return { kind: 'none' };
  }
}
