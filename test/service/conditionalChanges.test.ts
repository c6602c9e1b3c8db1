import assert from 'node:assert/strict';
import { addMember, newProject, newStory } from './support/project.ts';
import {
  type Answer,
  assertNotFound,
  assertRefused,
  assertStatus,
  idOf,
  request,
  textOf,
  texts,
} from './support/request.ts';
import { startTestService, type TestService, type TestUser } from './support/testService.ts';

describe('a change on a condition', () => {
  let service: TestService;
  let ada: TestUser;
  let project: number;
  let path: string;
  let task: string;

  before(async () => {
    service = await startTestService();
    ada = await service.user('Ada Lovelace');
    project = await newProject(ada);
  });
  beforeEach(async () => {
    path = `/projects/${project}/stories/${await newStory(ada, project, 'Land')}`;
    task = `${path}/tasks/${idOf(await ada.post(`${path}/tasks`, '<task><description>Brake</description></task>'))}`;
  });
  after(() => service.stop());

  const tagOf = async (of: string): Promise<string> => {
    const { headers } = await ada.get(of);
    assert.equal(headers.get('cache-control'), 'no-store');
    return headers.get('etag') ?? '';
  };
  const put = (of: string, body: string, ifMatch: string, { token } = ada): Promise<Answer> =>
    request(`${service.url}/services/v3${of}`, { method: 'PUT', token, body, headers: ifNamed(ifMatch) });
  const remove = (of: string, ifMatch: string): Promise<Answer> =>
    request(`${service.url}/services/v3${of}`, { method: 'DELETE', token: ada.token, headers: ifNamed(ifMatch) });
  const ifNamed = (ifMatch: string) => ({ 'Content-Type': 'application/xml', 'If-Match': ifMatch });
  const rename = (name: string) => `<story><name>${name}</name></story>`;
  const taskOf = (text: string) => `<task><description>${text}</description></task>`;
  const assertChanged = (answer: Answer) =>
    assertRefused(answer, 412, /This has been changed elsewhere in the meantime/);

  it('is made while a story is as it was read, by whatever it is named', async () => {
    for (const wrap of [
      (tag: string) => tag,
      (tag: string) => `W/${tag}`,
      (tag: string) => `"other", ${tag}`,
      (tag: string) => tag.replace(/"$/, '-gzip"'),
      () => '*',
    ]) {
      const tag = await tagOf(path);
      assert.match(tag, /^"[\w-]{43}"$/);
      assertStatus(await put(path, rename(`Land ${wrap(tag).length}`), wrap(tag)), 200);
    }
  });

  it('is refused when anything of the story was changed since, and nothing is changed then', async () => {
    const changes: readonly (() => Promise<Answer>)[] = [
      () => ada.put(path, rename('Return')),
      () => ada.put(path, '<story><labels>moon</labels></story>'),
      () => ada.post(`${path}/notes`, '<note><text>Mind the dust</text></note>'),
      () => ada.put(task, taskOf('Brake hard')),
      () => ada.delete(task),
    ];
    for (const change of changes) {
      const tag = await tagOf(path);
      assertStatus(await change(), 200);
      const before = (await ada.get(path)).text;
      assertChanged(await put(path, rename('Overwritten'), tag));
      assertChanged(await remove(path, tag));
      assert.equal((await ada.get(path)).text, before);
    }
    for (const nonsense of ['', 'x', '"', '"x"', 'W/', ',,,']) assertChanged(await put(path, rename('X'), nonsense));
  });

  it('is made, or not, to a task likewise', async () => {
    const tag = await tagOf(task);
    assertStatus(await put(task, taskOf('Brake now'), tag), 200);
    assertChanged(await put(task, taskOf('Overwritten'), tag));
    assertChanged(await remove(task, tag));
    assert.equal(textOf(await ada.get(task), 'description'), 'Brake now');
    assertStatus(await remove(task, await tagOf(task)), 200);
    assertNotFound(await put(task, taskOf('x'), tag));
  });

  it('is made to a story that moves to another project only where it is as it was read', async () => {
    const other = await newProject(ada, 'Gemini');
    const tag = await tagOf(path);
    assertStatus(await ada.put(path, rename('Return')), 200);
    const move = `<story><project_id>${other}</project_id></story>`;
    assertChanged(await put(path, move, tag));
    assertStatus(await put(path, move, await tagOf(path)), 200);
    assertNotFound(await put(path, rename('x'), tag));
  });

  it('says nothing of a story to those who may not change it', async () => {
    const viewer = await service.user(`Viewer ${project}`);
    assertNotFound(await put(path, rename('x'), '"x"', viewer));
    await addMember(ada, project, viewer, 'Viewer');
    assertRefused(await put(path, rename('x'), '"x"', viewer), 403, /Viewer/);
  });

  it('is made once where many make it at the same moment, and so is each that reads again', async () => {
    const tag = await tagOf(path);
    const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => put(path, rename(`N${index}`), tag)));
    const made = answers.filter(({ status }) => status === 200);
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, ...Array.from({ length: 11 }, () => 412)]);
    assert.equal(textOf(await ada.get(path), 'name'), textOf(made[0] ?? { text: '' }, 'name'));
    await Promise.all(Array.from({ length: 6 }, (_, index) => withLabel(`l${index}`)));
    assert.deepEqual(
      textOf(await ada.get(path), 'labels')
        .split(',')
        .toSorted(),
      ['l0', 'l1', 'l2', 'l3', 'l4', 'l5'],
    );
  });

  /** Adds a label to those that are there, and to no others. */
  async function withLabel(label: string): Promise<void> {
    for (;;) {
      const story = await ada.get(path);
      const labels = [...texts(story, 'labels'), label].filter((one) => one !== '').join(',');
      const answer = await put(path, `<story><labels>${labels}</labels></story>`, story.headers.get('etag') ?? '');
      if (answer.status === 200) return;
      assertStatus(answer, 412);
    }
  }
});
