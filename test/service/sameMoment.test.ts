import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { acceptInvitation, makeInvitation } from '../../src/service/auth/invitations.ts';
import { hashPassword } from '../../src/service/auth/password.ts';
import { beginSession, sessionOf } from '../../src/service/auth/sessions.ts';
import type { ServiceEvent } from '../../src/service/ground/background.ts';
import { mintToken } from '../../src/service/store/people/tokens.ts';
import { addUser, setPassword, userByEmail } from '../../src/service/store/people/users.ts';
import { eventually } from '../support/eventually.ts';
import { Browser, keyIn } from './support/browser.ts';
import { addMember, newProject, newStory } from './support/project.ts';
import { type Answer, assertStatus, idOf, request, textOf, texts } from './support/request.ts';
import { startTestService, type TestService, type TestUser } from './support/testService.ts';

const PASSWORD = 'nine green bottles';
const ROUNDS = 8;

describe('what several people do at the same moment', function () {
  this.timeout(120_000);
  let service: TestService;
  let ada: TestUser;
  let vera: TestUser;
  const mistakes: ServiceEvent[] = [];

  before(async () => {
    const log = (event: ServiceEvent): void => void (event.event === 'error' && mistakes.push(event));
    service = await startTestService({ log });
    ada = await service.user('Ada');
    vera = await service.user('Vera');
  });
  after(async () => {
    await service.stop();
    assert.deepEqual(mistakes, []);
  });

  const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status).toSorted();
  const owners = async (projectId: number): Promise<number> => {
    const { database } = service.running;
    const rows = await database.read((tx) =>
      tx.selectFrom('memberships').select('role').where('projectId', '=', projectId).execute(),
    );
    return rows.filter(({ role }) => role === 'Owner').length;
  };
  async function ownedByTwo(): Promise<{ readonly path: string; readonly projectId: number; readonly ids: number[] }> {
    const { database } = service.running;
    await database.write((tx) => tx.deleteFrom('recentUses').execute());
    const projectId = await newProject(ada);
    const veras = await addMember(ada, projectId, vera, 'Owner');
    const path = `/projects/${projectId}/memberships`;
    return { path, projectId, ids: [idOf(await ada.get(path)), veras] };
  }
  const newPerson = async (name: string): Promise<{ readonly id: number; readonly email: string }> => {
    const email = `${name}@example.org`;
    const { id } = await service.running.database.write((tx) => addUser(tx, { name: email, email }, Date.now()));
    return { id, email };
  };

  it('leaves a project an owner, whoever leaves, is demoted or removed', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { path, projectId, ids } = await ownedByTwo();
      const [own = 0, other = 0] = ids;
      const demote = '<membership><role>Viewer</role></membership>';
      const deeds: readonly (() => Promise<Answer>)[] = [
        () => ada.delete(`${path}/${own}`),
        () => vera.delete(`${path}/${other}`),
        () => ada.put(`${path}/${other}`, demote),
        () => vera.put(`${path}/${own}`, demote),
        () => vera.delete(`${path}/${own}`),
        () => ada.put(`${path}/${own}`, demote),
      ];
      const answers = await Promise.all(deeds.slice(round % 3, (round % 3) + 4).map((deed) => deed()));
      for (const { status, text } of answers) assert.ok([200, 403, 404, 422].includes(status), text);
      assert.ok((await owners(projectId)) >= 1, JSON.stringify(statuses(answers)));
    }
  });

  it('lets one of those who follow the links of one person set the password', async () => {
    const { database } = service.running;
    const password = await hashPassword(PASSWORD);
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id } = await newPerson(`eve${round}`);
      const wanted = { userId: id, projectId: null, invitedBy: null, handedToId: null };
      const { token } = await database.write((tx) => makeInvitation(tx, wanted, Date.now()));
      const accept = (name: string) =>
        database.write(async (tx) => {
          const user = await acceptInvitation(tx, token, { password, name }, Date.now());
          return user && beginSession(tx, user.id, name, Date.now());
        });
      const sessions = await Promise.all(['Eve', 'Mallory', 'Trudy', 'Sybil'].map(accept));
      const begun = sessions.flatMap((session) => session ?? []);
      assert.equal(begun.length, 1);
      assert.ok(await database.read((tx) => sessionOf(tx, begun[0] ?? '', Date.now())));
    }
  });

  it('signs nobody in with a password that was replaced', async () => {
    const { database } = service.running;
    const [old, next] = [await hashPassword(PASSWORD), await hashPassword('ten green bottles')];
    for (let round = 0; round < ROUNDS; round += 1) {
      const { id, email } = await newPerson(`sue${round}`);
      await database.write((tx) => setPassword(tx, id, old, Date.now()));
      const browser = new Browser(service.url);
      const signIn = browser.post('/account', { do: 'signIn', email, password: PASSWORD });
      await sleep(round * 25);
      const replace = database.write(async (tx) => {
        await setPassword(tx, id, next, Date.now());
        await tx.deleteFrom('sessions').where('userId', '=', id).execute();
      });
      const [answer] = await Promise.all([signIn, replace]);
      const left = await database.read((tx) =>
        tx.selectFrom('sessions').select('id').where('userId', '=', id).execute(),
      );
      assert.deepEqual(left, [], `${answer.status} after ${round * 25} ms`);
      assert.ok([303, 422].includes(answer.status), answer.text);
      const user = await database.read((tx) => userByEmail(tx, email));
      assert.equal(user?.password, next);
    }
  });

  it('makes no token in a session that was ended, and signs out who pressed a button in one', async () => {
    const { database } = service.running;
    const { id } = await newPerson('zoe');
    const begin = () => database.write((tx) => beginSession(tx, id, 'x', Date.now()));
    const browsers = [new Browser(service.url), new Browser(service.url)] as const;
    for (const browser of browsers) browser.cookie = `story-tracker=${await begin()}`;
    const [first, second] = browsers;
    const key = keyIn(await second.get('/account'));
    await first.press('endSessions');
    const tokens = () => database.read((tx) => tx.selectFrom('tokens').select('id').where('userId', '=', id).execute());
    for (const action of ['makeToken', 'endTokens', 'endSession:1', 'leave:1', 'signOut']) {
      const answer = await second.post('/account', { key, do: action });
      assertStatus(answer, 422);
      assert.match(answer.text, /no longer signed in/);
    }
    assert.deepEqual(await tokens(), []);
    const pressed = await Promise.all([
      ...Array.from({ length: 6 }, () => first.press('makeToken')),
      first.press('endTokens'),
    ]);
    for (const { status } of pressed) assert.ok([200, 303].includes(status));
  });

  it('ends what a revoked token began: a change that waits, and an import', async () => {
    const projectId = await newProject(ada);
    const storyId = await newStory(ada, projectId, 'Land');
    const { database } = service.running;
    const { id } = await newPerson('ida');
    const token = await database.write(async (tx) => {
      await tx.insertInto('memberships').values({ projectId, userId: id, role: 'Owner' }).execute();
      return mintToken(tx, id, 'user', Date.now());
    });
    const rows = Array.from({ length: 3_000 }, (_, index) => `${index + 5_000},Story ${index},unstarted`);
    const table = ['Id,Title,Current State', ...rows].join('\n');
    const sent = request(`${service.url}/services/v3/projects/${projectId}/imports?import_id=91`, {
      ...{ method: 'POST', token, body: table },
      headers: { 'Content-Type': 'text/csv' },
    });
    await eventually(async () => assertStatus(await request(`${service.url}/services/v3/imports/91`, { token }), 200));
    await database.write((tx) => tx.deleteFrom('tokens').where('userId', '=', id).execute());
    assertStatus(await sent, 401);
    assert.equal(texts(await ada.get(`/projects/${projectId}/stories`), 'name').length, 1);
    assertStatus(await request(`${service.url}/services/v3/projects/${projectId}`, { token }), 401);
    assert.equal(textOf(await ada.get(`/projects/${projectId}/stories/${storyId}`), 'name'), 'Land');
  });

  it('imports into a project or removes it, and leaves nothing between', async () => {
    const { database } = service.running;
    for (let round = 0; round < 3; round += 1) {
      const projectId = await newProject(ada, `Gone ${round}`);
      const rows = Array.from({ length: 2_500 }, (_, index) => `${index + 1},Story ${index},unstarted`);
      const sent = request(`${service.url}/services/v3/projects/${projectId}/imports?import_id=${95 + round}`, {
        ...{ method: 'POST', token: ada.token, body: ['Id,Title,Current State', ...rows].join('\n') },
        headers: { 'Content-Type': 'text/csv' },
      });
      await eventually(async () => assertStatus(await ada.get(`/imports/${95 + round}`), 200));
      await database.write((tx) => tx.deleteFrom('projects').where('id', '=', projectId).execute());
      const answer = await sent;
      assertStatus(answer, 422);
      assert.match(answer.text, /The project was deleted in the meantime\. Nothing was imported\./);
      const left = await database.read(async (tx) => [
        ...(await tx.selectFrom('imports').select('id').execute()),
        ...(await tx
          .selectFrom('stories')
          .select('id')
          .where('projectId', 'in', [projectId, -95 - round])
          .execute()),
        ...(await tx.selectFrom('stagedStories').select('importId').execute()),
      ]);
      assert.deepEqual(left, []);
    }
  });
});
