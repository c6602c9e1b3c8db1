import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { Agent, request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { eventually } from '../support/eventually.ts';
import { rawHead } from './support/raw.ts';
import { assertRefused, request, textOf, texts } from './support/request.ts';
import {
  end,
  type Finished,
  runService,
  serveProcess,
  serviceProgram,
  startCommand,
} from './support/serviceProcess.ts';
import {
  describeOnPostgres,
  describeOnSqlite,
  dropDatabaseOf,
  onPostgres,
  runOnDatabase,
  storedBytes,
} from './support/testDatabase.ts';
import { temporaryFolder, userOf } from './support/testService.ts';

describe('command line', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('explains itself', async () => {
    for (const args of [
      ['--help'],
      ['serve', '--help', '--port'],
      ['help', 'user', 'add'],
      ['help', 'help'],
      ['-h'],
      ['user', 'add', '-h'],
      ['token'],
    ]) {
      const { code, stdout } = await runService(args);
      assert.equal(code, 0);
      assert.match(stdout, /^Usage: service /);
    }
  });

  it('tells its version', async () => {
    const manifest = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
    assert.deepEqual(await runService(['--version']), { code: 0, stdout: `${manifest.version}\n`, stderr: '' });
  });

  it('goes on serving, and stops as told, when nobody reads what it prints any more', async () => {
    const service = await serveProcess(['--demo', '--data', folder]);
    service.child.stdout.destroy();
    service.child.stderr.destroy();
    assert.equal((await request(`${service.url}/healthz`)).status, 200);
    assert.equal(await service.end('SIGTERM'), 0);
  });

  it('stops as told when who reads its log has fallen asleep', async () => {
    const service = await serveProcess(['--log-requests', '--data', folder]);
    service.child.stdout.pause();
    const asked = '/'.padEnd(10_000, 'x');
    for (let count = 0; count < 80; count += 1) await request(`${service.url}${asked}`);
    assert.equal(await service.end('SIGTERM'), 0);
  });

  it('does not end as if all were well when what it prints is kept nowhere', async function () {
    if (process.platform !== 'linux') this.skip();
    const ended = promisify(execFile)('sh', [
      '-c',
      '"$0" "$1" version > /dev/full',
      process.execPath,
      await serviceProgram(),
    ]);
    await assert.rejects(ended, { code: 1, stderr: /no space left/ });
  });

  it('says what it did not understand and ends with 2', async () => {
    const cases: [string[], RegExp][] = [
      [[], /Missing command/],
      [['fly'], /Unknown command fly/],
      [['serve', '--nonsense'], /--nonsense/],
      [['serve', 'extra'], /extra/],
      [['serve', '--port', '70000'], /--port must be a whole number from 0 to 65535/],
      [['serve', '--database', 'mysql://x/y'], /--database must be an address such as postgres:/],
      [['user', 'add', '--name', 'A', '--email', 'a@b.c', '--database', 'db'], /--database must be/],
      [['serve', '--base-path', 'x y'], /--base-path/],
      [['serve', '--host', ''], /--host must be a name or an address/],
      [['serve', '--allowed-host', 'https://example.org'], /--allowed-host must be a name such as/],
      [['user', 'add', '--name', 'A\nB', '--email', 'a@b.c'], /--name must be one line/],
      [['user', 'add', '--name', 'A', '--email', 'a@b\u001b[31m.c'], /--email/],
      [['backup', ''], /Missing FOLDER/],
      [['user', 'add', '--name', 'Ada'], /--email/],
      [['user', 'add', '--email', 'a@b.c'], /--name/],
      [['user', 'fire'], /Unknown command user fire\./],
      [['tokn', 'list'], /Unknown command tokn\. Did you mean token\?/],
      [['serve', '--prot', '1'], /Unknown option --prot\. Did you mean --port\?/],
      [['serve', '--data', ''], /--data must be a folder/],
      [['user', 'add', '--name', 'A', '--email', 'a@b.c', '--data', ' '], /--data must be a folder/],
    ];
    const asked = cases.map(async ([args, sentence]) => {
      const { code, stderr, stdout } = await runService(args);
      assert.equal(code, 2, args.join(' '));
      assert.match(stderr, sentence);
      assert.equal(stdout, '');
    });
    await Promise.all(asked);
  }).timeout(120_000);

  it('adds a user, prints the token last, signs in with the password, and takes no password that is short or long', async () => {
    const args = ['user', 'add', '--name', 'Ada', '--email', 'ada@example.org', '--data', folder];
    const added = await runService([...args, '--password-stdin'], 'correct horse\n');
    assert.equal(added.code, 0, added.stderr);
    const token = added.stdout.trim().split('\n').at(-1) ?? '';
    assert.match(token, /^[\w-]{40}$/);
    assert.match((await runService(args)).stderr, /already/);
    assert.match((await runService([...args, '--password-stdin'], 'nine char')).stderr, /at least 10 characters/);
    assert.match((await runService([...args, '--password-stdin'], 'password123')).stderr, /too easy to guess/);
    assert.match(
      (await runService([...args, '--password-stdin'], 'a'.repeat(1_025))).stderr,
      /at most 1,024 characters/,
    );
    const service = await serveProcess(['--data', folder]);
    assert.match((await userOf(service.url, '', '', token).get('/projects')).text, /<projects/);
    const login = `Basic ${Buffer.from('ada@example.org:correct horse').toString('base64')}`;
    const signedIn = await request(`${service.url}/services/v3/tokens/active`, { headers: { Authorization: login } });
    assert.equal(signedIn.status, 200);
    assert.equal(await service.end('SIGTERM'), 0);
  });

  it('lists users and tokens, makes tokens and ends them, for people and for programs', async () => {
    const where = ['--data', folder];
    const person = ['--email', 'ada@example.org', ...where];
    const { token } = await answerOf(['user', 'add', '--name', 'Ada', ...person, '--json']);
    const further = await answerOf(['token', 'create', ...person, '--json']);
    for (const [password, sentence] of [
      ['nine char', /at least 10 characters/],
      ['ada@example.org', /other than your name or address/],
    ] as const) {
      const refused = await runService(['user', 'password', ...person], password);
      assert.deepEqual([refused.code, sentence.test(refused.stderr)], [2, true], refused.stderr);
    }
    assert.equal((await runService(['user', 'password', ...person], 'correct horse')).code, 0);
    const [ada] = await answerOf(['user', 'list', ...where, '--json']);
    assert.deepEqual([ada.name, ada.email, ada.hasPassword], ['Ada', 'ada@example.org', true]);
    const [first, second] = await answerOf(['token', 'list', ...where, '--json']);
    assert.match(
      (await runService(['token', 'list', ...person])).stdout,
      /^\d+\tada@example\.org\tuser\t20.*\t-\twrite\t-\n/,
    );
    const service = await serveProcess(where);
    const statuses = async () => {
      const answers = [token, further.token].map((each) => userOf(service.url, '', '', each).get('/projects'));
      return (await Promise.all(answers)).map(({ status }) => status);
    };
    assert.deepEqual(await statuses(), [200, 200]);
    assert.equal((await runService(['token', 'revoke', '--id', String(first.id), ...where])).code, 0);
    assert.deepEqual(await statuses(), [401, 200]);
    assert.notEqual(first.id, second.id);
    assert.match((await runService(['token', 'revoke', '--id', '777', ...where])).stderr, /No token has the ID 777/);
    assert.match(
      (await runService(['token', 'create', '--email', 'x@y.z', ...where])).stderr,
      /No user has the address x@y\.z/,
    );
    assert.equal(await service.end('SIGTERM'), 0);
  }).timeout(60_000);

  it('creates a token with a name that can only read, and lists both', async () => {
    const where = ['--data', folder];
    const person = ['--email', 'ada@example.org', ...where];
    await answerOf(['user', 'add', '--name', 'Ada', ...person, '--json']);
    const wanted = ['--name', 'Code agent', '--read-only'];
    const made = await answerOf(['token', 'create', ...person, ...wanted, '--json']);
    assert.deepEqual([made.name, made.scope], ['Code agent', 'read']);
    const [first, second] = await answerOf(['token', 'list', ...where, '--json']);
    assert.deepEqual([first.name, first.scope, second.name, second.scope], [null, 'write', 'Code agent', 'read']);
    assert.match((await runService(['token', 'list', ...where])).stdout, /\t-\twrite\t-\n.*\t-\tread\tCode agent\n$/);
    for (const name of ['a\nb', 'x'.repeat(101), 'a\u202eb']) {
      const refused = await runService(['token', 'create', ...person, '--name', name]);
      assert.deepEqual([refused.code, /--name must be one line/.test(refused.stderr)], [2, true], refused.stderr);
    }
    const service = await serveProcess(where);
    const agent = userOf(service.url, '', '', made.token);
    assert.equal((await agent.get('/projects')).status, 200);
    assertRefused(
      await agent.post('/projects', '<project><name>A</name></project>'),
      403,
      /without "Read only" or --read-only/,
    );
    assert.equal(await service.end('SIGTERM'), 0);
  }).timeout(60_000);

  it('keeps data for its owner only, in the folder of the platform when none is named', async () => {
    const { code } = await runService(['user', 'add', '--name', 'A', '--email', 'a@b.c'], '', {
      XDG_DATA_HOME: folder,
    });
    assert.equal(code, 0);
    const data = join(folder, 'story-tracker');
    assert.equal((await stat(data)).mode & 0o777, 0o700);
    assert.equal((await stat(join(data, 'story-tracker.db'))).mode & 0o777, 0o600);
    assert.deepEqual(await readdir(data), ['story-tracker.db'], 'all in one file when nobody works on it');
  });

  it('makes no data where a command finds none that does not begin it, and says so', async () => {
    const nowhere = join(folder, 'mistyped');
    const person = ['--email', 'ada@example.org'];
    const commands = [
      ...[
        ['user', 'list'],
        ['project', 'list'],
        ['token', 'list'],
        ['rule', 'list'],
        ['deliveries', 'list'],
      ],
      ...[
        ['user', 'password', ...person],
        ['user', 'mail', '--assigned', 'off', ...person],
        ['token', 'create', ...person],
      ],
      ...[
        ['files', 'check'],
        ['files', 'pair'],
        ['rule', 'set', 'adding-people', 'anyone'],
      ],
      ['export', '--project', '1', '--output', join(folder, 'out.xml')],
      ['import', join(folder, 'list.csv'), '--dry-run'],
    ];
    await writeFile(join(folder, 'list.csv'), 'Title\nBuoys\n');
    const asked = commands.map(async (args) => {
      const { code, stdout, stderr } = await runService([...args, '--data', nowhere], 'correct horse');
      assert.deepEqual([code, stdout], [1, ''], `${args.join(' ')}: ${stderr}`);
      assert.equal(stderr, `Could not find data in ${nowhere}. Pass its folder with --data.\n`);
    });
    await Promise.all(asked);
    await assert.rejects(stat(nowhere));
    const project = ['--name', 'Apollo', '--owner', 'ada@example.org', '--add-people'];
    const begun = await runService(['import', join(folder, 'list.csv'), ...project, '--data', nowhere]);
    assert.doesNotMatch(begun.stderr, /Could not find data/);
    assert.ok((await stat(nowhere)).isDirectory());
  }).timeout(120_000);

  it('says which data it serves, and that it made a new database', async () => {
    const file = join(folder, 'story-tracker.db');
    for (const isNew of [true, false]) {
      const child = await startCommand(['serve', '--data', folder]);
      let [said, told] = ['', ''];
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        told += text;
      });
      await eventually(() => assert.match(said, /\n/));
      assert.match(said, /^Story Tracker answers at http:\/\/127\.0\.0\.1:\d+ with the data in .+\.\n$/);
      assert.ok(said.endsWith(` ${folder}.\n`));
      const sentence = `New, empty database: ${file}. If you expected your projects, check --data and --database.\n`;
      if (isNew && !onPostgres) await eventually(() => assert.equal(told, sentence));
      assert.equal(await end(child, 'SIGTERM'), 0);
      assert.equal(told.includes('New, empty database'), isNew && !onPostgres);
    }
  }).timeout(60_000);

  it('fills an empty store with the demo once, and keeps what was changed', async () => {
    const first = await serveProcess(['--demo', '--data', folder]);
    const nora = userOf(first.url, 'Nora', '', first.token);
    const projects = await nora.get('/projects');
    assert.deepEqual(texts(projects, 'type'), ['Other']);
    assert.equal(texts(projects, 'role').length, 3);
    const projectId = Number(textOf(projects, 'id'));
    const stories = await nora.get(`/projects/${projectId}/stories`);
    assert.ok(texts(stories, 'current_state').length >= 50);
    const attachment = /<attachment>\s*<id type="integer">(\d+)/.exec(stories.text);
    assert.ok(attachment, 'an attachment to look at');
    await nora.post(`/projects/${projectId}/stories`, '<story><name>Mine</name></story>');
    assert.equal(await first.end('SIGTERM'), 0);

    const second = await serveProcess(['--demo', '--data', folder]);
    assert.notEqual(second.token, first.token);
    const again = userOf(second.url, 'Nora', '', second.token);
    assert.equal(texts(await again.get('/projects'), 'velocity_scheme').length, 1);
    assert.match((await again.get(`/projects/${projectId}/stories`)).text, /<name>Mine<\/name>/);
    assert.equal((await userOf(second.url, 'Nora', '', first.token).get('/projects')).status, 200);
    assert.equal(await second.end('SIGINT'), 0);
  });

  it('fills no store that is in use with the demo, and changes nothing in it', async () => {
    await runService(['user', 'add', '--name', 'Ada', '--email', 'ada@example.org', '--data', folder]);
    const { code, stdout, stderr } = await runService(['serve', '--demo', '--data', folder]);
    assert.deepEqual([code, stdout], [1, '']);
    const [place, mend] = onPostgres
      ? ['the database', 'Pass a new database with --database']
      : [folder, 'Pass a new folder with --data'];
    const told = `--demo requires a new store, but ${place} already has data. ${mend}, or remove --demo.`;
    assert.ok(stderr.startsWith(told), stderr);
    const { stdout: users } = await runService(['user', 'list', '--data', folder, '--json']);
    assert.deepEqual(
      JSON.parse(users).map(({ name }: { readonly name: string }) => name),
      ['Ada'],
    );
  });

  it('serves the person at this machine until its input closes, with a token for that time', async () => {
    const one = await serveProcess(['--embedded', '--demo', '--data', folder]);
    const two = await serveProcess(['--embedded', '--data', folder]);
    const me = userOf(two.url, '', '', one.token);
    assert.equal(texts(await me.get('/projects'), 'velocity_scheme').length, 1);
    assert.match(
      (await me.get('/memberships')).text,
      /<email>you@localhost<\/email>\s*<name>[^<]+<\/name>[\s\S]*Owner/,
    );
    const exited = once(one.child, 'exit');
    one.child.stdin.end();
    assert.deepEqual(await exited, [0, null]);
    assert.equal((await me.get('/projects')).status, 401);
    assert.equal((await userOf(two.url, '', '', two.token).get('/projects')).status, 200);
    assert.equal(await two.end('SIGTERM'), 0);
  });

  it('is reached under a base path', async () => {
    const service = await serveProcess(['--demo', '--base-path', '/tracker/', '--data', folder]);
    assert.match(service.url, /\/tracker$/);
    const nora = userOf(service.url, 'Nora', '', service.token);
    const stories = await nora.get('/projects/1/stories?limit=1');
    assert.match(textOf(stories, 'url'), new RegExp(`^${service.url}/story/show/\\d+$`));
    assert.equal((await request(textOf(stories, 'url'))).status, 200);
    assert.equal((await request(`${service.url.replace('/tracker', '')}/services/v3/projects`)).status, 404);
    await service.end('SIGTERM');
  });

  it('finishes what is under way when it is stopped, and takes nothing new', async () => {
    const service = await serveProcess(['--demo', '--data', folder]);
    const agent = new Agent({ keepAlive: true });
    const { hostname, port } = new URL(service.url);
    const body = '<story><name>Under way</name></story>';
    const slow = httpRequest({
      hostname,
      port,
      agent,
      method: 'POST',
      path: '/services/v3/projects/1/stories',
      headers: { 'X-ServiceToken': service.token, 'Content-Type': 'application/xml', 'Content-Length': body.length },
    });
    const answered = once(slow, 'response');
    slow.write(body.slice(0, 10));
    await once(slow, 'socket');
    await request(`${service.url}/healthz`);
    const ended = service.end('SIGINT');
    service.child.kill('SIGINT'); // As where a terminal and npm both tell it.
    await refused(`${service.url}/healthz`);
    slow.end(body.slice(10));
    const [response] = await answered;
    assert.equal(response.statusCode, 200);
    response.resume();
    assert.equal(await ended, 0);
    agent.destroy();
    assert.ok((await storedBytes(folder)).some((bytes) => bytes.includes('Under way')));
  });

  it('ends at once when it is told to stop again, later', async () => {
    const service = await serveProcess(['--demo', '--data', folder]);
    const { hostname, port } = new URL(service.url);
    const slow = connect(Number(port), hostname).on('error', () => undefined);
    const head = ['POST /services/v3/projects/1/stories HTTP/1.1', 'Host: localhost', 'Content-Length: 99'];
    slow.write(rawHead(...head, `X-ServiceToken: ${service.token}`, 'Expect: 100-continue'));
    await once(slow, 'data');
    const ended = service.end('SIGTERM');
    await sleep(4_000); // Within a second both would be one.
    service.child.kill('SIGTERM');
    assert.equal(await ended, 143);
  });

  it('does not wait for connections on which nothing was ever asked', async () => {
    const service = await serveProcess(['--embedded', '--data', folder]);
    const { hostname, port } = new URL(service.url);
    const silent = connect(Number(port), hostname);
    const half = connect(Number(port), hostname);
    await Promise.all([once(silent, 'connect'), once(half, 'connect')]);
    half.write('GET /healthz HTTP/1.1\r\nHost:');
    const closed = Promise.all([silent, half].map(closedByService));
    assert.equal(await service.end('SIGTERM'), 0);
    await closed;
  }).timeout(15_000);

  it('says in words why it cannot start, and what to do', async () => {
    const file = join(folder, 'file');
    await writeFile(file, 'x');
    const service = await serveProcess(['--data', folder]);
    const { port } = new URL(service.url);
    const [noFolder, taken] = await Promise.all([
      runService(['serve', '--data', file]),
      runService(['serve', '--data', folder, '--port', port]),
    ]);
    assertFailed(noFolder, /file is not a folder\. Pass one with --data/);
    assertFailed(taken, new RegExp(`Port ${port} of 127.0.0.1`));
    assert.equal(await service.end('SIGTERM'), 0);
  });

  it('says that a folder cannot be made, and does not blame the database for it', async () => {
    const data = join(folder, 'link');
    await symlink(join(folder, 'disk that is not there', 'data'), data);
    const failures = await Promise.all([
      runService(['serve', '--data', data]),
      runService(['serve', '--data', data, '--database', 'postgres://127.0.0.1:1/x']),
    ]);
    for (const failed of failures)
      assertFailed(failed, /Could not create the folder .*link\. Pass another one with --data/);
  });

  it('refuses data of a newer version and changes nothing', async () => {
    await runService(['user', 'add', '--name', 'A', '--email', 'a@b.c', '--data', folder]);
    await runOnDatabase(folder, `insert into "schemaVersions" values (999, 'later', 0)`);
    const before = await storedBytes(folder);
    const { code, stderr } = await runService(['serve', '--data', folder]);
    assert.equal(code, 1);
    assert.match(stderr, /written by a newer Story Tracker \(schema 999/);
    assert.doesNotMatch(stderr, /\n\s+at /);
    assert.deepEqual(await storedBytes(folder), before);
  });
});

