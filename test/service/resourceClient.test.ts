import assert from 'node:assert/strict';
import { MAX_PARAMETERS } from '../../src/core/limits.ts';
import { newProject, newStory } from './support/project.ts';
import {
  type Answer,
  assertDenied,
  assertNotFound,
  assertRefused,
  assertStatus,
  idOf,
  request,
  textOf,
  texts,
} from './support/request.ts';
import { startTestService, type TestService, type TestUser } from './support/testService.ts';

/** What libraries send that know resources by their class, and write objects as XML or JSON as they are. */
describe('a client that maps its objects to resources', () => {
  let service: TestService;
  let ada: TestUser;
  let grace: TestUser;
  let projectId: number;
  let stories: string;

  before(async () => {
    service = await startTestService();
    ada = await service.user('Ada Lovelace');
    grace = await service.user('Grace Hopper');
    projectId = await newProject(ada);
    stories = `/projects/${projectId}/stories`;
  });
  after(() => service.stop());

  const call = (method: string, path: string, options: { body?: string; type?: string; token?: string } = {}) =>
    request(`${service.url}/services/v3${path}`, {
      method,
      token: options.token ?? ada.token,
      ...(options.body !== undefined && { body: options.body }),
      ...(options.type !== undefined && { headers: { 'Content-Type': options.type } }),
    });

  const fieldsOf = (answer: Answer, ...names: readonly string[]) => {
    assertStatus(answer, 200);
    return names.map((name) => texts(answer, name)[0]);
  };

  it('may end its paths with the format or with a slash', async () => {
    const id = await newStory(ada, projectId, 'Plain');
    for (const end of ['', '.xml', '/']) {
      assertStatus(await call('GET', `/projects${end}`), 200);
      assert.equal(textOf(await call('GET', `/projects/${projectId}${end}`), 'name'), 'Apollo');
      assert.equal(textOf(await call('GET', `${stories}/${id}${end}`), 'name'), 'Plain');
      assert.equal(texts(await call('GET', `${stories}${end}?filter=name`), 'name').length, 0);
      assert.match((await call('GET', `/projects/${projectId}/iterations${end}?group=current`)).text, /<number/);
      assert.ok(
        (await call('GET', `/activities${end}?occurred_since_date=2010%2F06%2F26`)).text.includes('<activity>'),
      );
      const made = await call('POST', `${stories}${end}`, { body: '<story><name>Made</name></story>' });
      assertStatus(
        await call('PUT', `${stories}/${idOf(made)}${end}`, { body: '<story><labels>x</labels></story>' }),
        200,
      );
      assertStatus(await call('DELETE', `${stories}/${idOf(made)}${end}`), 200);
    }
    for (const path of ['/projects.json', '/projects.xml/', `${stories}/${id}.xml.xml`]) {
      assertNotFound(await call('GET', path));
    }
  });

  it('may write dashes for underscores, and say nil', async () => {
    const person = `<person><email>${grace.email}</email></person>`;
    assertStatus(await ada.post(`/projects/${projectId}/memberships`, `<membership>${person}</membership>`), 200);
    const made = await call('POST', `${stories}.xml`, {
      body: `<?xml version="1.0" encoding="UTF-8"?>
<story>
  <story-type>bug</story-type>
  <name>Dashed</name>
  <requested-by>Grace Hopper</requested-by>
  <owned-by>Ada Lovelace</owned-by>
  <current-state>unstarted</current-state>
  <estimate type="integer" nil="true"></estimate>
</story>`,
    });
    assert.deepEqual(fieldsOf(made, 'story_type', 'name', 'requested_by', 'owned_by', 'current_state', 'estimate'), [
      'bug',
      'Dashed',
      'Grace Hopper',
      'Ada Lovelace',
      'unstarted',
      undefined,
    ]);
    const commit = `<source-commit><message>Slow [#${idOf(made)}]</message><commit-id>r1</commit-id></source-commit>`;
    assert.match(textOf(await call('POST', '/source_commits.xml', { body: commit }), 'text'), /r1/);
  });

  it('may send a story back whole as it was answered', async () => {
    const id = await newStory(ada, projectId, 'Whole', '<estimate>2</estimate><labels>a</labels>');
    assertStatus(await ada.post(`${stories}/${id}/notes`, '<note><text>Said</text></note>'), 200);
    const answered = (await ada.get(`${stories}/${id}`)).text;
    const dashed = answered.replace(/(<\/?)([a-z_]+)/g, (_, open, name) => open + name.replaceAll('_', '-'));
    const sent = await call('PUT', `${stories}/${id}.xml`, { body: dashed.replace('>Whole<', '>Changed<') });
    assert.deepEqual(fieldsOf(sent, 'name', 'estimate', 'labels', 'text'), ['Changed', '2', 'a', 'Said']);
    const version = textOf(await ada.get('/activities?limit=1'), 'version');
    assertStatus(await call('PUT', `${stories}/${id}.xml`, { body: dashed.replace('>Whole<', '>Changed<') }), 200);
    assert.equal(textOf(await ada.get('/activities?limit=1'), 'version'), version, 'nothing changed');
  });

  it('may ask for the head only', async () => {
    const id = await newStory(ada, projectId, 'Headed');
    for (const path of [`${stories}/${id}.xml`, stories, `/projects/${projectId}`, '/activities']) {
      const [head, whole] = [await call('HEAD', path), await call('GET', path)];
      assert.deepEqual([head.status, head.text], [200, ''], path);
      assert.ok(Number(head.headers.get('content-length')) > 0, path);
      for (const name of ['content-length', 'content-type', 'etag']) {
        assert.equal(head.headers.get(name), whole.headers.get(name), `${name} of ${path}`);
      }
    }
    assert.equal((await call('HEAD', `${stories}/${id + 1}.xml`)).status, 404);
    assert.equal((await call('HEAD', stories, { token: 'nonsense' })).status, 401);
    assert.equal((await request(`${service.url}/healthz`, { method: 'HEAD' })).status, 200);
  });

  it('may ask for the head of a file, which is not sent', async () => {
    const id = await newStory(ada, projectId, 'With a file');
    const form = new FormData();
    form.set('Filedata', new Blob(['x'.repeat(100_000)]), 'x.txt');
    const attachment = await ada.get(
      `${stories}/${id}/attachments/${idOf(await ada.post(`${stories}/${id}/attachments`, form))}`,
    );
    const url = textOf(attachment, 'url').replaceAll('&amp;', '&');
    const head = await request(url, { method: 'HEAD' });
    assert.deepEqual([head.status, head.headers.get('content-length'), head.text], [200, '100000', '']);
    assert.equal((await request(url)).text.length, 100_000);
  });

  it('may send JSON instead of XML', async () => {
    const json = (method: string, path: string, value: unknown) =>
      call(method, path, { body: JSON.stringify(value), type: 'application/json; charset=utf-8' });
    const made = await json('POST', stories, {
      story: {
        name: 'Né <b> & "x"',
        story_type: 'feature',
        estimate: 2,
        labels: ['one', 'two words'],
        owned_by: 'Ada Lovelace',
      },
    });
    assert.deepEqual(fieldsOf(made, 'name', 'story_type', 'estimate', 'labels', 'owned_by'), [
      'Né &lt;b&gt; &amp; "x"',
      'feature',
      '2',
      'one,two words',
      'Ada Lovelace',
    ]);
    const path = `${stories}/${idOf(made)}`;
    assert.deepEqual(
      fieldsOf(await json('PUT', path, { story: { owned_by: null, labels: [] } }), 'owned_by', 'labels'),
      [undefined, undefined],
    );
    const commit = { message: `Slow [#${idOf(made)}]`, author: 'Grace', commit_id: 'r2', url: 'https://x.example/r2' };
    assert.match(textOf(await json('POST', '/source_commits', { source_commit: commit }), 'text'), /^Commit by Grace/);
    const person = { name: 'Grace Hopper', initials: 'GH', email: grace.email };
    const added = await json('POST', `/projects/${projectId}/memberships`, { membership: { role: 'Viewer', person } });
    assert.deepEqual(fieldsOf(added, 'email', 'role'), [person.email, 'Viewer']);
  });

  it('is told what is wrong with its JSON', async () => {
    const json = (body: string) => call('POST', stories, { body, type: 'application/json' });
    assertRefused(await json('{"story":'), 400, /begins as JSON does and is none/);
    for (const body of ['{"name":"x"}', '{"story":[]}', '{"story":"x"}', '{"__proto__":{"story":{}}}']) {
      assertRefused(await json(body), 400, /root "story"/);
    }
    const many = Object.fromEntries(Array.from({ length: MAX_PARAMETERS }, (_, index) => [`f${index}`, 1]));
    assertRefused(await json(JSON.stringify({ story: many })), 400, /too many values/);
    assertRefused(await json(`{"story":${'{"a":'.repeat(40)}1${'}'.repeat(40)}}`), 400, /too deeply/);
    assertRefused(await json(JSON.stringify({ story: { name: 'x'.repeat(1_100_000) } })), 400, /too long/);
    assertRefused(await json('{"story":{"name":null}}'), 422, /needs a name/);
  });

  it('may write in Latin-1 when the head says so, whatever the head says in UTF-8', async () => {
    const post = async (bytes: Buffer, charset: string) => {
      const response = await fetch(`${service.url}/services/v3${stories}`, {
        method: 'POST',
        headers: { 'X-TrackerToken': ada.token, 'Content-Type': `application/xml; charset=${charset}` },
        body: new Uint8Array(bytes),
      });
      return { status: response.status, headers: response.headers, text: await response.text() };
    };
    const body = '<story><name>Né à côté</name></story>';
    assert.equal(textOf(await post(Buffer.from(body, 'latin1'), 'ISO-8859-1'), 'name'), 'Né à côté');
    assert.equal(textOf(await post(Buffer.from(body, 'utf8'), '"iso-8859-1"'), 'name'), 'Né à côté');
    assertRefused(await post(Buffer.from(body, 'latin1'), 'UTF-8'), 400, /not valid in its encoding/);
  });

  it('is told where endpoint 7 takes its token from', async () => {
    const answer = await request(`${service.url}/services/v3/github_commits`, { method: 'POST', body: '{}' });
    assertDenied(answer, /in the query/);
    assertDenied(await request(`${service.url}/services/v3/projects`), /in the header X-ServiceToken/);
  });
});
