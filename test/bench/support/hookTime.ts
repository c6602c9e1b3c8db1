import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createCommitHooks } from '../../../src/git/commitHooks.ts';
import { atMost, type Row } from './bench.ts';
import { longHistory } from './longHistory.ts';
import { rounds } from './rounds.ts';
import { median } from './statistics.ts';
import { rounded } from './table.ts';

const ROUNDS = 100;

/** What our hook adds to a commit that a script makes, against a hook that does nothing; both are started in turns. */
export async function hookRow(folder: string): Promise<Row> {
  const root = join(folder, 'hook');
  await mkdir(root);
  await longHistory(root, { commits: 10, branches: 300, tags: 0 });
  execFileSync('git', ['config', 'branch.main.storyTrackerStory', '12'], { cwd: root });
  const message = join(root, '.git/COMMIT_EDITMSG');
  const started = (text: string, name: string) => {
    const file = join(root, '.git', name);
    writeFileSync(file, text, { mode: 0o755 });
    return () => {
      writeFileSync(message, 'Sort by rank\n\nWhat comes first is done first.\n');
      const begun = performance.now();
      execFileSync(file, [message, 'message'], { cwd: root });
      return performance.now() - begun;
    };
  };
  const hooks = createCommitHooks();
  await hooks.install(root, 'fixes');
  const installed = (await hooks.place(root)).file;
  const times = await rounds(ROUNDS, {
    ours: started(readFileSync(installed, 'utf8'), 'ours'),
    empty: started('#!/bin/sh\nexit 0\n', 'empty'),
  });
  const added = times.ours.map((time, round) => time - (times.empty[round] ?? Number.NaN));
  return {
    what: 'prepare-commit-msg: what it adds to an empty hook',
    value: median(added),
    unit: 'ms',
    goal: atMost(5),
    detail: `${rounded(median(times.ours))} ms, ${rounded(Math.min(...times.ours))} at least; empty ${rounded(median(times.empty))} ms, ${rounded(Math.min(...times.empty))} at least; ${ROUNDS} runs each, in turns`,
  };
}
