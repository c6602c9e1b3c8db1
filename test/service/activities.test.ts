import assert from 'node:assert/strict';
import { addMember, newProject, newStory } from './support/project.ts';
import { assertNotFound, assertRefused, assertStatus, textOf, texts } from './support/request.ts';
import { startTestService, type TestService, type TestUser } from './support/testService.ts';

describe('activities', () => {
  const DAY = 86_400_000;
  let now = Date.UTC(2026, 2, 10, 12);
  let service: TestService;
  let ada: TestUser;
  let projectId: number;
  let storyId: number;

  before(async () => {
    service = await startTestService({ clock: () => now });
    ada = await service.user('Ada Lovelace');
    projectId = await newProject(ada);
    storyId = await newStory(ada, projectId, 'Land', '<estimate>1</estimate><owned_by>Ada Lovelace</owned_by>');
  });
  after(() => service.stop());

  const put = (fields: string) => ada.put(`/projects/${projectId}/stories/${storyId}`, `<story>${fields}</story>`);
  const newest = async () => (await ada.get('/activities?limit=1')).text;

  it('tell the changed fields only, with id and API address', async () => {
    await put('<current_state>accepted</current_state>');
    const url = `${service.url}/services/v3/projects/${projectId}/stories/${storyId}`;
    const text = await newest();
    assert.match(text, /<event_type>story_update<\/event_type>/);
    assert.match(text, /<description>Ada Lovelace accepted "Land"<\/description>/);
    const stories = /<stories type="array">\s*([\s\S]*?)\s*<\/stories>/.exec(text)?.[1]?.replace(/\n\s*/g, '');
    assert.equal(
      stories,
      `<story><id type="integer">${storyId}</id><url>${url}</url><current_state>accepted</current_state>` +
        '<accepted_at type="datetime">2026/03/10 12:00:00 UTC</accepted_at></story>',
    );
  });

  it('tell of a cleared field with an empty element', async () => {
    await put('<owned_by/><current_state>unstarted</current_state>');
    const text = await newest();
    assert.match(text, /<owned_by\/>/);
    assert.match(text, /<accepted_at\/>/);
    assert.match(text, /<current_state>unstarted<\/current_state>/);
  });

  it('tell of a story that is said to be older', async () => {
    await put('<created_at type="datetime">2026/01/02 03:04:05 UTC</created_at>');
    assert.match(await newest(), /<created_at type="datetime">2026\/01\/02 03:04:05 UTC<\/created_at>/);
  });

  it('are a line each, however long and of however many lines the names are', async () => {
    const other = await newProject(ada, 'Lines');
    await newStory(ada, other, `Long\n\t${'n'.repeat(300)}`);
    const told = textOf(await ada.get(`/projects/${other}/activities`), 'description');
    assert.equal(told, `Ada Lovelace added "Long ${'n'.repeat(195)}…"`);
  });

  it('say nothing of an edit that changes nothing', async () => {
    const before = await newest();
    await put('<name>Land</name>');
    assert.equal(await newest(), before);
  });

  it('tell of everything that happens to a story in words of its own', async () => {
    const path = `/projects/${projectId}/stories/${storyId}`;
    await put('<estimate>2</estimate>');
    await put('<owned_by>Ada Lovelace</owned_by>');
    await put('<name>Land softly</name>');
    await ada.post(`${path}/notes`, '<note><text>Soon?</text></note>');
    await ada.post(`${path}/tasks`, '<task><description>Brake</description></task>');
    await ada.delete(path);
    const feed = await ada.get('/activities?limit=6');
    const sentences = [...feed.text.matchAll(/^ {4}<description>(.*)<\/description>$/gm)].map((match) => match[1]);
    assert.deepEqual(
      texts(feed, 'event_type').map((type, index) => [type, sentences[index]]),
      [
        ['story_delete', 'Ada Lovelace deleted "Land softly"'],
        ['task_create', 'Ada Lovelace added task: "Brake"'],
        ['note_create', 'Ada Lovelace added comment: "Soon?" to "Land softly"'],
        ['story_update', 'Ada Lovelace edited "Land softly"'],
        ['story_update', 'Ada Lovelace made Ada Lovelace the owner of "Land"'],
        ['story_update', 'Ada Lovelace estimated "Land" as 2 points'],
      ],
    );
  });

  it('name the task, and what was done to it', async () => {
    const other = await newProject(ada, 'Tasks');
    const path = `/projects/${other}/stories/${await newStory(ada, other, 'A')}/tasks`;
    const add = (description: string) => ada.post(path, `<task><description>${description}</description></task>`);
    const task = `${path}/${textOf(await add('Brake'), 'id')}`;
    await add('Land');
    const change = (xml: string) => ada.put(task, `<task>${xml}</task>`);
    await change('<description>Brake hard</description>');
    await change('<complete>true</complete>');
    await change('<complete>false</complete>');
    await change('<position>2</position>');
    await ada.delete(task);
    const { text } = await ada.get(`/projects/${other}/activities?limit=5`);
    assert.deepEqual(
      [...text.matchAll(/<description>Ada Lovelace (.*)<\/description>/g)].map(([, told]) => told),
      [
        'deleted task: "Brake hard"',
        'moved task: "Brake hard"',
        'reopened task: "Brake hard"',
        'completed task: "Brake hard"',
        'edited task: "Brake hard"',
      ],
    );
  });

  it('come with the moment at which the story last changed, and leave it where nothing did', async () => {
    const other = await newProject(ada, 'Moments');
    const add = (name: string) => newStory(ada, other, name, '<current_state>unstarted</current_state>');
    const path = `/projects/${other}/stories/${await add('A')}`;
    const target = await add('B');
    const task = () => ada.post(`${path}/tasks`, '<task><description>Brake</description></task>');
    const taskPath = `${path}/tasks/${textOf(await task(), 'id')}`;
    const file = new FormData();
    file.set('Filedata', new Blob(['x']), 'x.txt');
    const rename = () => ada.put(path, '<story><name>Renamed</name></story>');
    const move = () => ada.post(`${path}/moves?move[move]=after&move[target]=${target}`);
    const tick = () => ada.put(taskPath, '<task><complete>true</complete></task>');
    const isTold = async (change: () => Promise<unknown>) => {
      now += 60_000;
      await change();
      const at = textOf(await ada.get(path), 'updated_at');
      return at === new Date(now).toISOString().replace(/^(....)-(..)-(..)T(.{8}).*/, '$1/$2/$3 $4 UTC');
    };
    const changes = [rename, move, task, tick, () => ada.delete(taskPath)];
    const parts = [
      () => ada.post(`${path}/notes`, '<note><text>Soon</text></note>'),
      () => ada.post(`${path}/attachments`, file),
    ];
    for (const change of [...changes, ...parts]) assert.equal(await isTold(change), true, String(change));
    for (const again of [rename, move]) assert.equal(await isTold(again), false, String(again));
  });

  it('come newest first, ten at a time, and within the documented limit', async () => {
    const other = await newProject(ada, 'Many');
    for (let index = 0; index < 12; index += 1) await newStory(ada, other, `Story ${index}`);
    const feed = await ada.get(`/projects/${other}/activities`);
    assert.equal(texts(feed, 'version').length, 10);
    assert.match(textOf(feed, 'description'), /Story 11/);
    assert.equal(texts(await ada.get(`/projects/${other}/activities?limit=100`), 'version').length, 12);
    for (const limit of [0, 101, -1]) assertRefused(await ada.get(`/activities?limit=${limit}`), 422, /from 1 to 100/);
    assertRefused(await ada.get('/activities?limit=ten'), 400, /whole number/);
  });

  it('start after a version and on a date', async () => {
    const version = Number(textOf(await ada.get('/activities?limit=1'), 'version'));
    assert.deepEqual(texts(await ada.get(`/activities?newer_than_version=${version}`), 'version'), []);
    const since = await ada.get(`/activities?newer_than_version=${version - 3}&limit=2`);
    assert.deepEqual(texts(since, 'version').map(Number), [version, version - 1]);
    now += DAY;
    const other = await newProject(ada, 'Tomorrow');
    await newStory(ada, other, 'Of the next day');
    assert.equal(texts(await ada.get('/activities?occurred_since_date=2026/03/11'), 'version').length, 1);
    assert.deepEqual(texts(await ada.get('/activities?occurred_since_date=2026/03/12'), 'version'), []);
    assertStatus(await ada.get('/activities?occurred_since_date=2026/03/10&newer_than_version='), 200);
    assertRefused(await ada.get('/activities?occurred_since_date=yesterday'), 400, /date such as/);
  });

  it('start on a date in every way that published clients write one', async () => {
    const other = await newProject(ada, 'Dates');
    now = Date.UTC(2026, 3, 5, 12);
    await newStory(ada, other, 'At noon');
    const since = async (date: string) => {
      const answer = await ada.get(`/projects/${other}/activities?occurred_since_date=${date}`);
      assertStatus(answer, 200);
      return texts(answer, 'name').length;
    };
    for (const day of ['2026/4/5', '2026-4-5', '2026/04/5', '"2026/04/05"']) assert.equal(await since(day), 1, day);
    const moments = [
      ['2026/4/5%0003:59:59%20PST', '2026/4/5%0004:00:01%20PST'],
      ['"2026-04-05 12:00:00 UTC"', '"2026-04-05 12:00:01 UTC"'],
      ['%222026-04-05%2012:00:00%20UTC%22', '%222026-04-05%2012:00:01%20UTC%22'],
      ['2026/04/05 12:00:00 +00:00', '2026/04/05 12:00:01 +00:00'],
      ['2026-04-05T14:00:00+02:00', '2026-04-05T14:00:01+02:00'],
      ['2026-04-05T08:00:00-04:00', '2026-04-05T08:00:01-04:00'],
    ];
    for (const [at = '', after = ''] of moments) assert.deepEqual([await since(at), await since(after)], [1, 0], at);
    for (const none of ['2026/4/31', '2026/4', '""', '2026/04/05 12:00:00 Nowhere']) {
      const answer = await ada.get(`/activities?occurred_since_date=${none}`);
      assertRefused(answer, 400, /date such as/);
    }
  });

  it('keep to the same rules in the feed of one project', async () => {
    const other = await newProject(ada, 'One feed');
    for (const name of ['First', 'Second']) await newStory(ada, other, name);
    now += DAY;
    await newStory(ada, other, 'Third');
    await newStory(ada, await newProject(ada, 'Another'), 'Elsewhere');
    const feed = async (query: string) => {
      const answer = await ada.get(`/projects/${other}/activities?${query}`);
      assertStatus(answer, 200);
      return texts(answer, 'name');
    };
    assert.deepEqual(await feed(''), ['Third', 'Second', 'First']);
    assert.deepEqual(await feed('limit=2'), ['Third', 'Second']);
    const [third, second] = texts(await ada.get(`/projects/${other}/activities`), 'version');
    assert.deepEqual(await feed(`newer_than_version=${second}`), ['Third']);
    assert.deepEqual(await feed(`newer_than_version=${third}`), []);
    assert.deepEqual(await feed('newer_than_version=-1&limit=100'), ['Third', 'Second', 'First']);
    const today = new Date(now).toISOString().slice(0, 10);
    assert.deepEqual(await feed(`occurred_since_date=${today.replaceAll('-', '/')}`), ['Third']);
    assert.deepEqual(await feed(`occurred_since_date=${encodeURIComponent(`${today} 00:00:00 UTC`)}`), ['Third']);
    assert.deepEqual(await feed(`occurred_since_date=${today}&newer_than_version=${third}`), []);
    for (const limit of [0, 101]) {
      assertRefused(await ada.get(`/projects/${other}/activities?limit=${limit}`), 422, /from 1 to 100/);
    }
    assertRefused(await ada.get(`/projects/${other}/activities?newer_than_version=x`), 400, /whole number/);
  });

  it('of many projects are the newest of all of them, wherever those are', async () => {
    const many = await service.user('Many Projects');
    const projects: number[] = [];
    for (const name of [...'ABCDEF']) projects.push(await newProject(many, name));
    for (let index = 0; index < 30; index += 1) {
      await newStory(many, projects[(index * index) % projects.length] ?? 0, `Story ${index}`);
      if (index === 19) now += DAY;
    }
    const names = async (query: string) => texts(await many.get(`/activities?${query}`), 'name');
    const all = Array.from({ length: 30 }, (_, index) => `Story ${29 - index}`);
    for (const limit of [1, 2, 5, 7, 30, 100]) assert.deepEqual(await names(`limit=${limit}`), all.slice(0, limit));
    const versions = texts(await many.get('/activities?limit=30'), 'version');
    for (const index of [0, 1, 6, 20]) {
      assert.deepEqual(await names(`limit=100&newer_than_version=${versions[index]}`), all.slice(0, index));
      assert.deepEqual(await names(`limit=3&newer_than_version=${versions[index]}`), all.slice(0, Math.min(3, index)));
    }
    const today = new Date(now).toISOString().slice(0, 10).replaceAll('-', '/');
    assert.deepEqual(await names(`limit=100&occurred_since_date=${today}`), all.slice(0, 10));
  });

  it('on a date are found also where newer ones occurred before it', async () => {
    const two = await service.user('Two Clocks');
    const [right, slow] = [await newProject(two, 'Right'), await newProject(two, 'Slow')];
    now += DAY;
    await newStory(two, right, 'Of today');
    now -= DAY;
    await newStory(two, slow, 'Of yesterday, told later');
    now += DAY;
    const today = new Date(now).toISOString().slice(0, 10).replaceAll('-', '/');
    assert.deepEqual(texts(await two.get(`/activities?limit=1&occurred_since_date=${today}`), 'name'), ['Of today']);
  });

  it('rise over all projects and show each user their own', async () => {
    const grace = await service.user('Grace Hopper');
    const hers = await newProject(grace, 'Hers');
    await newStory(grace, hers, 'Secret');
    const version = Number(textOf(await grace.get('/activities'), 'version'));
    assert.ok(version > Number(textOf(await ada.get('/activities'), 'version')));
    assert.equal(texts(await ada.get('/activities?limit=100'), 'project_id').includes(String(hers)), false);
    assertNotFound(await ada.get(`/projects/${hers}/activities`));
    await addMember(grace, hers, ada, 'Viewer');
    assert.equal(Number(textOf(await ada.get('/activities'), 'version')), version);
  });
});
