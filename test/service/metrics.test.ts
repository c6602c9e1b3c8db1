import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { addJob } from '../../src/service/store/jobs/queues.ts';
import { newProject, newStory } from './support/project.ts';
import { assertStatus, request, requestByName } from './support/request.ts';
import { runService, serveProcess } from './support/serviceProcess.ts';
import { onPostgres, rowsOfDatabase } from './support/testDatabase.ts';
import { startTestService, type TestService, type TestUser, temporaryFolder } from './support/testService.ts';

const METRICS = { host: '127.0.0.1', port: 0 };
const LINE = /^([a-z_]+)(\{[a-z]+="[^"\n]*"(?:,[a-z]+="[^"\n]*")*\})? (-?[\d.]+(?:e[+-]?\d+)?)$/;

/** The figures by their names and labels; each line is one of them, or tells what a name means. */
async function figures(service: TestService): Promise<ReadonlyMap<string, number>> {
  const answer = await request(String(service.running.metricsUrl));
  assertStatus(answer, 200);
  assert.match(String(answer.headers.get('content-type')), /^text\/plain; version=0\.0\.4/);
  const known = new Map<string, number>();
  const told = new Set<string>();
  for (const line of answer.text.trimEnd().split('\n')) {
    const [, name] = /^# TYPE (\w+) (?:counter|gauge|histogram)$/.exec(line) ?? [];
    if (name !== undefined) told.add(name);
    if (line.startsWith('# ')) continue;
    const [, metric = '', labels = '', value] = LINE.exec(line) ?? assert.fail(line);
    assert.ok(told.has(metric.replace(/_(?:bucket|sum|count)$/, '')) || told.has(metric), line);
    assert.ok(!known.has(metric + labels), `${line} is there twice`);
    known.set(metric + labels, Number(value));
  }
  return known;
}

