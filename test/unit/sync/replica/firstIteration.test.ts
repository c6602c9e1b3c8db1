import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { TrackerError } from '../../../../src/core/errors.ts';
import type { FirstIteration } from '../../../../src/core/replica/replica.ts';
import { account, Client } from '../../../support/replica/client.ts';
import { serve, type TestServer, trackerFor } from '../../../support/servers/testServer.ts';
import { ModelServer } from '../../../support/trackers/modelServer.ts';
import { modelTracker } from '../../../support/trackers/modelTracker.ts';

const PROJECT = '<project><id>1</id><name>Bakery</name></project>';
const CURRENT = `<iteration><id type="integer">3</id><number type="integer">3</number><stories type="array">
  <story><id type="integer">11</id><name>Knead</name></story><story><id type="integer">12</id><name>Bake</name></story>
</stories></iteration>`;
const NEXT = `<iteration><id type="integer">4</id><number type="integer">4</number><stories type="array">
  <story><id type="integer">13</id><name>Sell</name></story>
</stories></iteration>`;
/** More than is decoded in one go. */
const SPACE = ' '.repeat(20_000);

describe('A project that was never read', () => {
  let server: TestServer;
  let client: Client;
  let tracker: ReturnType<typeof trackerFor>['tracker'];
  let backlogAnswers: ServerResponse[];
  let told: FirstIteration[];
  let isTold: Promise<unknown>;
  let tell: () => void;

  beforeEach(async () => {
    backlogAnswers = [];
    told = [];
    isTold = new Promise<void>((resolve) => {
      tell = resolve;
    });
    server = await serve(({ url }, response) => {
      if (url.endsWith('/projects/1')) response.end(PROJECT);
      else if (!url.endsWith('/current_backlog')) response.end('<nil-classes type="array"/>');
      else {
        backlogAnswers.push(response);
        response.write(`<iterations type="array">${CURRENT}${SPACE}`);
      }
    });
    ({ tracker } = trackerFor(server.url));
    client = new Client({ tracker });
  });
  afterEach(async () => {
    client.close();
    await tracker.close();
    await server.close();
  });

  const onFirst = (first: FirstIteration) => {
    told.push(first);
    tell();
  };
  const namesIn = (first: FirstIteration | undefined) => first?.iteration.stories.map(({ name }) => name);

  it('has its current iteration shown before the server has told the rest, and none of it kept', async () => {
    const reading = client.refresh(1, { onFirst });
    await isTold;
    assert.deepEqual(namesIn(told[0]), ['Knead', 'Bake']);
    assert.equal(told[0]?.project.name, 'Bakery');
    assert.equal(await client.replica.backlog({ ...account, projectId: 1 }, {}), undefined);

    backlogAnswers[0]?.end(`${NEXT}</iterations>`);
    const backlog = await reading;
    assert.deepEqual(
      backlog.iterations.map(({ number }) => number),
      [3, 4],
    );
    assert.deepEqual(backlog.iterations[0], told[0]?.iteration);
  });

  it('is not kept when the rest is no backlog', async () => {
    const reading = client.refresh(1, { onFirst });
    await isTold;
    backlogAnswers[0]?.end('</stories>');
    await assert.rejects(reading, (error) => error instanceof TrackerError && error.kind === 'protocol');
    assert.equal(await client.replica.backlog({ ...account, projectId: 1 }, {}), undefined);
  });

  it('has its current iteration told again when the connection broke and everything is read anew', async () => {
    const reading = client.refresh(1, { onFirst });
    await isTold;
    const [first] = backlogAnswers;
    assert.ok(first);
    first.destroy();
    await once(first, 'close');
    while (backlogAnswers.length < 2) await new Promise((resolve) => setImmediate(resolve));
    backlogAnswers[1]?.end(`${NEXT}</iterations>`);
    assert.equal((await reading).iterations.length, 2);
    assert.deepEqual(told.map(namesIn), [
      ['Knead', 'Bake'],
      ['Knead', 'Bake'],
    ]);
  });

  it('is told as a whole only, once it has been read', async () => {
    const reading = client.refresh(1, { onFirst });
    await isTold;
    backlogAnswers[0]?.end('</iterations>');
    await reading;
    told = [];
    const again = client.refresh(1, { onFirst, isAskedFor: true });
    while (backlogAnswers.length < 2) await new Promise((resolve) => setImmediate(resolve));
    backlogAnswers[1]?.end('</iterations>');
    await again;
    assert.deepEqual(told, []);
  });
});

describe('A long backlog that is kept', () => {
  async function tellsFirst(stories: number): Promise<readonly string[]> {
    const server = new ModelServer();
    const client = new Client({ tracker: modelTracker(server), now: () => server.now });
    for (let index = 0; index < stories; index++) server.create(1, index > 10);
    const [current] = (await client.refresh()).iterations;
    const told: string[] = [];
    const whole = await client.replica.backlog(
      { ...account, projectId: 1 },
      {
        onFirst: ({ iteration }) => {
          assert.deepEqual(iteration, current);
          told.push('current iteration');
        },
        onStories: (portion) => told.push(`${portion.length} stories`),
      },
    );
    assert.equal(whole?.lists?.icebox.length, stories - 11);
    client.close();
    return told;
  }

  it('has its current iteration told before all that it holds', async () => {
    assert.equal((await tellsFirst(1100))[0], 'current iteration');
  });

  it('is told at once when it is short', async () => {
    assert.deepEqual(await tellsFirst(20), ['20 stories']);
  });
});
