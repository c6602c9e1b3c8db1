import assert from 'node:assert/strict';
import type { BacklogLists, PlacedIteration } from '../../../../src/core/replica/replica.ts';
import { account, Client } from '../../../support/replica/client.ts';
import { ModelServer } from '../../../support/trackers/modelServer.ts';
import { modelTracker } from '../../../support/trackers/modelTracker.ts';

function placed(count: number, storiesEach: number): readonly PlacedIteration[] {
  const storyIds = Array.from({ length: storiesEach }, (_, index) => index);
  return Array.from({ length: count }, (_, index) => ({ id: index, number: index, storyIds }));
}

describe('The lists of a backlog', () => {
  let client: Client;

  beforeEach(async () => {
    client = new Client({ tracker: modelTracker(new ModelServer()) });
    await client.refresh();
  });
  afterEach(() => client.close());

  async function assertPortions(
    lists: Partial<BacklogLists>,
    expected: readonly (readonly [number, number, number])[],
  ): Promise<void> {
    const whole = { iterations: [], icebox: [], done: [], ...lists };
    client.file.change((database) => database.prepare('UPDATE lists SET value = ?').run(JSON.stringify(whole)));
    const portions: BacklogLists[] = [];
    await client.replica.backlog({ ...account, projectId: 1 }, { onLists: (portion) => void portions.push(portion) });
    const sizes = portions.map(({ iterations, icebox, done }) => [iterations.length, icebox.length, done.length]);
    assert.deepEqual(sizes, expected);
    for (const name of ['iterations', 'icebox', 'done'] as const) {
      assert.deepEqual(
        portions.flatMap((portion): readonly unknown[] => portion[name]),
        whole[name],
      );
    }
  }

  it('are a portion also when they became empty', () => assertPortions({}, [[0, 0, 0]]));

  it('are divided where they are long', async () => {
    await assertPortions({ iterations: placed(250, 3), icebox: Array.from({ length: 4100 }, (_, id) => id) }, [
      [100, 0, 0],
      [100, 0, 0],
      [50, 0, 0],
      [0, 2000, 0],
      [0, 2000, 0],
      [0, 100, 0],
    ]);
    await assertPortions({ done: placed(3, 1500) }, [
      [0, 0, 2],
      [0, 0, 1],
    ]);
  });
});
