import assert from 'node:assert/strict';
import { temporaryFolder } from '../../../scripts/vscode/temporaryFolder.ts';
import { runInLanes } from '../../support/suite/lanes.ts';
import { type Suite, suites } from '../../support/suite/suite.ts';

describe('The two lanes of a run of all tests', () => {
  const [suite] = suites;
  const parts: readonly Suite[] = ['a', 'b', 'c', 'd', 'e'].map((file) => ({ ...suite, files: [file] }) as Suite);

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

  it('begin nothing more when it is too late, and tell what is left out', async () => {
    assert.deepEqual(await ran((begun) => begun < 2), { begun: 'ae', passed: 2, leftOut: 'bcd' });
  });
});
