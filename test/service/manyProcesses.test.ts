import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { addMember, newBacklog, newProject, newStory, storyNames } from './support/project.ts';
import { assertStatus, texts } from './support/request.ts';
import { runService, type ServiceProcess, serveProcess } from './support/serviceProcess.ts';
import { type TestUser, temporaryFolder, userOf } from './support/testService.ts';

const PROCESSES = 3;
const NAMES = [...'ABCDEFGHIJ'];

describe('three processes on the same data', () => {
  let folder: string;
  let processes: readonly ServiceProcess[];
  let users: readonly TestUser[];
  let ada: TestUser;

  before(async () => {
    folder = await temporaryFolder();
    processes = await Promise.all(Array.from({ length: PROCESSES }, () => serveProcess(['--data', folder])));
    users = await usersCalled('Ada');
    ada = userAt(0);
  });
  after(async () => {
    assert.deepEqual(await Promise.all(processes.map(({ end }) => end('SIGTERM'))), [0, 0, 0]);
    await rm(folder, { recursive: true, force: true });
  });

  /** One new user, as they reach each process. */
  async function usersCalled(name: string): Promise<readonly TestUser[]> {
    const email = `${name.toLowerCase()}@example.org`;
    const added = await runService(['user', 'add', '--name', name, '--email', email, '--data', folder]);
    const token = added.stdout.trim().split('\n').at(-1) ?? '';
    return processes.map(({ url }) => userOf(url, name, email, token));
  }

  function userAt(index: number): TestUser {
    const user = users[index % PROCESSES];
    assert.ok(user);
    return user;
  }

  async function atOnce(count: number, work: (user: TestUser, index: number) => Promise<unknown>): Promise<void> {
    await Promise.all(Array.from({ length: count }, (_, index) => work(userAt(index), index)));
  }

  it('move stories at the same time without losing or doubling one, and agree on the order', async () => {
    const projectId = await newProject(ada);
    const ids = await newBacklog(ada, projectId, NAMES);
    await atOnce(120, async (user, index) => {
      const [story, target] = [ids[(index * 7) % ids.length], ids[(index * 3 + 1) % ids.length]];
      if (story === target) return;
      const place = index % 2 ? 'before' : 'after';
      assertStatus(
        await user.post(`/projects/${projectId}/stories/${story}/moves?move[move]=${place}&move[target]=${target}`),
        200,
      );
    });
    const orders = await Promise.all(users.map((user) => storyNames(user, projectId)));
    assert.deepEqual([...(orders[0] ?? [])].sort(), NAMES);
    for (const order of orders) assert.deepEqual(order, orders[0]);
  });

  it('move stories from project to project, both ways, so that each is in one of them with all that it has', async () => {
    const projects = [await newProject(ada), await newProject(ada, 'Gemini')] as const;
    const ids = await newBacklog(ada, projects[0], NAMES);
    const moved = new Map<number, number>();
    await atOnce(150, async (user, index) => {
      const [storyId = 0] = ids.slice((index * 7 + Math.floor(index / 10)) % ids.length);
      const [from, to] = index % 2 === 0 ? projects : [projects[1], projects[0]];
      if (index % 10 === 9) {
        const commit = `<source_commit><message>[${ids.map((id) => `#${id}`).join(' ')}]</message>`;
        assertStatus(
          await user.post('/source_commits', `${commit}<commit_id>c${index}</commit_id></source_commit>`),
          200,
        );
        return;
      }
      const body = `<story><project_id>${to}</project_id><labels>a,b${index % 3}</labels></story>`;
      const answer = await user.put(`/projects/${from}/stories/${storyId}`, body);
      assert.ok([200, 404].includes(answer.status), answer.text);
      if (answer.status === 200) moved.set(storyId, (moved.get(storyId) ?? 0) + 1);
    });
    const lists = await Promise.all(
      users.map(async (user) => Promise.all(projects.map((id) => user.get(`/projects/${id}/stories`)))),
    );
    const inLists = (lists[0] ?? []).map((list) => texts(list, 'name'));
    assert.deepEqual(inLists.flat().sort(), NAMES);
    for (const list of lists)
      assert.deepEqual(
        list.map((answer) => texts(answer, 'name')),
        inLists,
      );
    for (const storyId of ids) {
      const home = projects[(moved.get(storyId) ?? 0) % 2];
      const story = await ada.get(`/projects/${home}/stories/${storyId}`);
      assertStatus(story, 200);
      assert.equal(texts(story, 'noted_at').length, 15, 'each commit once');
    }
    assert.ok(
      [...moved.values()].some((times) => times > 1),
      'some came back',
    );
  });

  it('delete, move, comment on and change the same stories, each wholly or not at all', async () => {
    const projectId = await newProject(ada);
    const ids = await newBacklog(ada, projectId, NAMES);
    const deleted = new Set<number>();
    await atOnce(120, async (user, index) => {
      const isLast = index % 20 === 19;
      const [story, other] = [
        ids[isLast ? (index - 19) / 20 : (index * 7) % ids.length],
        ids[(index * 3 + 1) % ids.length],
      ];
      const path = `/projects/${projectId}/stories/${story}`;
      const works = [
        () => user.post(`${path}/moves?move[move]=before&move[target]=${other}`),
        () => user.post(`${path}/notes`, `<note><text>${index}</text></note>`),
        () => user.put(path, `<story><labels>a${index % 3},b</labels></story>`),
        () =>
          user.put(path, `<story><current_state>${index % 2 ? 'unscheduled' : 'unstarted'}</current_state></story>`),
      ];
      const answer = await (isLast ? user.delete(path) : works[index % works.length]?.());
      assert.ok(answer && [200, 404, 422].includes(answer.status), answer?.text);
      if (isLast && answer.status === 200 && story !== undefined) deleted.add(story);
    });
    const left = ids.filter((id) => !deleted.has(id));
    const lists = await Promise.all(users.map((user) => user.get(`/projects/${projectId}/stories`)));
    const [first, ...others] = lists.map(({ text }) => text.replaceAll(/<url>.*<\/url>/g, ''));
    for (const text of others) assert.equal(text, first);
    const held = [...(first ?? '').matchAll(/<story>\s*<id type="integer">(\d+)/g)].map(([, id]) => Number(id));
    assert.deepEqual([...held].sort(ascending), left);
  });

  it('leave a project one owner when two remove each other at the same moment', async () => {
    const beas = await usersCalled('Bea');
    for (let round = 0; round < 12; round += 1) {
      const bea = beas[round % PROCESSES] ?? ada;
      const projectId = await newProject(bea);
      const [own = ''] = texts(await bea.get(`/projects/${projectId}/memberships`), 'id');
      const added = await addMember(bea, projectId, ada, 'Owner');
      const path = `/projects/${projectId}/memberships`;
      const answers = await Promise.all([
        userAt(round).delete(`${path}/${own}`),
        userAt(round + 1).delete(`${path}/${added}`),
      ]);
      const done = answers.filter(({ status }) => status === 200).length;
      assert.equal(done, 1, answers.map(({ text }) => text).join('\n'));
    }
  });

  it('make as many projects for one person in an hour as one would, and say when to try again', async () => {
    const eves = await usersCalled('Eve');
    const asked = Array.from({ length: 30 }, (_, index) =>
      eves[index % PROCESSES]?.post('/projects', `<project><name>Project ${index}</name></project>`),
    );
    const answers = await Promise.all(asked);
    const refused = answers.filter((answer) => answer?.status === 429);
    assert.deepEqual([answers.filter((answer) => answer?.status === 200).length, refused.length], [20, 10]);
    assert.equal(texts(await (eves[0] ?? ada).get('/projects'), 'account').length, 20);
    for (const answer of refused) {
      const wait = Number(answer?.headers.get('retry-after'));
      assert.ok(wait > 3_500 && wait <= 3_600, String(wait));
      assert.match(answer?.text ?? '', /at most 20 projects an hour\. Try again in \d+ s/);
    }
    assertStatus(await ada.post('/projects', '<project><name>Another’s</name></project>'), 200);
  });

  it('number activities so that who asks for newer ones never misses one', async () => {
    const projects = [await newProject(ada), await newProject(ada), await newProject(ada)];
    let isOver = false;
    const follow = async (user: TestUser): Promise<readonly number[]> => {
      const seen: number[] = [];
      for (let last = false; !last; ) {
        last = isOver;
        const answer = await user.get(`/activities?limit=100&newer_than_version=${seen.at(-1) ?? 0}`);
        seen.push(...texts(answer, 'version').map(Number).reverse());
      }
      return seen;
    };
    const first = await newest(ada);
    const following = users.map(follow);
    await atOnce(60, (user, index) => newStory(user, projects[index % projects.length] ?? 0, `Story ${index}`));
    isOver = true;
    for (const seen of await Promise.all(following)) {
      const later = seen.filter((version) => version > first);
      assert.deepEqual(
        later,
        Array.from({ length: 60 }, (_, index) => first + 1 + index),
      );
    }
  });

  it('link a commit to the stories of several projects once, whoever is told of it and how often', async () => {
    const projects = [await newProject(ada), await newProject(ada), await newProject(ada)];
    const stories = await Promise.all(projects.map((projectId) => newStory(ada, projectId, 'Linked')));
    await atOnce(24, async (user, index) => {
      const named = [0, 1, 2].map((place) => `#${stories[(place + index) % 3]}`).join(' ');
      const commit = `<message>Do [${named}]</message><author>A</author><commit_id>c${index % 4}</commit_id>`;
      assertStatus(await user.post('/source_commits', `<source_commit>${commit}</source_commit>`), 200);
    });
    for (const [index, storyId] of stories.entries()) {
      const notes = texts(await ada.get(`/projects/${projects[index]}/stories/${storyId}/notes`), 'text');
      const linked = notes.map((text) => /\bc\d\b/.exec(text)?.[0]).sort();
      assert.deepEqual(linked, ['c0', 'c1', 'c2', 'c3']);
    }
  });

  it('make one user of someone whom two projects take in at the same moment, where anyone may be added', async () => {
    assert.equal((await runService(['rule', 'set', 'adding-people', 'anyone', '--data', folder])).code, 0);
    const projects = await Promise.all(users.map((user, index) => newProject(user, `Project ${index}`)));
    const grace = { ...ada, name: 'Grace', email: 'grace@example.org' };
    await Promise.all(projects.map((projectId, index) => addMember(userAt(index), projectId, grace, 'Member')));
    for (const projectId of projects) {
      const members = await ada.get(`/projects/${projectId}/memberships`);
      assert.deepEqual(texts(members, 'email').sort(), ['ada@example.org', 'grace@example.org']);
    }
  });

  it('know at once what another one has answered, also of a project beside which others change all the time', async () => {
    const [projectId, other] = [await newProject(ada), await newProject(ada)];
    let isOver = false;
    const busy = (async () => {
      for (let index = 0; !isOver; index += 1) await newStory(userAt(index), other, `Beside ${index}`);
    })();
    const paths = [
      `/projects/${projectId}/stories`,
      `/projects/${projectId}/activities?limit=1`,
      `/projects/${projectId}`,
    ];
    const told = async () => {
      const answers = await Promise.all(users.map((user) => Promise.all(paths.map((path) => user.get(path)))));
      return answers.map((each) => each.map(({ text }) => text.replaceAll(/<url>.*<\/url>/g, '')).join());
    };
    for (let index = 0; index < 6; index += 1) {
      const [before] = [...(await told()), ...(await told())];
      await newStory(userAt(index), projectId, `Seen ${index}`, `<labels>${index}</labels>`);
      const [first, ...others] = [...(await told()), ...(await told())];
      assert.notEqual(first, before);
      for (const text of others) assert.equal(text, first);
    }
    isOver = true;
    await busy;
  });

  it('know at once what another one has answered', async () => {
    const projectId = await newProject(ada);
    for (let index = 0; index < 30; index += 1) {
      await newStory(userAt(index), projectId, `Seen ${index}`);
      const names = await storyNames(userAt(index + 1), projectId);
      assert.equal(names.length, index + 1);
    }
  });
});

async function newest(user: TestUser): Promise<number> {
  return Number(texts(await user.get('/activities?limit=1'), 'version')[0] ?? 0);
}

function ascending(one: number, other: number): number {
  return one - other;
}
