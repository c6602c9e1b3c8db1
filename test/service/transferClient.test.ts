import assert from 'node:assert/strict';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTracker, type HttpTracker } from '../../src/client/tracker/httpTracker.ts';
import { silentLog } from '../support/silentLog.ts';
import { startTestService, type TestService, type TestUser, temporaryFolder } from './support/testService.ts';

describe('files of stories between our client and our service', function () {
  this.timeout(120_000);
  let service: TestService;
  let ada: TestUser;
  let tracker: HttpTracker;
  let folder: string;
  before(async () => {
    folder = await temporaryFolder();
    service = await startTestService();
    ada = await service.user('Ada');
    tracker = createTracker({ baseUrl: service.url, token: async () => ada.token, log: silentLog });
  });
  after(async () => {
    await tracker.close();
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function table(count: number): Promise<string> {
    const path = join(folder, 'stories.csv');
    const rows = Array.from({ length: count }, (_, index) => `${index + 1},Story ${index},feature,started,Bob`);
    await writeFile(path, ['Id,Title,Type,Current State,Owned By', ...rows].join('\n'));
    return path;
  }

  it('are looked at before, imported, found by their numbers and exported', async () => {
    const path = await table(30);
    const trial = await tracker.importStories(path, { projectName: 'Apollo', dryRun: true });
    assert.deepEqual([trial.isTrial, trial.created, trial.types], [true, 30, { feature: 30 }]);
    assert.deepEqual(trial.people, [{ name: 'Bob', times: 30, is: 'text' }]);
    assert.ok(trial.remarkCount >= 30 && trial.remarks[0]?.row === 2);
    const sent: number[] = [];
    const onProgress = (bytes: number) => sent.push(bytes);
    const report = await tracker.importStories(path, { projectName: 'Apollo' }, { onProgress });
    assert.deepEqual([report.isTrial, report.project.isNew, report.project.name], [false, true, 'Apollo']);
    assert.ok(sent.length > 0);
    const { id } = report.project;
    assert.equal((await tracker.importedIds(id, ['1', '30', '31'])).length, 2);
    const again = await tracker.importStories(path, { projectId: id, people: { Bob: ada.email } });
    assert.deepEqual([again.created, again.unchanged], [0, 30]);
    assert.equal((await tracker.listStories(id, { limit: 1 }))[0]?.ownedBy, 'Ada');
    const file = join(folder, 'out.csv');
    assert.equal(await tracker.exportProject(id, 'csv', file), (await readFile(file)).length);
    await tracker.exportProject(id, 'xml', file);
    assert.match(await readFile(file, 'utf8'), /^<\?xml(?:.|\n)*<name>Apollo<\/name>/);
  });

  it('leave nothing on either side when they are canceled', async () => {
    const before = (await tracker.listProjects()).length;
    const path = await table(30_000);
    const cancel = new AbortController();
    const importing = tracker.importStories(path, { projectName: 'Late', importId: 9 }, { signal: cancel.signal });
    const ended = assert.rejects(importing, { kind: 'cancelled' });
    let stories = 0;
    while (stories === 0) stories = (await tracker.importProgress(9).catch(() => ({ stories: 0 }))).stories;
    cancel.abort();
    await ended;
    await assert.rejects(tracker.exportProject(1, 'csv', join(folder, 'no.csv'), { signal: AbortSignal.abort() }));
    assert.equal((await tracker.listProjects()).length, before);
    assert.deepEqual(
      (await readdir(folder)).filter((name) => name.includes('part') || name.startsWith('no')),
      [],
    );
  });
});
