import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAttachmentFiles } from '../../src/service/attachments/openAttachmentFiles.ts';
import type { Database } from '../../src/service/store/database.ts';
import { addHiddenProject, deleteProject } from '../../src/service/store/projects/projects.ts';
import { importFile } from '../../src/service/transfer/import/importFile.ts';
import { sweepImports } from '../../src/service/transfer/import/staging.ts';
import { eventually } from '../support/eventually.ts';
import { newProject, newStory } from './support/project.ts';
import { idOf, texts } from './support/request.ts';
import { rowsOfDatabase, runOnDatabase } from './support/testDatabase.ts';
import { startTestService, type TestService, type TestUser } from './support/testService.ts';

const usual = { addsPeople: false, keepsIds: true, isTrial: false, now: Date.UTC(2026, 9, 1) };
const TABLES = ['projects', 'stories', 'notes', 'labels', 'imports', 'stagedStories', 'importedStories', 'users'];

/** The same store, which notes the statements of each transaction that writes. */
function countingStatements(database: Database, statements: number[]): Database {
  return {
    ...database,
    write: (work, caller) =>
      database.write((tx) => {
        const index = statements.push(0) - 1;
        const counting = tx.withPlugin({
          transformQuery: ({ node }) => {
            statements[index] = (statements[index] ?? 0) + 1;
            return node;
          },
          transformResult: async ({ result }) => result,
        });
        return work(counting);
      }, caller),
  };
}

