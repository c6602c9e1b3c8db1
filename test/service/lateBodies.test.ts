import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { hashPassword } from '../../src/service/auth/password.ts';
import type { Tx } from '../../src/service/store/database.ts';
import { addUser, deleteUser, setPassword, userByEmail } from '../../src/service/store/people/users.ts';
import { addMember } from '../../src/service/store/projects/memberships.ts';
import { type EndpointName, endpoints } from '../../src/v3/endpoints.ts';
import { newIntegration, newProject, newStory } from './support/project.ts';
import { rawHead } from './support/raw.ts';
import { assertDenied, assertStatus, idOf, request } from './support/request.ts';
import { startTestService, type TestService, type TestUser } from './support/testService.ts';

type Name = Exclude<EndpointName, `list${string}` | `get${string}` | `remove${string}` | `delete${string}`>;

/** A body for each endpoint that reads one and stands on a token. */
const BODIES: Readonly<Partial<Record<Name, string>>> = {
  createProject: '<project><name>Late</name></project>',
  addMembership: '<membership><role>Viewer</role><person><email>bea@example.org</email></person></membership>',
  updateProject: '<project><name>Late</name></project>',
  updateMembership: '<membership><role>Owner</role></membership>',
  addIntegration: '<integration><name>Late</name></integration>',
  updateIntegration: '<integration><name>Late</name></integration>',
  createStory: '<story><name>Late</name></story>',
  updateStory: '<story><name>Late</name></story>',
  moveStory: 'move[move]=after&move[target]=OTHER',
  addNote: '<note><text>Late</text></note>',
  addTask: '<task><description>Late</description></task>',
  updateTask: '<task><description>Late</description></task>',
  uploadAttachment: '--b\r\nContent-Disposition: form-data; name="Filedata"; filename="late"\r\n\r\nLate\r\n--b--\r\n',
  importNewProject: 'Id,Title\n7,Late\n',
  importStories: 'Id,Title\n8,Late\n',
  postSourceCommit:
    '<source_commit><message>[#STORY] Late</message><author>A</author><commit_id>1</commit_id></source_commit>',
  postHostedCommits: '{"commits":[{"id":"1","message":"[#STORY] Late"}]}',
};
/** Those that make a project, which anyone with a token may do. */
const MAKING: readonly string[] = ['createProject', 'importNewProject'];
const WITHOUT_TOKEN_OR_BODY: readonly string[] = ['postActiveToken', 'deliverAllFinished'];

