import assert from 'node:assert/strict';
import { newProject, newStory } from './support/project.ts';
import { type Answer, assertNotFound, assertStatus, idOf, textOf, texts } from './support/request.ts';
import { startTestService, type TestService, type TestUser } from './support/testService.ts';

describe('the tasks of a story', () => {
  let service: TestService;
  let ada: TestUser;
  let project: number;
  let path: string;
  let ids: number[];

  before(async () => {
    service = await startTestService();
    ada = await service.user('Ada Lovelace');
    project = await newProject(ada);
  });
  beforeEach(async () => {
    path = `/projects/${project}/stories/${await newStory(ada, project, 'Land')}`;
    ids = [];
    for (const name of ['A', 'B', 'C', 'D', 'E']) ids.push(await add(name));
  });
  after(() => service.stop());

  const add = async (name: string) =>
    idOf(await ada.post(`${path}/tasks`, `<task><description>${name}</description></task>`));
  const idAt = (index: number) => ids[index] ?? 0;
  const move = (index: number, position: number): Promise<Answer> =>
    ada.put(`${path}/tasks/${idAt(index)}`, `<task><position>${position}</position></task>`);
  const remove = (index: number): Promise<Answer> => ada.delete(`${path}/tasks/${idAt(index)}`);
  async function assertOrder(expected: string): Promise<void> {
    const all = await ada.get(`${path}/tasks`);
    assert.equal(texts(all, 'description').join(''), expected);
    const positions = texts(all, 'position').map(Number);
    assert.deepEqual(
      positions,
      positions.map((_, index) => index + 1),
    );
    assert.equal(
      texts(await ada.get(path), 'description')
        .slice(1)
        .join(''),
      expected,
      'also in the story',
    );
  }

  it('take every place, and the nearest where there is none such', async () => {
    const cases: readonly (readonly [number, number, string])[] = [
      [4, 1, 'EABCD'],
      [4, 5, 'ABCDE'],
      [0, 3, 'BCADE'],
      [0, 3, 'BCADE'],
      [1, -7, 'BCADE'],
      [1, 99, 'CADEB'],
    ];
    for (const [index, position, expected] of cases) {
      assertStatus(await move(index, position), 200);
      await assertOrder(expected);
    }
  });

  it('close up behind one that is deleted', async () => {
    assertStatus(await remove(1), 200);
    await assertOrder('ACDE');
    assertNotFound(await remove(1));
    assertNotFound(await move(1, 1));
    await add('F');
    assertStatus(await move(0, 5), 200);
    await assertOrder('CDEFA');
  });

  it('stay in one row whoever moves and deletes them at the same moment', async () => {
    for (let times = 0; times < 3; times++) {
      const answers = await Promise.all([
        ...[0, 1, 2, 3, 4].map((index) => move(index, 1 + ((index * 3 + times) % 5))),
        ...[4, 3, 2, 1, 0].map((index) => move(index, 1 + ((index * 2 + times) % 5))),
        ...(times === 1 ? [remove(2), remove(2), add(`F`).then(() => ada.get(path))] : []),
      ]);
      for (const { status, text } of answers) assert.ok(status === 200 || status === 404, text);
      if (times === 1) assert.equal(answers.slice(10, 12).filter(({ status }) => status === 200).length, 1);
      const all = await ada.get(`${path}/tasks`);
      const names = texts(all, 'description').toSorted().join('');
      assert.equal(names, times === 0 ? 'ABCDE' : 'ABDEF');
      await assertOrder(texts(all, 'description').join(''));
    }
  });

  it('go with their story, and leave no word to whoever changes them then', async () => {
    const other = await newProject(ada, 'Gemini');
    const moved = `<story><project_id>${other}</project_id></story>`;
    const [story, ...tasks] = await Promise.all([ada.put(path, moved), move(0, 5), remove(1), move(2, 1)]);
    assertStatus(story, 200);
    for (const { status, text } of tasks) assert.ok(status === 200 || status === 404, text);
    const there = path.replace(`/${project}/`, `/${other}/`);
    const left = await ada.get(`${there}/tasks`);
    assert.deepEqual(
      texts(left, 'position').map(Number),
      texts(left, 'position').map((_, index) => index + 1),
    );
    assertNotFound(await move(0, 1));
    assert.equal(textOf(await ada.get(there), 'name'), 'Land');
    const [first] = await Promise.all([ada.delete(there), ada.put(there, '<story><name>x</name></story>')]);
    assertStatus(first, 200);
    assertNotFound(await ada.get(`${there}/tasks`));
  });
});
