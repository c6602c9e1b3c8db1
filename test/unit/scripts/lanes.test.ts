import assert from 'node:assert/strict';
import { temporaryFolder } from '../../../scripts/vscode/temporaryFolder.ts';
import { runInLanes } from '../../support/suite/lanes.ts';
import { type Suite, suites } from '../../support/suite/suite.ts';

describe('The two lanes of a run of all tests', () => {
  const [suite] = suites;
  const part = (file: string, more: Partial<Suite> = {}) => ({ ...suite, files: [file], ...more }) as Suite;
  const parts = [part('a'), part('b'), part('c', { jobs: 1 }), part('d', { jobs: 1 }), part('e', { jobs: 1 })];

  async function ran(mayBegin?: (begun: number) => boolean) {
    const folder = temporaryFolder('lanes');
    const begun: string[] = [];
    try {
      const { outcomes, leftOut } = await runInLanes(
        parts,
        folder.path,
        async ({ files = [] }) => {
          begun.push(...files);
          return { passed: 1, failed: 0, skipped: 0, failures: [], trouble: undefined };
        },
        mayBegin && (() => mayBegin(begun.length)),
      );
      const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
      return { begun: begun.toSorted().join(''), passed, leftOut: leftOut.flatMap(({ files = [] }) => files).join('') };
    } finally {
      await folder.remove();
    }
  }

  it('take every part once, from both ends', async () => {
    assert.deepEqual(await ran(), { begun: 'abcde', passed: 5, leftOut: '' });
  });

  it('begin no more small parts when it is too late, and tell which; long ones all run', async () => {
    assert.deepEqual(await ran((begun) => begun < 2), { begun: 'abe', passed: 3, leftOut: 'cd' });
  });
});
