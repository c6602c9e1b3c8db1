import assert from 'node:assert/strict';
import { readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { writeServicePackage } from '../../scripts/servicePackage/servicePackage.ts';
import { Browser } from './support/browser.ts';
import { request, requestByName, textOf, texts } from './support/request.ts';
import { TeamServer } from './support/teamServer.ts';
import { onPostgres, queryDatabase } from './support/testDatabase.ts';
import { temporaryFolder } from './support/testService.ts';

const page = new URL('../../docs/team.md', import.meta.url);
const [chosen, other] = onPostgres ? ['PostgreSQL', 'SQLite'] : ['SQLite', 'PostgreSQL'];
const address = process.env.STORY_TRACKER_TEST_DATABASE;

/** The commands of the page for one of the databases, by the heading that they stand below. */
async function commandsOfPage(): Promise<ReadonlyMap<string, string>> {
  const commands = new Map<string, string>();
  let heading = '';
  for (const [, title, block] of (await readFile(page, 'utf8')).matchAll(/^#+ (.+)$|^```sh\n([\s\S]*?)^```$/gm)) {
    if (title !== undefined) heading = commands.has(title) ? `${title} again` : title;
    if (block !== undefined && !heading.startsWith(other))
      commands.set(heading, `${commands.get(heading) ?? ''}${block}`);
  }
  return commands;
}

const NAME = 'tracker.example.org';
/** As the proxy of the page passes requests on. */
const PROXIED = { 'X-Forwarded-For': '203.0.113.7', 'X-Forwarded-Proto': 'https' };

/** Sets a password at the address of an invitation, and signs in with it as VS Code does. */
async function tokenOf({ port }: TeamServer, email: string, path: string): Promise<string> {
  const password = `nine green bottles of ${email}`;
  const browser = new Browser(`http://127.0.0.1:${port}`, { Host: NAME, ...PROXIED });
  const set = await browser.post(path, { password, repeat: password });
  assert.equal(set.status, 303, set.text);
  const login = Buffer.from(`${email}:${password}`).toString('base64');
  const headers = { ...PROXIED, Authorization: `Basic ${login}` };
  return textOf(await requestByName(`http://127.0.0.1:${port}/services/v3/tokens/active`, NAME, headers), 'guid');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const found = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof found === 'object' && found !== null ? found.port : 0;
}

describe('the page for a team', () => {
  let folder: string;
  let server: TeamServer;

  before(async () => {
    folder = await temporaryFolder();
    server = await TeamServer.prepare(folder, await freePort(), address);
    writeServicePackage(folder);
  });
  after(async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
    if (address === undefined) return;
    await queryDatabase(address, 'drop database if exists "story-tracker" with (force)');
    await queryDatabase(address, 'drop role if exists "story-tracker"');
  });

  it('leads from nothing to three people who are signed in, and on to a backup and an upgrade', async () => {
    const commands = await commandsOfPage();
    const begin = ['1. Install', chosen, '3. Start', '5. People'];
    const titles = [...begin, 'From the server', `${chosen} again`, '9. Upgrade'];
    assert.deepEqual([...commands.keys()], titles);
    const all = (names: readonly string[]) => names.map((name) => commands.get(name) ?? '').join('\n');
    const known: string[] = [];
    const accept = async (email: string, printed: string) => {
      const [link = ''] = printed.match(/^https:\/\/tracker\.example\.org\/invite\/.+$/m) ?? [];
      known.push(await tokenOf(server, email, new URL(link).pathname));
      return printed.slice(printed.indexOf(link) + link.length);
    };
    await accept('ada@example.org', await server.run(all(begin)));
    const project = { method: 'POST', token: known[0] ?? '', body: '<project><name>Apollo</name></project>' };
    assert.equal((await request(`http://127.0.0.1:${server.port}/services/v3/projects`, project)).status, 200);
    const [, shell = ''] = /^(VERSION=.*)$/m.exec(commands.get('1. Install') ?? '') ?? [];
    const [, define = ''] = /^(tracker\(\) .*)$/m.exec(commands.get(chosen) ?? '') ?? [];
    const left = await server.run([shell, define, all(titles.slice(begin.length))].join('\n'));
    await accept('alan@example.org', await accept('grace@example.org', left));

    assert.match(await server.read('var/useradd'), /^--system .* story-tracker$/m);
    const names: string[] = [];
    for (const token of known) {
      const answer = await requestByName(`http://127.0.0.1:${server.port}/services/v3/projects`, NAME, {
        ...PROXIED,
        'X-ServiceToken': token,
      });
      assert.equal(answer.status, 200, answer.text);
      assert.equal(textOf(answer, 'name'), 'Apollo');
      names.push(...texts(answer, 'name').slice(1));
    }
    for (const name of ['Ada Lovelace', 'Grace Hopper', 'Alan Turing'])
      assert.equal(names.filter((each) => each === name).length, 3, names.join());

    const [backup = ''] = await readdir(join(folder, 'var/backups/story-tracker'));
    assert.match(backup, onPostgres ? /^files$/ : /^story-tracker-\d{4}-\d\d-\d\d$/);
    const copied = await readdir(join(folder, 'var/backups/story-tracker', backup));
    assert.equal(copied.includes('story-tracker.db'), !onPostgres);
    const events = (await server.read('var/journal'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).event);
    assert.equal(
      events.filter((event) => event === 'listening').length,
      onPostgres ? 2 : 3,
      'also restored and upgraded',
    );
    assert.ok(!events.includes('error') && !events.includes('warning'), events.join());
  }).timeout(120_000);
});
