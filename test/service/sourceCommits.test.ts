import assert from 'node:assert/strict';
import { userByEmail } from '../../src/service/store/people/users.ts';
import { linkCommits, partsOfLinks } from '../../src/service/useCases/linkCommit.ts';
import { addMember, newProject, newStory } from './support/project.ts';
import { type Answer, assertDenied, assertRefused, assertStatus, request, textOf, texts } from './support/request.ts';
import { startTestService, type TestService, type TestUser } from './support/testService.ts';

describe('source commits', () => {
  let service: TestService;
  let ada: TestUser;
  let projectId: number;
  let commits = 0;

  before(async () => {
    service = await startTestService();
    ada = await service.user('Ada Lovelace');
    projectId = await newProject(ada);
  });
  after(() => service.stop());

  function commit(message: string, { by = ada, id = `r${++commits}`, more = '' } = {}): Promise<Answer> {
    return by.post(
      '/source_commits',
      `<source_commit><message>${message}</message><author>Grace Hopper</author><commit_id>${id}</commit_id>${more}</source_commit>`,
    );
  }

  async function stateAfter(message: (id: number) => string, fields: string): Promise<string> {
    const id = await newStory(ada, projectId, 'A story', fields);
    assertStatus(await commit(message(id)), 200);
    return textOf(await ada.get(`/projects/${projectId}/stories/${id}`), 'current_state');
  }

  const feature = (state: string) => `<estimate>1</estimate><current_state>${state}</current_state>`;
  const chore = '<story_type>chore</story_type><current_state>started</current_state>';

  it('moves a story on as the marker says', async () => {
    assert.equal(await stateAfter((id) => `Work [#${id}]`, feature('unstarted')), 'started');
    assert.equal(await stateAfter((id) => `Work [#${id}]`, feature('unscheduled')), 'unscheduled');
    assert.equal(await stateAfter((id) => `[Fixes #${id}] it`, feature('started')), 'finished');
    assert.equal(await stateAfter((id) => `[#${id} completed]`, feature('unscheduled')), 'finished');
    assert.equal(await stateAfter((id) => `[delivers #${id}]`, feature('started')), 'delivered');
    assert.equal(await stateAfter((id) => `[finishes #${id}]`, chore), 'accepted');
    assert.equal(await stateAfter((id) => `fixes #${id}`, feature('started')), 'started');
    assert.equal(await stateAfter((id) => `[fixes #${id}]`, feature('accepted')), 'accepted');
    assert.equal(await stateAfter((id) => `[fixes #${id}]`, '<current_state>unstarted</current_state>'), 'unstarted');
  });

  it('shows the commit as a comment that leads to it, by the user of the token', async () => {
    const id = await newStory(ada, projectId, 'Commented');
    const url = 'https://git.example.org/c/r77';
    const answer = await commit(`Say hello [#${id}]`, { id: 'r77', more: `<url>${url}</url>` });
    assert.match(answer.text, /^<notes type="array">/m);
    assert.deepEqual(texts(answer, 'text'), [`Commit by Grace Hopper\n${url}\n\nSay hello [#${id}]`]);
    assert.deepEqual(texts(answer, 'author'), ['Ada Lovelace']);
    assert.deepEqual(texts(await ada.get(`/projects/${projectId}/stories/${id}`), 'text'), texts(answer, 'text'));
  });

  it('names the revision beside an address that does not', async () => {
    const id = await newStory(ada, projectId, 'Numbered');
    const more = '<url>https://svn.example.org/changes/7</url>';
    const text = textOf(await commit(`[#${id}]`, { id: 'r12', more }), 'text');
    assert.match(text, /^Commit by Grace Hopper\nr12 https:\/\/svn\.example\.org\/changes\/7\n/);
  });

  it('names the revision where no address is given', async () => {
    const id = await newStory(ada, projectId, 'No address');
    assert.match(textOf(await commit(`[#${id}]`, { id: 'abc123' }), 'text'), /^Commit by Grace Hopper\nabc123\n/);
  });

  it('ignores the same commit for the same story the second time', async () => {
    const [one, two] = [await newStory(ada, projectId, 'One'), await newStory(ada, projectId, 'Two')];
    assert.equal(texts(await commit(`[#${one}]`, { id: 'same' }), 'text').length, 1);
    assert.equal(texts(await commit(`[#${one}] [#${two}]`, { id: 'same' }), 'text').length, 1);
    assert.equal(texts(await commit(`[#${one}] [#${two}]`, { id: 'same' }), 'text').length, 0);
    assert.equal(texts(await ada.get(`/projects/${projectId}/stories/${one}/notes`), 'text').length, 1);
  });

  it('reaches stories of several projects, and passes over those that are not there for the user', async () => {
    const grace = await service.user('Grace Hopper');
    const hidden = await newStory(grace, await newProject(grace, 'Hidden'), 'Hidden');
    const here = await newStory(ada, projectId, 'Here');
    const there = await newStory(ada, await newProject(ada, 'Other'), 'There');
    const answer = await commit(`[#${here} #${there}, #${hidden}] [#999999]`);
    assert.equal(texts(answer, 'text').length, 2);
    assert.equal(texts(await grace.get('/activities'), 'event_type').includes('note_create'), false);
  });

  it('links as many stories in a transaction as there is time for, and the others in further ones', async () => {
    const ids: number[] = [];
    while (ids.length < 25) ids.push(await newStory(ada, projectId, `Linked ${ids.length}`, feature('unstarted')));
    const [first, second, third, ...others] = ids;
    const [part = assert.fail()] = partsOfLinks([
      { commitId: 'time-1', message: `[#${first} #${second}]`, author: 'Grace Hopper' },
      { commitId: 'time-2', message: `[fixes #${third} #${others.join(' #')}]`, author: 'Grace Hopper' },
    ]);
    const { database } = service.running;
    const user = (await database.read((tx) => userByEmail(tx, ada.email))) ?? assert.fail();
    const linker = { service: { database, log: () => undefined }, user, now: Date.now(), isPrivate: true };
    const texts: string[] = [];
    const sizes: number[] = [];
    for (let left = part; left.length > 0; ) {
      // Time for one more than those that are linked in any case.
      let asked = 0;
      const share = () => () => ++asked > 1;
      const some = await database.write((tx) => linkCommits(tx, linker, left, share));
      texts.push(...some.linked.notes.map(({ text }) => text.split('\n').at(-1) ?? ''));
      sizes.push(some.linked.notes.length);
      left = some.left;
    }
    assert.deepEqual(sizes, [11, 11, 3]);
    const [one, two] = part.map(({ commit: { message } }) => message);
    assert.deepEqual(texts, [one, one, ...new Array<unknown>(23).fill(two)]);
    const states = ids.map(async (id) =>
      textOf(await ada.get(`/projects/${projectId}/stories/${id}`), 'current_state'),
    );
    assert.deepEqual(await Promise.all(states), ['started', 'started', ...new Array<string>(23).fill('finished')]);
  });

  it('answers 200 and no notes when no story is named', async () => {
    const answer = await commit('Tidy up');
    assertStatus(answer, 200);
    assert.match(answer.text, /\n<nil-classes type="array"\/>\n$/);
  });

  it('refuses a commit without id or message, and one of a viewer', async () => {
    assertRefused(await commit('x', { id: ' ' }), 422, /needs its commit_id/);
    assertRefused(await commit(' '), 422, /needs its message/);
    const viewer = await service.user('Vera');
    await addMember(ada, projectId, viewer, 'Viewer');
    const id = await newStory(ada, projectId, 'Seen');
    assertRefused(await commit(`[#${id}]`, { by: viewer }), 403, /only view/);
    const own = await newStory(viewer, await newProject(viewer, 'Own'), 'Mine');
    const both = await commit(`[#${id} #${own}]`, { by: viewer });
    assertStatus(both, 200);
    assert.equal(texts(both, 'text').length, 1, 'the one that is only looked at is passed over');
  });

  describe('from a hosted service', () => {
    const hook = (token: string) => `${service.url}/services/v3/github_commits?token=${token}`;
    const payload = (id: number) =>
      JSON.stringify({
        ref: 'refs/heads/main',
        commits: [
          {
            id: `h${id}`,
            message: `Hosted [fixes #${id}]`,
            url: `https://git.example.org/h${id}`,
            author: { name: 'Grace' },
          },
          { id: 'h0', message: 'No story', url: 'https://git.example.org/h0', author: { name: 'Grace' } },
        ],
      });

    it('takes the payload as a form field and as the body, with the token in the query', async () => {
      const send = (id: number, form: boolean) =>
        request(hook(ada.token), {
          method: 'POST',
          body: form ? new URLSearchParams({ payload: payload(id) }).toString() : payload(id),
          headers: { 'Content-Type': form ? 'application/x-www-form-urlencoded' : 'application/json' },
        });
      for (const form of [true, false]) {
        const id = await newStory(ada, projectId, 'Hosted', feature('started'));
        const answer = await send(id, form);
        assert.deepEqual(texts(answer, 'text').length, 1);
        assert.equal(textOf(await ada.get(`/projects/${projectId}/stories/${id}`), 'current_state'), 'finished');
      }
    });

    it('answers 200 and no notes to a payload without commits, as when the hook is tried out', async () => {
      const headers = { 'Content-Type': 'application/json' };
      for (const body of [
        '{"zen": "Keep it simple.", "hook_id": 1}',
        '{"commits": null}',
        '{"commits": []}',
        '{"commits": [{"id": "c1", "message": " "}, {}, 7]}',
      ]) {
        const answer = await request(hook(ada.token), { method: 'POST', headers, body });
        assertStatus(answer, 200);
        assert.match(answer.text, /\n<nil-classes type="array"\/>\n$/, body);
      }
    });

    it('passes over commits on stories that the user may only look at, and refuses when there are no others', async () => {
      const vera = await service.user('Vera Rubin');
      await addMember(ada, projectId, vera, 'Viewer');
      const seen = await newStory(ada, projectId, 'Seen by Vera');
      const own = await newStory(vera, await newProject(vera, 'Of Vera'), 'Mine');
      const push = (...ids: readonly number[]) =>
        request(hook(vera.token), {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ commits: ids.map((id) => ({ id: `v${id}`, message: `[#${id}]` })) }),
        });
      const mixed = await push(own, seen);
      assertStatus(mixed, 200);
      assert.equal(texts(mixed, 'text').length, 1);
      assertRefused(await push(seen), 403, /only view/);
      assert.deepEqual(texts(await ada.get(`/projects/${projectId}/stories/${seen}/notes`), 'text'), []);
    });

    it('takes no token from the header, which is for all other endpoints', async () => {
      const headers = { 'Content-Type': 'application/json' };
      const url = `${service.url}/services/v3/github_commits`;
      assertDenied(await request(url, { method: 'POST', token: ada.token, headers, body: '{}' }), /Sign in/);
    });

    it('refuses a wrong token and what is no payload', async () => {
      assertDenied(await request(hook('nonsense'), { method: 'POST', body: '{}' }), /not valid/);
      const wrong = { method: 'POST', headers: { 'Content-Type': 'application/json' } };
      assertRefused(await request(hook(ada.token), { ...wrong, body: '{"commits": 1}' }), 400, /list of commits/);
      assertRefused(await request(hook(ada.token), { ...wrong, body: 'nonsense' }), 400, /JSON/);
    });
  });
});
