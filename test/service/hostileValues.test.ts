import assert from 'node:assert/strict';
import { hashPassword } from '../../src/service/auth/password.ts';
import { addUser } from '../../src/service/store/people/users.ts';
import { newProject, newStory } from './support/project.ts';
import { type Answer, assertDenied, assertRefused, assertStatus, request } from './support/request.ts';
import { startTestService, type TestService, type TestUser } from './support/testService.ts';

/** Each mark is sorted among all that follow the same letter, which takes the square of their number. */
const MARKS = '\u0301\u0316'.repeat(300_000);
const HOUR = 3_600_000;

describe('signing in with what is meant to hold the service up', () => {
  let now = Date.now();
  let service: TestService;

  before(async () => {
    service = await startTestService({ clock: () => now });
    const password = await hashPassword(`a${'\u0301\u0316'.repeat(500)}`);
    await service.running.database.write((tx) => addUser(tx, { name: 'Ada', email: 'ada@example.org', password }, now));
  });
  after(() => service.stop());
  beforeEach(() => {
    now += HOUR;
  });

  const url = () => `${service.url}/services/v3/tokens/active`;
  const post = (body: string) =>
    request(url(), { method: 'POST', body, headers: { 'Content-Type': 'application/x-www-form-urlencoded' } });
  const form = (username: string, password: string) => post(new URLSearchParams({ username, password }).toString());
  const basic = (username: string, password: string) =>
    request(url(), {
      headers: { Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` },
    });

  /** Sends the same until its sender has to wait, which comes after five attempts. */
  async function assertCounted(attempt: () => Promise<Answer>, status: number, sentence: RegExp): Promise<void> {
    for (let times = 0; times < 5; times += 1) assertRefused(await attempt(), status, sentence);
    assertRefused(await attempt(), 429, /Too many attempts/);
    assertRefused(await basic('ada@example.org', 'a guess'), 429, /Too many attempts/);
  }

  it('is refused for a long password or name, before anything is done with it, and counted', async () => {
    const limit = /at most 1,024 characters/;
    await assertCounted(() => form('ada@example.org', `a${MARKS.slice(0, 8_000)}`), 422, limit);
    now += HOUR;
    await assertCounted(() => form('ada@example.org', `a${MARKS}`), 413, /too long/);
    now += HOUR;
    await assertCounted(() => form(`a${MARKS.slice(0, 8_000)}`, 'secret'), 422, limit);
    now += HOUR;
    await assertCounted(() => basic('ada@example.org', 'a'.repeat(1_025)), 422, limit);
  });

  it('is not refused for a password that is as long as one may be', async () => {
    assertStatus(await form('ada@example.org', `a${'\u0316\u0301'.repeat(500)}`), 200);
    assertDenied(await form('ada@example.org', 'a'.repeat(1_024)), /Wrong username or password/);
    assertDenied(await basic('a'.repeat(1_024), 'secret'), /Wrong username or password/);
  });

  it('is refused for a form of many parameters, before one is read, and counted', async () => {
    await assertCounted(() => post('a&'.repeat(2_000_000)), 413, /too long/);
    now += HOUR;
    await assertCounted(() => post('a&'.repeat(20_000)), 400, /too many parameters/);
  });

  it('is counted when it brings nothing to sign in with, and not when it brings nothing at all', async () => {
    for (let times = 0; times < 5; times += 1) assertDenied(await post('username=ada@example.org'), /Sign in with/);
    assertRefused(await post('username=ada@example.org'), 429, /Too many attempts/);
    now += HOUR;
    for (let times = 0; times < 10; times += 1) assertDenied(await request(url()), /Sign in with/);
  });
});

describe('numbers, dates and claims', () => {
  let service: TestService;
  let ada: TestUser;
  let project: string;
  let story: string;

  before(async () => {
    service = await startTestService();
    ada = await service.user('Ada');
    const projectId = await newProject(ada);
    project = `/projects/${projectId}`;
    story = `${project}/stories/${await newStory(ada, projectId, 'Buoys')}`;
  });
  after(() => service.stop());

  const LENGTH = 600_000;
  const LONG: Readonly<Record<string, string>> = {
    'digits and a letter': `${'1'.repeat(LENGTH)}x`,
    digits: '1'.repeat(LENGTH),
    space: ' '.repeat(LENGTH),
    'space around a number': `${' '.repeat(LENGTH / 2)}1${' '.repeat(LENGTH / 2)}`,
    marks: `1${MARKS}`,
  };
  const STORY = ['estimate', 'project_id', 'integration_id', 'deadline', 'created_at', 'accepted_at'];
  const TASK = ['complete', 'position'];
  const PROJECT = [
    ...['iteration_length', 'initial_velocity', 'number_of_done_iterations_to_show', 'start_date', 'point_scale'],
    ...['no_owner', 'enable_tasks', 'allow_attachments', 'use_https', 'commit_mode', 'velocity_scheme'],
    'bugs_and_chores_are_estimatable',
  ];

  for (const [kind, long] of Object.entries(LONG)) {
    it(`are refused when they are hundreds of thousands of characters of ${kind}`, async () => {
      const refused = async (name: string, answer: Promise<Answer>) => {
        const { status, text } = await answer;
        assert.ok(status === 400 || status === 422, `${name}: ${status}`);
        assert.ok(text.length < 1_000, `${name} is told whole`);
      };
      for (const name of STORY) {
        const accepted = '<story_type>release</story_type><current_state>accepted</current_state>';
        await refused(name, ada.put(story, `<story>${accepted}<${name}>${long}</${name}></story>`));
      }
      for (const name of TASK) {
        await refused(
          name,
          ada.post(`${story}/tasks`, `<task><description>a</description><${name}>${long}</${name}></task>`),
        );
      }
      for (const name of PROJECT) {
        await refused(name, ada.post('/projects', `<project><name>a</name><${name}>${long}</${name}></project>`));
      }
      await refused('a parameter', ada.put(story, `story[estimate]=${encodeURIComponent(long.slice(0, LENGTH / 2))}`));
      await refused('JSON', ada.put(story, JSON.stringify({ story: { estimate: long } })));
    });

    it(`are refused in a query when they are thousands of characters of ${kind}`, async () => {
      const value = encodeURIComponent(long.slice(0, 5_000)).slice(0, 12_000).replace(/%\w?$/, '');
      for (const path of [
        `${project}/stories?limit=${value}`,
        `${project}/stories?offset=${value}`,
        `${project}/iterations?offset=${value}`,
        `${project}/activities?newer_than_version=${value}`,
        `/activities?limit=${value}`,
        `/activities?occurred_since_date=2026/01/01${value}`,
      ]) {
        assertRefused(await ada.get(path), 400, /must be a/);
      }
      assertRefused(await ada.post(`${story}/moves?move[move]=after&move[target]=${value}`), 400, /must be the id/);
      assertStatus(await ada.get(`${project}/stories/${value}`), 404);
    });
  }

  it('are taken in as many characters as a long one has', async () => {
    assertStatus(await ada.put(story, `<story><estimate>${' '.repeat(30)}3${' '.repeat(33)}</estimate></story>`), 200);
    assertStatus(await ada.get(`${project}/stories?limit=${'+'.repeat(60)}3`), 200);
  });
});

describe('forms and JSON', () => {
  let service: TestService;
  let ada: TestUser;
  let stories: string;

  before(async () => {
    service = await startTestService();
    ada = await service.user('Ada');
    stories = `/projects/${await newProject(ada)}/stories`;
  });
  after(() => service.stop());

  it('have so many parameters, those of the query counted in', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => `a${index}=`).join('&');
    assertStatus(await ada.post(`${stories}?story[name]=Buoys`, many(4_095)), 200);
    for (const [query, body] of [
      ['?story[name]=Buoys', many(4_096)],
      [`?${many(1_000)}`, many(3_097)],
      ['', 'story[name]=a'.concat('&'.repeat(4_096))],
    ]) {
      assertRefused(await ada.post(`${stories}${query}`, body), 400, /too many parameters: send at most 4,096/);
    }
    assertRefused(await ada.get(`${stories}?${'&'.repeat(4_096)}`), 400, /too many parameters/);
    const hook = { method: 'POST', body: 'a&'.repeat(2_000_000) };
    const posted = await request(`${service.url}/services/v3/github_commits?token=${ada.token}`, hook);
    assertRefused(posted, 400, /too many parameters/);
  });

  it('are refused when a name has more brackets than a story has depths', async () => {
    for (const name of [
      `story${'['.repeat(2_000_000)}`,
      `story${']'.repeat(2_000_000)}`,
      `story[${'a'.repeat(5_000)}]`,
    ]) {
      assertRefused(await ada.post(stories, `${name}=1`), 400, /name of a parameter|nested too deeply/);
    }
  });

  it('hold plus signs for spaces, however many', async () => {
    const spaces = '+'.repeat(1_000_000);
    assertRefused(await ada.post(stories, `story[name]=a&story[description]=b${spaces}`), 422, /100,000 characters/);
    assertStatus(await ada.post(stories, 'story[name]=a+b%2Bc'), 200);
    assert.match((await ada.get(stories)).text, /<name>a b\+c<\/name>/);
  });

  it('are refused before they fill the memory: deep and wide JSON', async () => {
    const deep = `{"story":${'['.repeat(2_000_000)}`;
    assertRefused(await ada.post(stories, deep), 400, /nested too deeply/);
    assertRefused(await ada.post(stories, `{"story":{"labels":[${'1,'.repeat(1_000_000)}1]}}`), 400, /too many values/);
    const hook = (body: string) =>
      request(`${service.url}/services/v3/github_commits?token=${ada.token}`, { method: 'POST', body });
    assertRefused(await hook(`{"commits":${'['.repeat(2_000_000)}`), 400, /nested too deeply/);
    assertRefused(await hook(`{"commits":[${'{},'.repeat(1_000_000)}{}]}`), 400, /too many values/);
    assertRefused(await hook(`payload={"commits":[${'{},'.repeat(1_000_000)}{}]}`), 400, /too many values/);
    assertStatus(await ada.post(stories, '{"story":{"name":"a \\"[[[{{{ b\\\\"}}'), 200);
  });
});