describe('a body that ends after its sender was sent away', () => {
  let service: TestService;
  let ada: TestUser;
  let ids: Readonly<Record<string, number>>;
  let senders = 0;

  before(async () => {
    service = await startTestService();
    ada = await service.user('Ada');
    await service.user('Bea');
    const projectId = await newProject(ada);
    const storyId = await newStory(ada, projectId, 'Buoys');
    const task = await ada.post(
      `/projects/${projectId}/stories/${storyId}/tasks`,
      '<task><description>a</description></task>',
    );
    ids = {
      ...{ projectId, storyId, taskId: idOf(task), other: await newStory(ada, projectId, 'Beacons') },
      membershipId: idOf(await ada.get(`/projects/${projectId}/memberships`)),
      integrationId: await newIntegration(ada, projectId),
    };
  });
  after(() => service.stop());

  /** An owner of the project, who is about to send. */
  async function sender(): Promise<TestUser> {
    senders += 1;
    const user = await service.user(`Sender ${senders}`);
    // Behind the API, which lets an owner add only so many people an hour.
    await service.running.database.write(async (tx) => {
      const { id = 0 } = (await userByEmail(tx, user.email)) ?? {};
      await addMember(tx, ids.projectId ?? 0, id, 'Owner');
    });
    return user;
  }

  const sendAway = {
    revoke: (tx: Tx, id: number) => tx.deleteFrom('tokens').where('userId', '=', id).execute(),
    remove: deleteUser,
    demote: (tx: Tx, id: number) =>
      tx.updateTable('memberships').set({ role: 'Viewer' }).where('userId', '=', id).execute(),
  };

  /** Sends the head of a request, and its body when the service has asked for it and `between` is done; gives the status. */
  async function sendLate(name: EndpointName, user: TestUser, between: () => Promise<unknown>): Promise<number> {
    const { method, path } = endpoints[name];
    const target = `/services/v3${path.replace(/:(\w+)/g, (_, key: string) => String(ids[key]))}`;
    const body = (BODIES[name as Name] ?? '').replace('OTHER', String(ids.other)).replace('STORY', String(ids.storyId));
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname).setEncoding('utf8');
    const type = name === 'uploadAttachment' ? ['Content-Type: multipart/form-data; boundary=b'] : [];
    socket.write(
      rawHead(
        `${method} ${target}?token=${user.token}&project_name=Late HTTP/1.1`,
        ...['Host: localhost', `X-ServiceToken: ${user.token}`, `Content-Length: ${body.length}`, ...type],
        ...['Expect: 100-continue', 'Connection: close'],
      ),
    );
    const [first] = await once(socket, 'data');
    assert.match(String(first), /^HTTP\/1\.1 100 Continue/, name);
    await between();
    let text = String(first).replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '');
    socket.on('data', (more) => {
      text += more;
    });
    socket.write(body);
    await once(socket, 'close');
    return Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]);
  }

  /** What a write leaves behind. */
  function written() {
    return service.running.database.read(async (tx) => ({
      activities: (await tx.selectFrom('activities').select('id').execute()).length,
      projects: (await tx.selectFrom('projects').select('id').execute()).length,
      notes: (await tx.selectFrom('notes').select('id').execute()).length,
      tasks: await tx.selectFrom('tasks').select('description').execute(),
      files: await readdir(join(service.folder, 'attachments')),
    }));
  }

  it('is told of here for every endpoint that takes one', () => {
    const names = Object.entries(endpoints).flatMap(([name, { method }]) =>
      method === 'POST' || method === 'PUT' ? [name] : [],
    );
    assert.deepEqual([...Object.keys(BODIES), ...WITHOUT_TOKEN_OR_BODY].sort(), names.sort());
  });

  for (const name of Object.keys(BODIES) as Name[]) {
    it(`changes nothing: ${name}`, async () => {
      for (const [what, status] of [
        ['revoke', 401],
        ['remove', 401],
        ['demote', MAKING.includes(name) ? 200 : 403],
      ] as const) {
        const user = await sender();
        const before = await written();
        assert.equal(
          await sendLate(name, user, async () => {
            await service.running.database.write(async (tx) =>
              sendAway[what](tx, (await userByEmail(tx, user.email))?.id ?? 0),
            );
          }),
          status,
          what,
        );
        if (status !== 200) assert.deepEqual(await written(), before, what);
      }
      const user = await sender();
      assert.equal(await sendLate(name, user, async () => undefined), 200);
    });
  }

  it('signs nobody in whose password was changed, or who was removed, while it was compared', async () => {
    const url = `${service.url}/services/v3/tokens/active`;
    const password = await hashPassword('correct horse');
    const other = await hashPassword('another horse');
    for (const change of [setPassword, deleteUser]) {
      const { database } = service.running;
      const { id } = await database.write((tx) => addUser(tx, { name: 'Bo', email: 'bo@example.org', password }, 0));
      const headers = { Authorization: `Basic ${Buffer.from('bo@example.org:correct horse').toString('base64')}` };
      assertStatus(await request(url, { headers }), 200);
      const tokens = () =>
        database.read((tx) => tx.selectFrom('tokens').select('id').where('userId', '=', id).execute());
      const before = (await tokens()).length;
      // One password is derived at a time: the one to compare waits behind these.
      const ahead = Array.from({ length: 20 }, () => hashPassword('a horse ahead'));
      const signingIn = request(url, { headers });
      const attempts = () => database.read((tx) => tx.selectFrom('signInFailures').select('key').execute());
      while ((await attempts()).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      await database.write((tx) => change(tx, id, other, 0));
      assertDenied(await signingIn, /Wrong username or password/);
      await Promise.all(ahead);
      assert.ok((await tokens()).length <= before);
      await database.write((tx) => deleteUser(tx, id));
    }
  }).timeout(120_000);
});
