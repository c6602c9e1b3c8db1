import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { writeServicePackage } from '../../scripts/servicePackage/servicePackage.ts';
import { request, texts } from './support/request.ts';
import { describeOnSqlite } from './support/testDatabase.ts';
import { temporaryFolder, userOf } from './support/testService.ts';

const run = promisify(execFile);
/** Nothing but Node: the program finds no modules, and none of ours. */
const env = { PATH: dirname(process.execPath) };

describeOnSqlite('the package of the service', () => {
  let folder: string;
  let program: string;
  let child: ChildProcess | undefined;

  before(async () => {
    folder = await temporaryFolder();
    const archive = writeServicePackage(folder);
    await run('tar', ['-xzf', archive, '-C', folder]);
    await rm(archive);
    const [name = ''] = await readdir(folder);
    assert.match(name, /^story-tracker-service-\d+\.\d+\.\d+$/);
    program = join(folder, name, 'bin/story-tracker-service');
  });
  after(async () => {
    child?.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });

  it('runs in an empty folder with Node alone: a user, a service, a request, and its end', async () => {
    const data = join(folder, 'data');
    const options = { env, cwd: folder };
    const add = ['user', 'add', '--name', 'Ada', '--email', 'ada@example.org', '--data', data, '--json'];
    const { token } = JSON.parse((await run(program, add, options)).stdout);
    const service = spawn(program, ['serve', '--data', data, '--json'], {
      ...options,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child = service;
    let said = '';
    service.stderr.on('data', (text) => {
      said += text;
    });
    const [line] = await once(createInterface({ input: service.stdout }), 'line');
    const { url } = JSON.parse(line);
    const ada = userOf(url, 'Ada', 'ada@example.org', token);
    await ada.post('/projects', '<project><name>Apollo</name></project>');
    assert.equal(texts(await ada.get('/projects'), 'name')[0], 'Apollo');
    assert.equal((await request(`${url}/healthz`)).status, 200);
    const agents = join(dirname(program), '../lib/mcp.js');
    await rename(agents, `${agents}.gone`);
    assert.equal((await request(`${url}/mcp`)).status, 501);
    await rename(`${agents}.gone`, agents);
    assert.equal((await request(`${url}/mcp`)).status, 405);
    const ping = { method: 'POST', token, body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' };
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
    assert.match((await request(`${url}/mcp`, { ...ping, headers })).text, /"name":"get_story"/);
    service.kill('SIGTERM');
    const [code] = await once(service, 'exit');
    assert.deepEqual([code, said], [0, '']);
  });

  it('knows its version, also by a link to it', async () => {
    const link = join(folder, 'story-tracker-service');
    await symlink(program, link);
    const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
    assert.equal((await run(link, ['version'], { env })).stdout, `${version}\n`);
  });

  it('has all that a team needs: PostgreSQL and mail', async () => {
    const unreachable = ['--database', 'postgres://nobody@127.0.0.1:1/none', '--data', join(folder, 'none')];
    const smtp = ['--smtp', 'smtp://127.0.0.1:1', '--mail-from', 'tracker@example.org'];
    await assert.rejects(run(program, ['serve', ...unreachable, ...smtp], { env }), /Could not reach the database 127/);
  });

  it('says which Node it needs', async () => {
    const older = join(folder, 'older.cjs');
    await writeFile(older, `Object.defineProperty(process.versions, 'node', { value: '22.13.0' });`);
    const failure = await run(process.execPath, ['--require', older, program, 'version'], { env }).catch(
      (error) => error,
    );
    assert.equal(failure.code, 1);
    assert.equal(failure.stderr, 'The Story Tracker service needs Node.js 24 or newer; this is 22.13.0.\n');
  });

  it('comes with the licenses of the libraries in it', async () => {
    const notices = await readFile(join(dirname(program), '..', 'THIRD-PARTY-LICENSES.txt'), 'utf8');
    for (const name of ['kysely', 'pg', 'nodemailer', 'saxes', 'fast-xml-parser', '@modelcontextprotocol/sdk', 'zod'])
      assert.match(notices, new RegExp(`^${name} \\d+\\.`, 'm'));
    assert.doesNotMatch(notices, /^(?:undici|simple-git|ajv|hono|express) \d+\./m);
    assert.match(await readFile(join(dirname(program), '..', 'LICENSE'), 'utf8'), /MIT/);
  });

  it('has pages in which no link is dead, for who sets it up and who runs it', async () => {
    const home = join(dirname(program), '..');
    const pages = ['README.md', 'docs/team.md', 'docs/operating.md'];
    const texts = new Map<string, string>();
    for (const page of pages) texts.set(page, await readFile(join(home, page), 'utf8'));
    const links = [...texts].flatMap(([page, text]) =>
      [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => [page, target] as const),
    );
    assert.ok(links.length >= 5, links.join('\n'));
    for (const [page, target] of links) {
      const [path = '', anchor = ''] = target.split('#');
      assert.doesNotMatch(target, /^[a-z]+:/, 'nothing elsewhere is needed');
      const linked = path === '' ? page : join(dirname(page), path);
      const text = texts.get(linked) ?? (await readFile(join(home, linked), 'utf8'));
      const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => anchorOf(title));
      if (anchor !== '') assert.ok(headings.includes(anchor), `${page}: ${target}`);
    }
    for (const [page, text] of texts) {
      const named = [...text.matchAll(/`((?:bin|lib|systemd|container|docs)\/[\w./-]*)`/g)].map(
        ([, path = '']) => path,
      );
      for (const path of named) await access(join(home, path)).catch(() => assert.fail(`${page}: ${path}`));
    }
  });

  it('has a recipe for an image that serves, is healthy, and ends when it is stopped', async () => {
    const recipe = await readFile(join(dirname(program), '../container/Containerfile'), 'utf8');
    const listIn = (instruction: RegExp): readonly string[] => JSON.parse(instruction.exec(recipe)?.[1] ?? '');
    const [, ...check] = listIn(/^HEALTHCHECK [^\n]*\n +CMD (\[.+\])$/m);
    assert.deepEqual(listIn(/^ENTRYPOINT (\[.+\])$/m), ['story-tracker-service']);
    const data = join(folder, 'image');
    const args = listIn(/^CMD (\[.+\])$/m).map((arg) => ({ '/data': data, '8080': '0' })[arg] ?? arg);
    const service = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
    child = service;
    const [line] = await once(createInterface({ input: service.stdout }), 'line');
    const { port } = new URL(JSON.parse(line).url);
    const healthy = () =>
      run(
        process.execPath,
        check.map((arg) => arg.replace(':8080', `:${port}`)),
        { env },
      ).then(
        () => true,
        () => false,
      );
    assert.equal(await healthy(), true);
    service.kill(/^STOPSIGNAL (\w+)$/m.exec(recipe)?.[1] === 'SIGTERM' ? 'SIGTERM' : 'SIGKILL');
    assert.deepEqual(await once(service, 'exit'), [0, null]);
    assert.equal(await healthy(), false);
  });

  it('has a unit by which systemd runs it where the page puts it', async () => {
    const unit = await readFile(join(dirname(program), '../systemd/story-tracker.service'), 'utf8');
    assert.match(
      unit,
      /^ExecStart=\/opt\/story-tracker-service\/bin\/story-tracker-service serve --data \/var\/lib\//m,
    );
    const wrong = await run('systemd-analyze', [
      'verify',
      join(dirname(program), '../systemd/story-tracker.service'),
    ]).then(
      ({ stderr }) => stderr,
      (error) => (error.code === 'ENOENT' ? '' : error.stderr),
    );
    const others = wrong.split('\n').filter((line: string) => line !== '' && !line.includes('is not executable'));
    assert.deepEqual(others, []);
  });
});

/** As pages of Markdown have it. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-');
}