describe('metrics of a service', () => {
  let service: TestService;
  let ada: TestUser;
  let projectId: number;
  let folder: string;

  before(async () => {
    folder = await temporaryFolder();
    service = await startTestService({ metrics: METRICS, basePath: '/tracker', dataFolder: folder });
    ada = await service.user('Ada');
    projectId = await newProject(ada);
    for (const name of ['One', 'Two', 'Three']) await newStory(ada, projectId, name);
  });
  after(async () => {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('count requests by endpoint and status, however they were answered, and tell how long they took', async () => {
    for (let count = 0; count < 5; count += 1) await ada.get(`/projects/${projectId}/stories`);
    await ada.get(`/projects/${projectId}/stories/999999999`);
    await ada.delete(`/projects/${projectId}`);
    await request(`${service.url}/healthz`, { method: 'HEAD' });
    await request(`${service.url}/mcp`);
    const known = await figures(service);
    const requests = (endpoint: string, status: number) =>
      known.get(`story_tracker_requests_total{endpoint="${endpoint}",status="${status}"}`);
    assert.equal(requests('createStory', 200), 3);
    assert.equal(requests('listStories', 200), 5);
    assert.equal(requests('getStory', 404), 1);
    assert.equal(requests('unknown', 405), 1);
    assert.equal(requests('health', 200), 1);
    assert.equal(requests('agents', 405), 1);
    const name = 'story_tracker_request_duration_seconds';
    assert.equal(known.get(`${name}_count{endpoint="listStories"}`), 5);
    assert.equal(known.get(`${name}_bucket{endpoint="listStories",le="+Inf"}`), 5);
    const sum = known.get(`${name}_sum{endpoint="listStories"}`) ?? 0;
    assert.ok(sum > 0 && sum < 5, String(sum));
    const buckets = [...known].filter(([key]) => key.startsWith(`${name}_bucket{endpoint="createStory"`));
    const counts = buckets.map(([, value]) => value);
    assert.ok(counts.length > 10);
    assert.deepEqual(
      counts,
      counts.toSorted((one, other) => one - other),
    );
  });

  it('have nothing in them that a request said', async () => {
    const before = (await figures(service)).size;
    for (let count = 0; count < 50; count += 1) {
      await request(`${service.url}/guess-${count}`, { token: `guess-${count}` });
      await request(`${service.url}/services/v3/guess-${count}?guess=${count}`, { method: 'PROPFIND' });
    }
    const { text } = await request(String(service.running.metricsUrl));
    assert.doesNotMatch(text, /guess|PROPFIND/);
    assert.ok(!text.includes(ada.token) && !text.includes(ada.email));
    assert.ok((await figures(service)).size < before + 40);
  });

  it('tell of the database, of what waits, and of the process', async () => {
    const { database } = service.running;
    await database.write(async (tx) => {
      const far = Date.now() + 3_600_000;
      for (const key of ['1', '2']) await addJob(tx, { kind: 'mail', key, payload: {} }, Date.now() - 5_000, far);
    });
    await service.stop();
    service = await startTestService({ metrics: METRICS, dataFolder: folder });
    const known = await figures(service);
    const figure = (name: string) => known.get(name) ?? assert.fail(name);
    assert.equal(figure('story_tracker_database_up'), 1);
    assert.ok(figure('story_tracker_database_bytes') > 50_000);
    assert.equal(figure('story_tracker_database_connections{kind="write"}'), onPostgres ? 4 : 1);
    assert.equal(figure('story_tracker_database_waiting{kind="read"}'), 0);
    assert.ok(figure('story_tracker_database_transaction_seconds_count{kind="read"}') > 0);
    assert.ok(figure('story_tracker_database_wait_seconds_count{kind="read"}') > 0);
    assert.ok(figure('process_resident_memory_bytes') > 10_000_000);
    assert.ok(figure('story_tracker_event_loop_delay_seconds{quantile="0.99"}') < 60);
    assert.equal(figure('story_tracker_requests_under_way'), 0);
    assert.equal(figure('story_tracker_jobs{kind="mail",state="waiting"}'), 2);
    assert.equal(figure('story_tracker_jobs{kind="mail",state="parked"}'), 0);
    assert.ok(figure('story_tracker_job_age_seconds{kind="mail"}') >= 5);
  });

  it('take no connection to the database that there was not before', async () => {
    if (!onPostgres) return;
    await Promise.all(Array.from({ length: 30 }, () => figures(service)));
    const [row] = await rowsOfDatabase(
      folder,
      'select count(*)::int as count from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    assert.ok(Number(row?.count) <= 14, String(row?.count));
  });

  it('are at an address of their own, which answers to its own names only', async () => {
    const { origin } = new URL(String(service.running.metricsUrl));
    assertStatus(await request(`${service.url}/metrics`), 404);
    assertStatus(await request(`${origin}/services/v3/projects`, { token: ada.token }), 404);
    assertStatus(await requestByName(`${origin}/metrics`, 'elsewhere.example.org'), 403);
    assertStatus(await request(`${origin}/metrics`, { method: 'POST', body: '<x/>' }), 405);
  });
});

describe('the option for metrics', () => {
  let folder: string;

  before(async () => {
    folder = await temporaryFolder();
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('takes a port of this machine, and says what is wrong with others', async () => {
    const serving = await serveProcess(['--data', folder, '--metrics', '0']);
    assert.equal(new URL(serving.metrics).hostname, '127.0.0.1');
    assert.match((await request(serving.metrics)).text, /^story_tracker_database_up 1$/m);
    assert.equal(await serving.end('SIGTERM'), 0);

    const wrong = await runService(['serve', '--data', folder, '--metrics', 'all']);
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /--metrics must be an address such as 127\.0\.0\.1:9100, or a port\./);

    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const taken = other.address();
    const port = typeof taken === 'object' ? taken?.port : 0;
    const crowded = await runService(['serve', '--data', folder, '--metrics', `127.0.0.1:${port}`]);
    other.close();
    assert.equal(crowded.code, 1);
    assert.match(crowded.stderr, /Could not listen on --metrics: .*EADDRINUSE/);
  });
});