describeOnPostgres('command line, over a database that holds nothing of ours', () => {
  it('says so and makes nothing in it', async () => {
    const folder = await temporaryFolder();
    const failed = await runService(['user', 'list', '--data', folder]);
    assertFailed(failed, /Could not find data in this database\. Pass the right one with --database/);
    assert.deepEqual(await storedBytes(folder), []);
    assert.equal((await runService(['user', 'add', '--name', 'A', '--email', 'a@b.c', '--data', folder])).code, 0);
    assert.equal((await runService(['user', 'list', '--data', folder])).code, 0);
    await dropDatabaseOf(folder);
    await rm(folder, { recursive: true, force: true });
  });
});

describeOnSqlite('command line, over a file that is no database', () => {
  it('says so', async () => {
    const folder = await temporaryFolder();
    const text = 'This is no database, though it is long enough to be one. '.repeat(99);
    await writeFile(join(folder, 'story-tracker.db'), text);
    const failed = await runService(['user', 'add', '--name', 'A', '--email', 'a@b.c', '--data', folder]);
    assertFailed(failed, /is not a Story Tracker database/);
    await rm(folder, { recursive: true, force: true });
  });
});

/** What a command says with `--json`. */
async function answerOf(args: readonly string[]) {
  const { code, stdout, stderr } = await runService(args);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}

function assertFailed({ code, stderr }: Finished, sentence: RegExp): void {
  assert.equal(code, 1, stderr);
  assert.match(stderr, sentence);
  assert.doesNotMatch(stderr, /\n\s+at /);
}

function closedByService(connection: Socket): Promise<void> {
  connection.on('error', () => undefined).resume();
  return new Promise((resolve) => connection.on('close', () => resolve()));
}

/** Waits until new connections are refused, or answered with 503. */
async function refused(url: string): Promise<void> {
  for (;;) {
    const status = await request(url).then(
      (answer) => answer.status,
      () => 0,
    );
    if (status === 0 || status === 503) return;
  }
}
