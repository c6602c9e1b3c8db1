import assert from 'node:assert/strict';
import type { Backlog } from '../../../../../src/core/backlog/backlog.ts';
import { aBakeryBacklog, iterationOf } from '../../../../support/builders/bakery.ts';
import { Bench } from './treeBench.ts';

const CURRENT = ['current 12', ['Story 3', 'Story 4']] as const;

function partly(missing: NonNullable<Backlog['missing']>): Backlog {
  return aBakeryBacklog({ iterations: [iterationOf(12, [3, 4])], icebox: [], done: [], missing });
}

describe('StoryTree while a project is read for the first time', () => {
  it('shows the current iteration, and that the rest is still to come', async () => {
    const bench = new Bench(partly({}));
    assert.deepEqual(await bench.paint(), [['Bakery', [CURRENT, 'loading']]]);
  });

  it('says why the rest is not there when it could not be read, and keeps what is', async () => {
    const bench = new Bench(partly({}));
    await bench.paint();
    bench.backlog = partly({ error: new Error('The connection was lost.') });
    assert.deepEqual(await bench.changes(), ['The connection was lost.']);
    assert.deepEqual(await bench.paint(), [['Bakery', [CURRENT, 'The connection was lost.']]]);
  });

  it('paints the project again when all of it is there', async () => {
    const bench = new Bench(partly({}));
    await bench.paint();
    bench.backlog = aBakeryBacklog();
    assert.deepEqual(await bench.changes(), ['Bakery']);
    const [project] = await bench.paint();
    assert.deepEqual(project?.[1]?.[0], CURRENT);
    assert.equal(project?.[1].includes('loading'), false);
  });
});
