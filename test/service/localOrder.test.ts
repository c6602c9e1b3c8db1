import assert from 'node:assert/strict';
import { createTracker, type HttpTracker } from '../../src/client/tracker/httpTracker.ts';
import type { Tracker } from '../../src/core/ports/tracker.ts';
import { Seeded } from '../support/measures/seeded.ts';
import { Client } from '../support/replica/client.ts';
import { silentLog } from '../support/silentLog.ts';
import { fakeTracker } from '../support/trackers/fakeTracker.ts';
import { newProject, newStory } from './support/project.ts';
import { assertStatus } from './support/request.ts';
import { startTestService, type TestService, type TestUser } from './support/testService.ts';

const WEEK = 7 * 86_400_000;
const STATES = ['unscheduled', 'unstarted', 'started', 'finished', 'delivered', 'accepted', 'rejected'];

/** The tracker, and the names of what was asked of it. */
function counting(tracker: HttpTracker, asked: string[]): Tracker {
  return fakeTracker(({ method }, given) => {
    asked.push(method);
    return (tracker[method] as (...args: readonly unknown[]) => unknown).apply(tracker, [...given]);
  });
}

copyFollows('a copy of a project of the service', '');
copyFollows('a copy of a project in commit mode', '<commit_mode>true</commit_mode>');

function copyFollows(title: string, settings: string): void {
  describe(title, () => {
    let now = Date.UTC(2026, 0, 5, 9);
    const chance = new Seeded(7);
    const asked: string[] = [];
    let service: TestService;
    let ada: TestUser;
    let tracker: HttpTracker;
    let client: Client;
    let projectId: number;
    const ids: number[] = [];

    before(async () => {
      service = await startTestService({ clock: () => now });
      ada = await service.user('Ada Lovelace');
      projectId = await newProject(ada, 'Apollo', `<initial_velocity>5</initial_velocity>${settings}`);
      for (let index = 0; index < 30; index += 1)
        await add(`Story ${index}`, index % 5 === 0 ? 'unscheduled' : 'unstarted');
      tracker = createTracker({ baseUrl: service.url, token: async () => ada.token, log: silentLog });
      client = new Client({ tracker: counting(tracker, asked), now: () => now });
      await client.refresh(projectId);
    });
    after(async () => {
      client.close();
      await tracker.close();
      await service.stop();
    });

    async function add(name: string, state: string): Promise<void> {
      const fields = `<estimate>${chance.below(4)}</estimate><current_state>${state}</current_state>`;
      ids.push(await newStory(ada, projectId, name, fields));
    }

    const anyId = () => chance.of(ids) ?? 0;
    const put = async (fields: string) =>
      ada.put(`/projects/${projectId}/stories/${anyId()}`, `<story>${fields}</story>`);

    /** Refused ones are part of it: a started story does not go to the icebox. */
    async function doAnything(): Promise<void> {
      const action = chance.below(5);
      if (action === 0) await add('New', chance.of(['unscheduled', 'unstarted']) ?? '');
      else if (action === 1) await put(`<current_state>${chance.of(STATES)}</current_state>`);
      else if (action === 2) await put(`<estimate>${chance.below(4)}</estimate>`);
      else {
        const move = `move[move]=${chance.of(['before', 'after'])}&move[target]=${anyId()}`;
        await ada.post(`/projects/${projectId}/stories/${anyId()}/moves?${move}`);
      }
    }

    async function assertSame(): Promise<void> {
      const shown = await client.refresh(projectId);
      const iterations = await tracker.currentBacklog(projectId);
      assert.deepEqual(shown.iterations, iterations);
      assert.deepEqual(shown.icebox, await tracker.listStories(projectId, { filter: 'state:unscheduled' }));
    }

    it('follows whatever happens in an iteration without reading its lists again', async function () {
      this.timeout(60_000);
      asked.length = 0;
      for (let step = 0; step < 60; step += 1) {
        now += 1_000;
        for (let times = chance.below(3); times >= 0; times -= 1) await doAnything();
        await assertSame();
      }
      assert.equal(asked.filter((name) => name === 'currentBacklog').length, 0);
      assert.ok(asked.filter((name) => name === 'getStory').length > 25);
    });

    it('follows a story to another project and back, in both', async () => {
      const other = await newProject(ada, 'Gemini', `<initial_velocity>5</initial_velocity>${settings}`);
      for (const name of ['One', 'Two', 'Three'])
        await newStory(ada, other, name, '<estimate>1</estimate><current_state>unstarted</current_state>');
      await client.refresh(other);
      const isSame = async (id: number) => {
        const shown = await client.refresh(id);
        assert.deepEqual(shown.iterations, await tracker.currentBacklog(id));
        assert.deepEqual(shown.icebox, await tracker.listStories(id, { filter: 'state:unscheduled' }));
        return [...shown.iterations.flatMap(({ stories }) => stories), ...shown.icebox];
      };
      asked.length = 0;
      for (const [from, to] of [
        [projectId, other],
        [other, projectId],
      ] as const) {
        now += 1_000;
        const storyId = ids[3] ?? 0;
        const moved = `<story><project_id>${to}</project_id><name>Traveller ${to}</name></story>`;
        assertStatus(await ada.put(`/projects/${from}/stories/${storyId}`, moved), 200);
        assert.ok((await isSame(to)).some(({ id, name }) => id === storyId && name === `Traveller ${to}`));
        assert.equal(
          (await isSame(from)).some(({ id }) => id === storyId),
          false,
        );
      }
      assert.equal(asked.includes('currentBacklog'), false);
    });

    it('follows a deletion, and reads the lists when the iteration is over', async () => {
      asked.length = 0;
      assertStatus(await ada.delete(`/projects/${projectId}/stories/${ids.pop()}`), 200);
      await assertSame();
      assert.equal(asked.includes('currentBacklog'), false);
      now += WEEK;
      await assertSame();
      assert.equal(asked.includes('currentBacklog'), true);
    });
  });
}
