import assert from 'node:assert/strict';
import { userByEmail } from '../../src/service/store/people/users.ts';
import { addMember as addOwner } from '../../src/service/store/projects/memberships.ts';
import { addIntegration, setOverride } from '../../src/service/store/projects/projectParts.ts';
import { addProject, lockProject } from '../../src/service/store/projects/projects.ts';
import { readText } from '../../src/v3/read.ts';
import { writeDocument } from '../../src/v3/write.ts';
import { iterationsElement, readIterations, readStories, storiesElement } from '../support/v3/lists.ts';
import { addMember, newBacklog, newProject, newStory } from './support/project.ts';
import { type Answer, assertStatus } from './support/request.ts';
import { startTestService, type TestService, type TestUser } from './support/testService.ts';

describe('answers about a whole project', () => {
  let service: TestService;
  let user: TestUser;
  let project: number;
  let stories: number[];

  before(async () => {
    service = await startTestService();
    user = await service.user('Ada Keeper');
    project = await newProject(user);
    stories = await newBacklog(user, project, ['Buoys', 'Beacons', 'Bells &amp; &lt;ropes&gt;', 'Boats\nin two lines']);
  });
  after(() => service.stop());

  const list = () => user.get(`/projects/${project}/stories`);
  const backlog = () => user.get(`/projects/${project}/iterations/current_backlog`);
  const path = (index: number, rest = '') => `/projects/${project}/stories/${stories[index]}${rest}`;

  function assertAsWrittenWhole(stories: Answer, iterations: Answer): void {
    const read = readStories(readText(stories.text));
    assert.equal(stories.text, writeDocument(storiesElement(read)));
    assert.equal(iterations.text, writeDocument(iterationsElement(readIterations(readText(iterations.text)))));
  }

  const changes: readonly (readonly [string, () => Promise<Answer>, RegExp])[] = [
    ['a name', () => user.put(path(0), '<story><name>Lights</name></story>'), /<name>Lights</],
    ['a note', () => user.post(path(1, '/notes'), '<note><text>One\n  two</text></note>'), /<text>One\n {2}two</],
    ['a task', () => user.post(path(2, '/tasks'), '<task><description>Oil it</description></task>'), /Oil it/],
    ['labels', () => user.put(path(3), '<story><labels>sea,tide</labels></story>'), /<labels>sea,tide</],
    ['no label', () => user.put(path(3), '<story><labels/></story>'), /Boats\nin two lines/],
    ['a move', () => user.post(path(3, `/moves?move[move]=before&move[target]=${stories[0]}`)), /Boats[\s\S]*Lights/],
    ['a deletion', () => user.delete(path(2)), /Boats[\s\S]*Lights/],
  ];
  for (const [name, change, expected] of changes) {
    it(`tell of ${name} at once, as if all were written anew`, async () => {
      await Promise.all([list(), backlog()]);
      assertStatus(await change(), 200);
      const [all, planned] = await Promise.all([list(), backlog()]);
      assert.match(all.text, expected);
      assert.match(planned.text, expected);
      assertAsWrittenWhole(all, planned);
    });
  }
  it('are the same for all who ask at once, whatever changes in the meantime', async () => {
    const asked = [backlog(), backlog(), list(), backlog()];
    const renamed = user.put(path(0), '<story><name>Renamed meanwhile</name></story>');
    for (const answer of await Promise.all(asked)) assertStatus(answer, 200);
    await renamed;
    assert.match((await backlog()).text, /Renamed meanwhile/);
  });
  it('name the page of a story by the address that the caller used', async () => {
    const other = service.url.replace('127.0.0.1', 'localhost');
    const seen = await fetch(`${other}/services/v3/projects/${project}/stories`, {
      headers: { 'X-ServiceToken': user.token },
    });
    assert.match(await seen.text(), new RegExp(`<url>${other}/story/show/`));
    assert.match((await list()).text, new RegExp(`<url>${service.url}/story/show/`));
  });
  it('are refused to a member who was sent away, though they are at hand', async () => {
    const guest = await service.user('Guy Guest');
    const membership = await addMember(user, project, guest, 'Viewer');
    assertStatus(await guest.get(`/projects/${project}/stories`), 200);
    assertStatus(await user.delete(`/projects/${project}/memberships/${membership}`), 200);
    assertStatus(await guest.get(`/projects/${project}/stories`), 404);
  });
  it('tell of each of many projects in their list what they tell of it alone', async () => {
    const many = await service.user('Mia Many');
    const names = Array.from({ length: 23 }, (_, index) => `Project ${index}`);
    const ids = await service.running.database.write(async (tx) => {
      const made: number[] = [];
      const id = (await userByEmail(tx, many.email))?.id ?? 0;
      for (const name of names) {
        made.push((await addProject(tx, name, {}, Date.now())).id);
        await addOwner(tx, made.at(-1) ?? 0, id, 'Owner');
      }
      return made;
    });
    const [first = 0, second = 0, last = 0] = [ids[0], ids[1], ids.at(-1)];
    await service.running.database.write(async (tx) => {
      await lockProject(tx, second);
      await setOverride(tx, second, { number: 1, teamStrength: 0.5, weeks: 2 });
      const integration = { type: 'Other', name: 'Bugs', fieldName: 'bug', fieldLabel: 'Bug', ticketUrl: null };
      await addIntegration(tx, { ...integration, projectId: second, active: 1 });
    });
    for (const projectId of [first, last]) {
      await newStory(many, projectId, 'Done', '<estimate>3</estimate><current_state>accepted</current_state>');
      await newStory(many, projectId, 'Begun', '<estimate>2</estimate><current_state>started</current_state>');
      await newBacklog(many, projectId, ['Next', 'Later']);
      await newStory(many, projectId, 'Perhaps', '<labels>tide,ebb</labels>');
    }
    const asListed = async () => projectsIn(await many.get('/projects'));
    const asTold = async () => {
      const answers = await Promise.all(ids.map((id) => many.get(`/projects/${id}`)));
      return answers.flatMap(projectsIn);
    };
    const before = await asListed();
    assert.equal(before.length, names.length);
    assert.deepEqual(before, await asTold());
    assertStatus(await many.post(`/projects/${last}/stories`, '<story><name>One more</name></story>'), 200);
    const after = await asListed();
    assert.notEqual(after.at(-1), before.at(-1));
    assert.deepEqual(after.slice(0, -1), before.slice(0, -1));
    assert.deepEqual(after, await asTold());
  });
});

/** The text of each `project` element, however deep it stands. */
function projectsIn({ text }: Answer): string[] {
  const unindented = text.replaceAll(/^ +/gm, '');
  return unindented.match(/<project>[\s\S]*?\n<\/project>/g) ?? [];
}
