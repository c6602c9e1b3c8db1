import assert from 'node:assert/strict';
import { newProject } from './support/project.ts';
import { rawHead, sendRaw } from './support/raw.ts';
import { type Answer, assertNotFound, assertStatus, idOf, request, textOf, texts } from './support/request.ts';
import { startTestService, type TestService, type TestUser } from './support/testService.ts';

describe('requests that clients in the field send', () => {
  let service: TestService;
  let ada: TestUser;
  let stories: string;

  before(async () => {
    service = await startTestService();
    ada = await service.user('Ada Lovelace');
    stories = `/projects/${await newProject(ada)}/stories`;
  });
  after(() => service.stop());

  /** What is answered of these elements, in this order; undefined for one that is not there. */
  function fieldsOf(answer: Answer, ...names: readonly string[]): (string | undefined)[] {
    assertStatus(answer, 200);
    return names.map((name) => texts(answer, name)[0]);
  }

  it('with empty elements clear what they name, also in a new story', async () => {
    const blank = '<estimate/><owned_by/><labels/><description/><deadline/>';
    const made = await ada.post(stories, `<story><name>Bare</name>${blank}</story>`);
    assert.deepEqual(fieldsOf(made, 'estimate', 'owned_by', 'labels', 'description', 'deadline'), [
      '-1',
      undefined,
      undefined,
      '',
      undefined,
    ]);
    const full = '<estimate>2</estimate><owned_by>Ada Lovelace</owned_by><labels>a</labels>';
    const path = `${stories}/${idOf(made)}`;
    assert.deepEqual(fieldsOf(await ada.put(path, `<story>${full}</story>`), 'estimate', 'labels'), ['2', 'a']);
    const cleared = await ada.put(
      path,
      '<story><estimate type="integer"></estimate><owned_by/><labels> </labels></story>',
    );
    assert.deepEqual(fieldsOf(cleared, 'estimate', 'owned_by', 'labels'), ['-1', undefined, undefined]);
  });

  it('with empty elements where every story has something, which say nothing', async () => {
    const fields = ['story_type', 'current_state', 'requested_by'] as const;
    const blank = '<story_type/><current_state> </current_state><requested_by></requested_by>';
    const made = await ada.post(stories, `<story><name>Usual</name>${blank}</story>`);
    assert.deepEqual(fieldsOf(made, ...fields), ['feature', 'unscheduled', 'Ada Lovelace']);
    const path = `${stories}/${idOf(made)}`;
    const set = '<story_type>bug</story_type><current_state>started</current_state>';
    assertStatus(await ada.put(path, `<story>${set}</story>`), 200);
    const kept = ['bug', 'started', 'Ada Lovelace'];
    assert.deepEqual(fieldsOf(await ada.put(path, `<story>${blank}</story>`), ...fields), kept);
    const parameters = fields.map((name) => `story[${name}]=`).join('&');
    assert.deepEqual(fieldsOf(await ada.put(`${path}?${parameters}`), ...fields), kept);
    for (const nothing of ['', null]) {
      const body = JSON.stringify({ story: Object.fromEntries(fields.map((name) => [name, nothing])) });
      assert.deepEqual(fieldsOf(await ada.put(path, body), ...fields), kept);
    }
  });

  it('with types in capitals and spaces in tags', async () => {
    const body = '<story ><name >Spaced</name ><estimate type="Integer"> 3 </estimate ></story >';
    assert.deepEqual(fieldsOf(await ada.post(stories, body), 'name', 'estimate'), ['Spaced', '3']);
    const people = '<requested_by> Ada Lovelace </requested_by><owned_by>\n  Ada Lovelace\n</owned_by>';
    const made = await ada.post(stories, `<story><name>Spaced</name>${people}</story>`);
    assert.deepEqual(fieldsOf(made, 'requested_by', 'owned_by'), ['Ada Lovelace', 'Ada Lovelace']);
  });

  it('with entities of HTML, a byte order mark, and characters of every plane', async () => {
    const body =
      '\uFEFF<?xml version="1.0" encoding="utf-8"?><story><name>Caf&eacute; &nbsp;&#233; &#x1F596;</name></story>';
    assert.deepEqual(fieldsOf(await ada.post(stories, body), 'name'), ['Café \u00A0é \u{1F596}']);
  });

  it('with dates in ISO 8601 and with zones of their own', async () => {
    const body = (name: string, date: string) =>
      `<story><name>${name}</name><story_type>release</story_type><deadline>${date}</deadline></story>`;
    const cases = {
      '2027-03-04T05:06:07Z': '2027/03/04 05:06:07 UTC',
      '2027-03-04T05:06:07-05:00': '2027/03/04 10:06:07 UTC',
      '2027/03/04 05:06:07 EST': '2027/03/04 10:06:07 UTC',
      '2027/03/04 05:06:07 +0100': '2027/03/04 04:06:07 UTC',
      '2027-03-04': '2027/03/04 00:00:00 UTC',
      'Dec 31, 2027': '2027/12/31 00:00:00 UTC',
    };
    for (const [sent, told] of Object.entries(cases)) {
      assert.deepEqual(fieldsOf(await ada.post(stories, body('Release', sent)), 'deadline'), [told], sent);
    }
  });

  it('with elements that only answers have', async () => {
    const parts = '<notes type="array"><note><text>x</text></note></notes><tasks/><attachments type="array"/>';
    const body = `<story><name>Echoed</name><id type="integer">1</id><url>http://x</url><updated_at>x</updated_at>
      <rank>0</rank><requested_by_id>7</requested_by_id><owner_id/>${parts}</story>`;
    const made = await ada.post(stories, body);
    assert.equal(textOf(made, 'name'), 'Echoed');
    assert.notEqual(textOf(made, 'id'), '1');
    assert.notEqual(textOf(made, 'rank'), '0');
    assert.equal(made.text.includes('<note'), false);
  });

  it('but with no element that a story never had, in whatever form, and nothing is changed then', async () => {
    const path = `${stories}/${idOf(await ada.post(stories, '<story><name>Kept</name></story>'))}`;
    const asForm = (body: string) =>
      request(`${service.url}/services/v3${path}`, {
        method: 'PUT',
        token: ada.token,
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body,
      });
    const long = 'x'.repeat(120);
    const cases: readonly (readonly [string, Answer])[] = [
      ['title', await ada.put(path, '<story><name>New</name><title>x</title><epic/></story>')],
      ['story_name', await ada.put(path, '<story><name>New</name><story-name>x</story-name></story>')],
      ['title', await ada.put(path, '{"story":{"name":"New","title":null}}')],
      ['title', await ada.put(`${path}?story[name]=New&story[title]=`)],
      ['title', await asForm('story[name]=New&story[title][x]=1')],
      [long.slice(0, 100), await ada.put(path, `<story><name>New</name><${long}/></story>`)],
      ['title', await ada.post(stories, '<story><name>New</name><title>x</title></story>')],
    ];
    for (const [name, answer] of cases) {
      assertStatus(answer, 422);
      assert.equal(answer.headers.get('content-type'), 'application/xml; charset=utf-8');
      assert.match(answer.text, new RegExp(`\\n<message>unknown attribute: ${name}</message>\\n$`));
    }
    assert.deepEqual(fieldsOf(await ada.get(path), 'name'), ['Kept']);
    assert.equal((await ada.get(stories)).text.includes('>New<'), false);
    const stranger = await service.user('Nobody Here');
    assertNotFound(await stranger.put(path, '<story><title>x</title></story>'));
  });

  it('with elements that nobody knows, elsewhere than in a story', async () => {
    const project = '<project><name>Odd</name><title>x</title></project>';
    const projectId = idOf(await ada.post('/projects', project));
    const storyId = idOf(await ada.post(`/projects/${projectId}/stories`, '<story><name>x</name></story>'));
    const path = `/projects/${projectId}/stories/${storyId}`;
    assertStatus(await ada.post(`${path}/notes`, '<note><text>x</text><title>x</title></note>'), 200);
    assertStatus(await ada.post(`${path}/tasks`, '<task><description>x</description><title>x</title></task>'), 200);
    const member =
      '<membership><person><email>ada.lovelace@example.org</email><title>x</title></person><title>x</title></membership>';
    assertStatus(await ada.post(`/projects/${projectId}/memberships`, member), 200);
  });

  it('with a question mark and nothing after it, brackets as they are, and no body', async () => {
    const asked = async (line: string) => {
      const head = [`${line} HTTP/1.1`, 'Host: localhost', `X-TrackerToken: ${ada.token}`];
      const { status, text } = await sendRaw(service.url, rawHead(...head, 'Content-Length: 0', 'Connection: close'));
      assert.equal(status, 200, text);
      return { text };
    };
    await asked(`GET /services/v3${stories}?`);
    const [one, other] = [
      textOf(await asked(`POST /services/v3${stories}?story[name]=One&story[current_state]=unstarted`), 'id'),
      textOf(await asked(`POST /services/v3${stories}?story[name]=Other&story[current_state]=unstarted`), 'id'),
    ];
    await asked(`POST /services/v3${stories}/${other}/moves?move[move]=before&move[target]=${one}`);
    const names = texts(await ada.get(`${stories}?filter=state:unstarted`), 'name');
    assert.deepEqual(names, ['Other', 'One']);
  });

  it('with doubled slashes in the path', async () => {
    for (const path of [`//services/v3${stories}`, `/services//v3/${stories.slice(1).replaceAll('/', '///')}//`]) {
      assertStatus(await request(`${service.url}${path}?filter=type:bug`, { token: ada.token }), 200);
    }
  });

  it('with no body, whatever type they name', async () => {
    const path = `${stories}/${idOf(await ada.post(stories, '<story><name>Typed</name></story>'))}`;
    for (const type of ['text/plain;charset=UTF-8', 'application/octet-stream', '*/*']) {
      const answer = await request(`${service.url}/services/v3${path}?story[labels]=${type.length}`, {
        method: 'PUT',
        token: ada.token,
        headers: { 'Content-Type': type },
        body: '',
      });
      assert.deepEqual(fieldsOf(answer, 'labels'), [String(type.length)], type);
    }
  });

  it('with XML under any of its types or none', async () => {
    for (const type of ['application/xml', 'text/xml; charset=utf-8', 'application/x-www-form-urlencoded', '']) {
      const headers = { 'Content-Type': type };
      const body = '<story><name>Typed</name></story>';
      const answer = await request(`${service.url}/services/v3${stories}`, {
        method: 'POST',
        token: ada.token,
        headers,
        body,
      });
      assert.deepEqual(fieldsOf(answer, 'name'), ['Typed'], type);
    }
  });
});
