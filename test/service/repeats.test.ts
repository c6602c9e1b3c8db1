import assert from 'node:assert/strict';
import { get as httpGet } from 'node:http';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { tokenHash } from '../../src/service/store/people/tokens.ts';
import { eventually } from '../support/eventually.ts';
import { addMember, newBacklog, newProject, newStory } from './support/project.ts';
import { assertStatus, textOf } from './support/request.ts';
import { runOnDatabase } from './support/testDatabase.ts';
import { startTestService, type TestService, type TestUser } from './support/testService.ts';

const WEEK = 7 * 86_400_000;

interface Said {
  readonly status: number | undefined;
  readonly body: string;
}

describe('a request that comes again word for word', () => {
  let now = Date.UTC(2026, 0, 5);
  let service: TestService;
  let ada: TestUser;
  let projectId: number;
  let stories: readonly number[];

  before(async () => {
    service = await startTestService({ clock: () => now });
    ada = await service.user('Ada');
    projectId = await newProject(ada);
    stories = await newBacklog(ada, projectId, ['Buoys', 'Beacons']);
  });
  after(() => service.stop());

  /** The same bytes each time, which fetch does not promise. */
  function ask(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Said> {
    const all = { 'X-ServiceToken': ada.token, ...headers };
    return new Promise((resolve, reject) => {
      const sent = httpGet(`${service.url}/services/v3${path}`, { headers: all, agent: false }, (response) => {
        text(response).then((body) => resolve({ status: response.statusCode, body }), reject);
      });
      sent.once('error', reject);
    });
  }

  const backlog = () => ask(`/projects/${projectId}/iterations/current_backlog`);
  const versions = async () => (await ask('/activities')).body.match(/<version/g)?.length;

  it('is answered alike while nothing changes', async () => {
    const first = await backlog();
    assert.equal(first.status, 200);
    assert.deepEqual(await backlog(), first);
    assert.equal(await versions(), await versions());
  });

  it('is answered anew after a change', async () => {
    const [before] = [await versions(), await backlog()];
    assertStatus(
      await ada.put(`/projects/${projectId}/stories/${stories[0]}`, '<story><name>Bells</name></story>'),
      200,
    );
    assert.match((await backlog()).body, /<name>Bells</);
    assert.equal(await versions(), Number(before) + 1);
  });

  it('is told that it has the answer already only while it has', async () => {
    const path = `/projects/${projectId}`;
    const tag = (await ada.get(path)).headers.get('etag') ?? '';
    const again = async () => (await ask(path, { 'If-None-Match': tag, 'Accept-Encoding': 'gzip' })).status;
    assert.deepEqual([await again(), await again()], [304, 304]);
    assertStatus(await ada.post(`/projects/${projectId}/stories`, '<story><name>Boats</name></story>'), 200);
    assert.deepEqual([await again(), await again()], [200, 200]);
  });

  it('is answered anew after a change by another process', async () => {
    assert.match((await backlog()).body, /<name>Beacons</);
    await runOnDatabase(
      service.folder,
      `update stories set name = 'Lights' where id = ${stories[1]}; update projects set changes = changes + 1`,
    );
    assert.match((await backlog()).body, /<name>Lights</);
  });

  it('is answered anew when time has passed on which the answer depends', async () => {
    const start = async () => textOf({ text: (await backlog()).body }, 'start');
    assert.equal(await start(), '2026/01/05 00:00:00 UTC');
    now += WEEK;
    assert.equal(await start(), '2026/01/12 00:00:00 UTC');
  });

  it('is answered anew where it asks for all projects at once', async () => {
    const labels = async () => textOf({ text: (await ask('/projects')).body }, 'labels');
    assert.equal(await labels(), '');
    assertStatus(
      await ada.put(`/projects/${projectId}/stories/${stories[0]}`, '<story><labels>tide</labels></story>'),
      200,
    );
    assert.equal(await labels(), 'tide');
    await runOnDatabase(service.folder, "update labels set name = 'ebb'; update projects set changes = changes + 1");
    assert.equal(await labels(), 'ebb');
    const ids = async () => (await ask('/projects')).body.match(/<project>/g)?.length;
    const before = Number(await ids());
    await newProject(ada, 'Another');
    assert.equal(await ids(), before + 1);
  });

  it('is answered anew when the clock was put back', async () => {
    const starts = async () => [
      textOf({ text: (await backlog()).body }, 'start'),
      textOf({ text: (await ask('/projects')).body }, 'current_iteration_number'),
    ];
    const before = await starts();
    now += 50 * WEEK;
    assert.notDeepEqual(await starts(), before);
    now -= 50 * WEEK;
    assert.deepEqual(await starts(), before);
  });

  it('is another one with another header', async () => {
    const path = `/projects/${projectId}/stories`;
    assert.equal((await ask(path)).status, 200);
    assert.equal((await ask(path, { Origin: 'https://elsewhere.example.org' })).status, 403);
    assert.equal((await ask(path, { Host: 'elsewhere.example.org' })).status, 403);
    assert.match((await ask(path, { Host: 'localhost:1' })).body, /<url>http:\/\/localhost:1\/story/);
    assert.equal((await ask(path, { 'X-ServiceToken': 'another' })).status, 401);
    assert.equal((await ask(path)).status, 200);
  });

  it('is another one with another header also over the same connection, with a body, and by another method', async () => {
    const { hostname, port } = new URL(service.url);
    const path = `/services/v3/projects/${projectId}`;
    const head = (token: string) => `Host: ${hostname}:${port}\r\nX-ServiceToken: ${token}\r\n`;
    const own = `GET ${path} HTTP/1.1\r\n${head(ada.token)}\r\n`;
    const requests = [
      [own, own, 200],
      [own, `GET ${path} HTTP/1.1\r\n${head('another')}\r\n`, 401],
      [own, `GET ${path}/nothing HTTP/1.1\r\n${head(ada.token)}\r\n`, 404],
      [own, `GET ${path} HTTP/1.1\r\n${head(ada.token)}Content-Length: 3\r\n\r\nabc`, 200],
      [own, `DELETE ${path} HTTP/1.1\r\n${head(ada.token)}\r\n`, 405],
    ] as const;
    for (const [first, second, status] of requests) {
      const connection = connect(Number(port), hostname);
      const answers = createInterface(connection);
      const statuses: number[] = [];
      answers.on('line', (line) => {
        const found = /^HTTP\/1\.1 (\d+) /.exec(line)?.[1];
        if (found !== undefined) statuses.push(Number(found));
      });
      connection.write(first);
      await eventually(() => assert.deepEqual(statuses, [200]));
      connection.write(second);
      await eventually(() => assert.deepEqual(statuses, [200, status]));
      connection.destroy();
    }
  });

  describe('while others change something all the time', () => {
    let other: number;

    let olga: TestUser;

    before(async () => {
      ada = await service.user('Ada Anew');
      projectId = await newProject(ada);
      olga = await service.user('Olga');
      other = await newProject(olga, 'Elsewhere');
    });

    const changeElsewhere = () => newStory(olga, other, 'Elsewhere');
    const paths = () => [
      `/projects/${projectId}/iterations/current_backlog`,
      `/projects/${projectId}`,
      `/projects/${projectId}/activities`,
      '/activities?limit=1',
      '/projects',
    ];

    it('is answered alike, and costs the store one question', async () => {
      for (const path of paths()) {
        const answers: Said[] = [];
        for (let turn = 0; turn < 3; turn += 1) {
          answers.push(await ask(path));
          await changeElsewhere();
        }
        const { database } = service.running;
        const { read, seen } = database;
        let asked = 0;
        const isSeen: typeof seen = (reader) => {
          asked += 1;
          return seen(reader);
        };
        Object.assign(database, { read: () => assert.fail('It is asked for more.'), seen: isSeen });
        answers.push(await ask(path));
        Object.assign(database, { read, seen });
        assert.equal(asked, 1, path);
        for (const answer of answers) assert.deepEqual(answer, answers[0]);
      }
    });

    it('is answered anew once the change is one that it tells of', async () => {
      for (const path of paths()) {
        const seen = new Set<string>();
        for (let turn = 0; turn < 3; turn += 1) {
          await changeElsewhere();
          await ask(path);
          await newStory(
            ada,
            projectId,
            `Told of ${path} ${turn}`,
            '<current_state>unstarted</current_state><labels>told</labels>',
          );
          await changeElsewhere();
          seen.add((await ask(path)).body);
        }
        assert.equal(seen.size, 3, path);
      }
    });

    it('is refused to who was sent away in the meantime, and leaves their lists', async () => {
      const membership = await addMember(ada, projectId, olga, 'Viewer');
      const asOlga = (path: string) => ask(path, { 'X-ServiceToken': olga.token });
      const path = `/projects/${projectId}`;
      for (let turn = 0; turn < 3; turn += 1) {
        assert.equal((await asOlga(path)).status, 200);
        assert.match((await asOlga('/projects')).body, /<name>Apollo</);
        await changeElsewhere();
      }
      assertStatus(await ada.delete(`${path}/memberships/${membership}`), 200);
      assert.equal((await asOlga(path)).status, 404);
      assert.doesNotMatch((await asOlga('/projects')).body, /<name>Apollo</);
    });
  });

  it('is refused when its token is no longer good', async () => {
    assert.equal((await backlog()).status, 200);
    await runOnDatabase(service.folder, `delete from tokens where hash = '${tokenHash(ada.token)}'`);
    assert.equal((await backlog()).status, 401);
  });
});
