import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { text } from 'node:stream/consumers';
import { hashPassword } from '../../src/service/auth/password.ts';
import { addUser } from '../../src/service/store/people/users.ts';
import { addIntegration } from '../../src/service/store/projects/projectParts.ts';
import { type Answer, assertStatus, idOf, textOf, texts } from './support/request.ts';
import { startTestService, type TestService } from './support/testService.ts';

/** A value or what nests in it, as scripts hand it to their HTTP library. */
interface Fields {
  readonly [name: string]: string | readonly string[] | Fields;
}

/** `{ story: { name, labels } }` as `story[name]=…&story[labels][]=…`. */
function pairsOf(fields: Fields, nameOf = (name: string) => name): [string, string][] {
  return Object.entries(fields).flatMap(([name, value]): [string, string][] => {
    const key = nameOf(name);
    if (typeof value === 'string') return [[key, value]];
    if (isList(value)) return value.map((item) => [`${key}[]`, item]);
    return pairsOf(value, (inner) => `${key}[${inner}]`);
  });
}

function isList(value: Fields | readonly string[]): value is readonly string[] {
  return Array.isArray(value);
}

function formOf(fields: Fields): string {
  return pairsOf(fields)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value).replaceAll('%20', '+')}`)
    .join('&');
}

type Send = (method: string, path: string, fields?: Fields) => Promise<Answer>;

describe('a script that sends forms instead of XML', () => {
  let service: TestService;
  let token = '';
  let projectId = 0;
  let storyId = 0;

  before(async () => {
    service = await startTestService();
    const password = await hashPassword('correct horse');
    await service.running.database.write((tx) =>
      addUser(tx, { name: 'Ada Lovelace', email: 'ada.lovelace@example.org', password }, 0),
    );
  });
  after(() => service.stop());

  /** As the libraries of such scripts send: their own wishes, no more headers than they have to, nothing of XML. */
  async function send(method: string, target: string, headers: http.OutgoingHttpHeaders, body = ''): Promise<Answer> {
    const request = http.request(`${service.url}/services/v3${target}`, {
      method,
      headers: { Accept: '*/*; q=0.5, application/xml', 'X-TrackerToken': token, ...headers },
    });
    request.end(body);
    const [response]: http.IncomingMessage[] = await once(request, 'response');
    if (!response) throw new Error('There was no response.');
    return { status: response.statusCode ?? 0, headers: new Headers(), text: await text(response) };
  }

  const inBody: Send = (method, path, fields = {}) => {
    const body = formOf(fields);
    const type = { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': Buffer.byteLength(body) };
    return send(method, path, type, body);
  };
  const inQuery: Send = (method, path, fields = {}) =>
    send(method, `${path}?${decodeURIComponent(formOf(fields)).replaceAll(' ', '%20')}`, { 'Content-Length': 0 });
  const get = (path: string) => send('GET', path, {});
  const story = () => `/projects/${projectId}/stories/${storyId}`;

  it('signs in', async () => {
    const answer = await inBody('POST', '/tokens/active', {
      username: 'ada.lovelace@example.org',
      password: 'correct horse',
    });
    assertStatus(answer, 200);
    token = textOf(answer, 'guid');
  });

  it('makes a project, with and without an owner', async () => {
    const project = await inBody('POST', '/projects', { project: { name: 'Apollo & Söhne', point_scale: '0,1,2,3' } });
    projectId = idOf(project);
    assert.deepEqual([textOf(project, 'name'), textOf(project, 'role')], ['Apollo &amp; Söhne', 'Owner']);
    const orphan = await inBody('POST', '/projects', { project: { name: 'Orphan', no_owner: 'true' } });
    assertStatus(orphan, 200);
    assert.deepEqual(texts(orphan, 'role'), []);
    assert.deepEqual(texts(await get('/projects'), 'account').length, 1);
  });

  it('adds a member who is a user already', async () => {
    await service.user('Grace Hopper');
    const person = { name: 'Grace Hopper', initials: 'GH', email: 'grace.hopper@example.org' };
    const added = await inBody('POST', `/projects/${projectId}/memberships`, {
      membership: { role: 'Member', person },
    });
    assert.deepEqual(
      ['name', 'initials', 'email', 'role'].map((name) => textOf(added, name)),
      ['Grace Hopper', 'GH', 'grace.hopper@example.org', 'Member'],
    );
  });

  it('adds stories in the body and in the query', async () => {
    const added = await inBody('POST', `/projects/${projectId}/stories`, {
      story: {
        name: 'Größe <b> & "x" 100%',
        story_type: 'feature',
        estimate: '2',
        labels: ['one', 'two words'],
        requested_by: 'Ada Lovelace',
        description: 'Two\nlines + more',
      },
    });
    storyId = idOf(added);
    assert.deepEqual(
      ['name', 'story_type', 'estimate', 'labels', 'requested_by', 'description'].map((name) => textOf(added, name)),
      ['Größe &lt;b&gt; &amp; "x" 100%', 'feature', '2', 'one,two words', 'Ada Lovelace', 'Two\nlines + more'],
    );
    const bug = await inQuery('POST', `/projects/${projectId}/stories`, {
      story: { name: 'From the query', story_type: 'bug', current_state: 'unstarted' },
    });
    assert.deepEqual([textOf(bug, 'name'), textOf(bug, 'current_state')], ['From the query', 'unstarted']);
  });

  it('changes a story, and clears with what is empty', async () => {
    const started = await inBody('PUT', story(), {
      story: { current_state: 'started', owned_by: 'Grace Hopper', labels: 'one,three' },
    });
    assert.deepEqual(
      ['current_state', 'owned_by', 'labels', 'estimate'].map((name) => textOf(started, name)),
      ['started', 'Grace Hopper', 'one,three', '2'],
    );
    const cleared = await inQuery('PUT', story(), { story: { owned_by: '', labels: '' } });
    assertStatus(cleared, 200);
    assert.deepEqual([...texts(cleared, 'owned_by'), ...texts(cleared, 'labels')], []);
    assert.equal(textOf(cleared, 'current_state'), 'started');
  });

  it('is told in the same sentences what is wrong', async () => {
    const answer = await inBody('PUT', story(), { story: { estimate: '7' } });
    assertStatus(answer, 422);
    assert.match(textOf(answer, 'error'), /one of 0, 1, 2, 3/);
    assertStatus(await inBody('POST', `/projects/${projectId}/stories`, { name: 'Not in its brackets' }), 400);
  });

  it('comments, and works with tasks', async () => {
    assert.equal(
      textOf(await inBody('POST', `${story()}/notes`, { note: { text: 'Né à côté' } }), 'text'),
      'Né à côté',
    );
    const task = await inQuery('POST', `${story()}/tasks`, { task: { description: 'Brake' } });
    const done = await inBody('PUT', `${story()}/tasks/${idOf(task)}`, { task: { complete: 'true' } });
    assert.deepEqual([textOf(done, 'description'), textOf(done, 'complete')], ['Brake', 'true']);
  });

  it('links a ticket, with the choice of the integration', async () => {
    const ids: number[] = [];
    for (const name of ['Desk', 'Counter']) {
      const row = {
        projectId,
        type: 'Other',
        name,
        fieldName: 'other_id',
        fieldLabel: name,
        ticketUrl: null,
        active: 1,
      };
      ids.push(await service.running.database.write((tx) => addIntegration(tx, row)));
    }
    assertStatus(await inBody('PUT', story(), { story: { other_id: '7' } }), 422);
    const linked = await inBody('PUT', story(), { story: { other_id: '7', integration_id: String(ids[1]) } });
    assert.deepEqual([textOf(linked, 'other_id'), textOf(linked, 'integration_id')], ['7', String(ids[1])]);
  });

  it('finds stories, moves them, delivers what is finished and removes', async () => {
    const [bugId = ''] = texts(await get(`/projects/${projectId}/stories?filter=type%3Abug+state%3Aunstarted`), 'id');
    const move = { move: { move: 'before', target: String(storyId) } };
    assert.equal(String(idOf(await inBody('POST', `/projects/${projectId}/stories/${bugId}/moves`, move))), bugId);
    assert.deepEqual(texts(await get(`/projects/${projectId}/stories`), 'current_state'), ['unstarted', 'started']);
    await inBody('PUT', story(), { story: { current_state: 'finished' } });
    assert.equal(
      textOf(await inBody('PUT', `/projects/${projectId}/stories/deliver_all_finished`), 'current_state'),
      'delivered',
    );
    assert.equal(String(idOf(await inBody('DELETE', `/projects/${projectId}/stories/${bugId}`))), bugId);
  });

  it('tells of a commit', async () => {
    const commit = {
      message: `Slow down [#${storyId}]`,
      author: 'Grace',
      commit_id: 'r12',
      url: 'https://x.example/r12',
    };
    const answer = await inBody('POST', '/source_commits', { source_commit: commit });
    assert.match(textOf(answer, 'text'), /^Commit by Grace\nhttps:\/\/x\.example\/r12\n\nSlow down/);
  });

  it('may send XML under the type of a form, as command lines do by themselves', async () => {
    const body = '<story><name>Typed by hand</name></story>';
    const answer = await send(
      'POST',
      `/projects/${projectId}/stories`,
      { 'Content-Type': 'application/x-www-form-urlencoded' },
      body,
    );
    assert.equal(textOf(answer, 'name'), 'Typed by hand');
  });
});