describe('an import that is under way', function () {
  this.timeout(120_000);
  let service: TestService;
  let ada: TestUser;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-staged-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));
  beforeEach(async () => {
    service = await startTestService();
    ada = await service.user('Ada');
  });
  afterEach(() => service.stop());

  async function file(count: number, first = 1_000): Promise<string> {
    const path = join(folder, 'many.csv');
    const rows = Array.from(
      { length: count },
      (_, index) => `${first + index},Story ${index},"a, l${index % 5}",unstarted,"Yes (Ada - Jan 5, 2026)"`,
    );
    await writeFile(path, ['Id,Title,Labels,Current State,Comment', ...rows].join('\n'));
    return path;
  }

  const begin = async (path: string, wishes: Partial<Parameters<typeof importFile>[1]>) => {
    const store = { database: service.running.database, files: await openAttachmentFiles(service) };
    return importFile(store, { path, onProgress: () => undefined, ...usual, ...wishes });
  };

  async function counts(): Promise<Record<string, number>> {
    const counted = TABLES.map(async (table) => {
      const [row] = await rowsOfDatabase(service.folder, `select count(*) as n from "${table}"`);
      return [table, Number(row?.n)] as const;
    });
    return Object.fromEntries(await Promise.all(counted));
  }

  it('lets others write, who see nothing of it before its end', async () => {
    const project = await newProject(ada);
    let written = 0;
    const path = await file(6_000);
    let isOver = false;
    const done = begin(path, { name: 'Many', owner: 'ada@example.org' }).finally(() => {
      isOver = true;
    });
    while (!isOver) {
      const story = await newStory(ada, project, `Beside ${written}`);
      assert.ok(story > 0);
      written += 1;
      const isSeen = texts(await ada.get('/projects'), 'name').includes('Many');
      const [row] = await rowsOfDatabase(service.folder, 'select count(*) as n from imports');
      // What was needed until the end is removed after it.
      if (isSeen) assert.equal(Number(row?.n), 0, 'seen before the end');
    }
    const report = await done;
    assert.equal(report.created, 6_000);
    assert.ok(written >= 3, `${written} stories were written beside it`);
    assert.equal(texts(await ada.get('/projects'), 'name').includes('Many'), true);
    assert.deepEqual([(await counts()).imports, (await counts()).stagedStories], [0, 0]);
  });

  it('into a project shows nothing of it there before its end, and goes behind what was written since', async () => {
    const project = await newProject(ada);
    const before = await newStory(ada, project, 'Before');
    const path = await file(600);
    const done = begin(path, { projectId: project });
    const beside = await newStory(ada, project, 'Beside');
    await eventually(async () => {
      const [row] = await rowsOfDatabase(service.folder, `select count(*) as n from "importedStories"`);
      assert.ok(Number(row?.n) > 0);
    });
    const known = await ada.get(`/projects/${project}/imports?external_ids=1000,1001`);
    assert.doesNotMatch(known.text, /1000|1001/);
    const listed = texts(await ada.get(`/projects/${project}/stories?limit=100`), 'name');
    assert.deepEqual(
      listed.filter((name) => name.startsWith('Story')),
      [],
    );
    await done;
    assert.match((await ada.get(`/projects/${project}/imports?external_ids=1000,1001`)).text, /1000.*1001/s);
    const rows = await rowsOfDatabase(
      service.folder,
      `select "id" from stories where "projectId" = ${project} order by "inIcebox", "rank"`,
    );
    const ids = rows.map(({ id }) => Number(id));
    assert.equal(ids.length, 602);
    const ofFile = ids.filter((id) => id !== before && id !== beside);
    assert.deepEqual(
      ofFile,
      [...ofFile].sort((one, other) => one - other),
    );
    const labels = await rowsOfDatabase(service.folder, `select "name" from labels where "projectId" = ${project}`);
    assert.equal(labels.length, 6);
    const [next] = [await newStory(ada, project, 'Next')];
    assert.ok(next > 0);
  });

  it('into a project hands over the stories alone at its end, however much hangs on them', async () => {
    const statements: number[] = [];
    const counted = countingStatements(service.running.database, statements);
    const files = await openAttachmentFiles(service);
    const lastStep = async (count: number, first: number): Promise<number> => {
      const wishes = { path: await file(count, first), onProgress: () => undefined, ...usual };
      statements.length = 0;
      await importFile({ database: counted, files }, { ...wishes, projectId: await newProject(ada) });
      return Math.max(...statements);
    };
    const few = await lastStep(100, 1_000);
    const many = await lastStep(2_100, 10_000);
    assert.ok(many - few <= 30, `${many} statements of one transaction with 2,100 stories, ${few} with 100`);
  });

  it('into a project leaves each label once, whichever of two of a name more stories have', async () => {
    const project = await newProject(ada);
    const labelled = async (name: string): Promise<void> => {
      const answer = await ada.post(
        `/projects/${project}/stories`,
        `<story><name>${name}</name><labels>a,own</labels></story>`,
      );
      assert.equal(answer.status, 200);
    };
    const labelsByStory = async (): Promise<ReadonlyMap<string, string>> => {
      const rows = await rowsOfDatabase(
        service.folder,
        `select stories."name" as story, labels."name" as label from "storyLabels"
          join stories on stories."id" = "storyLabels"."storyId" join labels on labels."id" = "labelId"
          where stories."projectId" = ${project} and labels."projectId" = ${project} and "storyLabels"."projectId" = ${project}
          order by stories."id", "position"`,
      );
      const found = new Map<string, string>();
      for (const { story, label } of rows)
        found.set(String(story), `${found.has(String(story)) ? `${found.get(String(story))},` : ''}${label}`);
      return found;
    };
    await labelled('Before');
    await begin(await file(30), { projectId: project });
    await labelled('Between');
    await begin(await file(2, 5_000), { projectId: project });
    const names = await rowsOfDatabase(service.folder, `select "name" from labels where "projectId" = ${project}`);
    assert.deepEqual(names.map(({ name }) => String(name)).sort(), ['a', 'l0', 'l1', 'l2', 'l3', 'l4', 'own']);
    const found = await labelsByStory();
    assert.deepEqual([found.get('Before'), found.get('Between')], ['a,own', 'a,own']);
    assert.deepEqual([found.get('Story 1'), found.get('Story 29')], ['a,l1,a,l1', 'a,l4']);
  });

  it('into a project that is deleted in the meantime is told so, and leaves nothing', async () => {
    const before = await counts();
    const project = await newProject(ada);
    let isDeleted = false;
    const path = await file(2_000);
    const done = begin(path, {
      projectId: project,
      onProgress: (part) => {
        if (part < 0.3 || isDeleted) return;
        isDeleted = true;
        void service.running.database.write((tx) => deleteProject(tx, project));
      },
    });
    await assert.rejects(done, /The project was deleted in the meantime/);
    assert.deepEqual(await counts(), before);
  });

  it('into a project is refused while another one is bringing the same stories there', async () => {
    const project = await newProject(ada);
    const held = await newStory(ada, project, 'Held');
    // As another import leaves it between two of its steps.
    await service.running.database.write((tx) => addHiddenProject(tx, -5, Date.now()));
    await runOnDatabase(service.folder, `update stories set "projectId" = -5 where "id" = ${held}`);
    await runOnDatabase(service.folder, `insert into "importedStories" values (${project}, '77', ${held}, 'x', 0)`);
    const before = await counts();
    assert.doesNotMatch((await ada.get(`/projects/${project}/imports?external_ids=77`)).text, /77/);
    await assert.rejects(begin(await file(2, 76), { projectId: project }), /Another import has brought/);
    assert.deepEqual(await counts(), before);
  });

  it('leaves nothing when it is broken off or its process dies, not even the numbers of its stories', async () => {
    const before = await counts();
    const path = await file(1_000);
    let isSeen = false;
    const broken = begin(path, {
      name: 'Many',
      owner: 'ada@example.org',
      addsPeople: true,
      onProgress: () => {
        isSeen = true;
      },
      caller: {
        user: (await rowsOfDatabase(service.folder, `select * from users`))[0] as never,
        authorize: async () => undefined,
        admits: async () => false,
        requireGoOn: () => {
          if (isSeen) throw new Error('The caller has gone.');
        },
      },
    });
    await assert.rejects(broken, /The caller has gone/);
    assert.deepEqual(await counts(), before);
    // As a process leaves it that is killed in the middle: the row is of another process, and of before.
    const dead = JSON.stringify({ host: 'elsewhere', pid: 1, token: 'x' });
    const values = `7, null, null, '${dead}', 0, ${Date.now() - 10 * 60_000}, 0.5, 3, '[]'`;
    await runOnDatabase(service.folder, `insert into imports values (${values})`);
    await runOnDatabase(service.folder, `insert into "stagedStories" values (7, 0, '5', null, null, 0, 0, null)`);
    await sweepImports(service.running.database, Date.now());
    assert.deepEqual(await counts(), before);
  });

  it('is refused where another one brought the same stories in the meantime', async () => {
    const project = await newProject(ada);
    const path = await file(400);
    const results = await Promise.allSettled([
      begin(path, { projectId: project }),
      begin(path, { projectId: project }),
    ]);
    const done = results.filter(({ status }) => status === 'fulfilled');
    const count = await rowsOfDatabase(
      service.folder,
      `select count(*) as n from stories where "projectId" = ${project}`,
    );
    assert.equal(Number(count[0]?.n), 400);
    for (const result of results)
      if (result.status === 'rejected') assert.match(String(result.reason), /Another import has brought/);
    assert.ok(done.length >= 1);
    assert.equal(idOf(await ada.get(`/projects/${project}`)), project);
  });
});
