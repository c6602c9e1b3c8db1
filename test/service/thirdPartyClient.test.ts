import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import http from 'node:http';
import https from 'node:https';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { hashPassword } from '../../src/service/auth/password.ts';
import { addIntegration } from '../../src/service/store/projects/projectParts.ts';
import { startTestService, type TestService, type TestUser } from './support/testService.ts';

type Callback = (error: unknown, data: unknown) => void;
type Call = (...args: readonly unknown[]) => void;

/** The client as published: callbacks last, answers as plain objects. */
type Pivotal = Readonly<Record<string, Call>>;

const pivotal: Pivotal = createRequire(import.meta.url)('pivotal');

/** A published client of version 3, unchanged; only where its requests go, and the name of its header. */
for (const header of ['X-TrackerToken', 'X-ServiceToken']) {
  describe(`the npm client "pivotal" with ${header}`, () => {
    const original = https.request;
    let service: TestService;
    let ada: TestUser;
    let projectId: string;
    let storyId: string;

    before(async () => {
      service = await startTestService();
      ada = await service.user('Ada Lovelace');
      redirect(service.url, header);
      pivotal.useToken?.(ada.token);
    });
    after(async () => {
      https.request = original;
      await service.stop();
    });

    const call = (name: string, ...args: readonly unknown[]): Promise<Record<string, unknown>> =>
      new Promise((resolve, reject) => {
        const done: Callback = (error, data) =>
          error ? reject(new Error(`${name}: ${JSON.stringify(error)}`)) : resolve(Object(data));
        const run = pivotal[name];
        if (!run) reject(new Error(`The client has no ${name}.`));
        run?.call(pivotal, ...args, done);
      });
    const list = (value: unknown): Record<string, unknown>[] => [value].flat().map((item) => Object(item));

    it('signs in', async () => {
      const password = await hashPassword('correct horse');
      await service.running.database.write((tx) =>
        tx.updateTable('users').set({ password }).where('name', '=', 'Ada Lovelace').execute(),
      );
      const token = await call('getToken', 'ada.lovelace@example.org', 'correct horse');
      assert.match(String(token.guid), /^[\w-]{40}$/);
    });

    it('makes and reads projects', async () => {
      await call('addProject', { name: 'Nobody’s', iteration_length: 2 });
      const project = await call('addProject', { name: 'Apollo & Söhne', no_owner: false });
      projectId = String(project.id);
      assert.equal(project.name, 'Apollo & Söhne');
      assert.deepEqual(
        list((await call('getProjects')).project).map(({ id }) => id),
        [projectId],
      );
      assert.equal((await call('getProject', projectId)).week_start_day, 'Monday');
    });

    it('makes, reads and removes memberships of those who are users', async () => {
      const { email } = await service.user('Grace Hopper');
      const person = { name: 'Grace Hopper', initials: 'GH', email };
      const added = await call('addMembership', projectId, { role: 'Member', person });
      assert.equal(list((await call('getMemberships', projectId)).membership).length, 2);
      assert.deepEqual(Object((await call('getMembership', projectId, added.id)).person), {
        email,
        name: 'Grace Hopper',
        initials: 'GH',
      });
      assert.equal((await call('removeMembership', projectId, added.id)).id, added.id);
    });

    it('makes, finds, changes, moves and removes stories', async () => {
      const data = {
        name: 'Größe <b> & "x"',
        story_type: 'feature',
        estimate: 2,
        labels: 'a,b',
        current_state: 'unstarted',
      };
      const story = await call('addStory', projectId, data);
      storyId = String(story.id);
      assert.deepEqual([story.name, story.estimate, story.labels], [data.name, '2', 'a,b']);
      const other = await call('addStory', projectId, { name: 'Other', story_type: 'bug', current_state: 'unstarted' });
      assert.equal((await call('getStory', projectId, storyId)).name, data.name);
      const found = await call('getStories', projectId, { limit: 5, filter: 'type:bug' });
      assert.deepEqual(
        list(found.story).map(({ id }) => id),
        [other.id],
      );
      assert.deepEqual((await call('getStories', projectId, { filter: 'label:none' })).story, []);
      await call('moveStory', projectId, other.id, { target: storyId, move: 'before' });
      const ordered = list((await call('getStories', projectId, {})).story).map(({ id }) => id);
      assert.deepEqual(ordered, [other.id, storyId]);
      const changed = await call('updateStory', projectId, storyId, { current_state: 'finished', description: 'Done' });
      assert.deepEqual([changed.current_state, changed.description], ['finished', 'Done']);
      await call('deliverAllFinishedStories', projectId);
      assert.equal((await call('getStory', projectId, storyId)).current_state, 'delivered');
      assert.equal((await call('removeStory', projectId, other.id)).id, other.id);
    });

    it('links a ticket as it knows to', async () => {
      const integration = { type: 'Other', name: 'Desk', fieldName: 'other_id', fieldLabel: 'Ticket' };
      const id = await service.running.database.write((tx) =>
        addIntegration(tx, { ...integration, projectId: Number(projectId), ticketUrl: null, active: 1 }),
      );
      const linked = await call('updateStory', projectId, storyId, { other_id: 7, integration_id: id });
      assert.deepEqual([linked.other_id, linked.integration_id], ['7', String(id)]);
    });

    it('comments, and works with tasks', async () => {
      assert.equal((await call('addStoryComment', projectId, storyId, 'Né à côté')).text, 'Né à côté');
      const task = await call('addTask', projectId, storyId, { description: 'First' });
      assert.equal((await call('getTask', projectId, storyId, task.id)).description, 'First');
      assert.equal(list((await call('getTasks', projectId, storyId)).task).length, 1);
      const done = await call('updateTask', projectId, storyId, task.id, { complete: true });
      assert.equal(done.complete, 'true');
      assert.equal((await call('removeTask', projectId, storyId, task.id)).id, task.id);
    });

    it('attaches bytes at hand and a file', async () => {
      const path = join(service.folder, 'on disk.txt');
      await writeFile(path, 'from the disk');
      const files = [
        { name: 'at hand.txt', data: Buffer.from('at hand') },
        { name: 'on disk.txt', path },
      ];
      for (const file of files) {
        assert.equal((await call('addStoryAttachment', projectId, storyId, file)).status, 'Pending');
      }
      const story = await call('getStory', projectId, storyId);
      assert.deepEqual(
        list(Object(story.attachments).attachment).map(({ filename, size }) => [filename, size]),
        [
          ['at hand.txt', '7'],
          ['on disk.txt', '13'],
        ],
      );
    });

    it('reads iterations and activity', async () => {
      for (const name of ['getDoneIterations', 'getBacklogIterations', 'getIterations']) {
        await call(name, projectId, { limit: 3, offset: 0 });
      }
      for (const name of ['getCurrentIteration', 'getCurrentBacklogIterations']) {
        const { iteration } = await call(name, projectId);
        assert.equal(Object(list(iteration)[0]).number, '1', name);
      }
      assert.equal(list((await call('getActivities', { limit: 3 })).activity).length, 3);
      const feed = await call('getProjectActivities', projectId, { newer_than_version: 0, limit: 100 });
      assert.equal(list(feed.activity).at(-1)?.event_type, 'story_create');
    });
  });
}

/** Sends what goes to any https host to the service, under the header name of the test. */
function redirect(url: string, header: string): void {
  const { hostname, port } = new URL(url);
  const request = (options: https.RequestOptions, onAnswer: (answer: http.IncomingMessage) => void) => {
    const { 'X-TrackerToken': token, Host: _, ...headers } = Object(options.headers);
    const { path, method } = options;
    return http.request({ hostname, port, path, method, headers: { ...headers, [header]: token } }, onAnswer);
  };
  Object.assign(https, { request });
}
