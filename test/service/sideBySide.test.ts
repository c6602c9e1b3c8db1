import assert from 'node:assert/strict';
import { newProject } from './support/project.ts';
import { assertStatus } from './support/request.ts';
import { startTestService, type TestService, type TestUser } from './support/testService.ts';

describe('a store that is read for long', () => {
  let service: TestService;
  let ada: TestUser;

  before(async () => {
    service = await startTestService();
    ada = await service.user('Ada');
  });
  after(() => service.stop());

  it('is read and changed by others in the meantime, and shows the long one nothing of it', async () => {
    const { database } = service.running;
    let goOn = (): void => undefined;
    const pause = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    let begun = (): void => undefined;
    const isReading = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const long = database.read(async (tx) => {
      const names = () => tx.selectFrom('projects').select('name').execute();
      const before = await names();
      begun();
      await pause;
      return [before, await names()];
    });
    try {
      await isReading;
      await newProject(ada, 'Meanwhile');
      const answer = await ada.get('/projects');
      assertStatus(answer, 200);
      assert.match(answer.text, /Meanwhile/);
    } finally {
      goOn();
    }
    assert.deepEqual(await long, [[], []]);
  });
});
