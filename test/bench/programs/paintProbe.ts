/**
 * Runs inside VS Code's extension host: lets the product's own host code show one project, first as if it was never read and
 * then from the local copy, and writes down when rows were there and how long the host was held meanwhile.
 */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as vscode from 'vscode';
import { storiesOf } from '../../../src/core/backlog/backlog.ts';
import { messageOf } from '../../../src/core/errors.ts';
import type { ProjectKey } from '../../../src/core/story/projectKey.ts';
import { StoryTree } from '../../../src/features/stories/tree/storyTree.ts';
import { treeItem } from '../../../src/features/stories/tree/treeItem.ts';
import { Accounts } from '../../../src/host/accounts/accounts.ts';
import { createBacklogs } from '../../../src/host/app.ts';
import { Engine } from '../../../src/host/engine/engine.ts';
import { Turns } from '../../../src/host/shell/turnBudget.ts';
import type { TreeNode } from '../../../src/host/tree/nodes.ts';
import { silentLog } from '../../support/silentLog.ts';
import { MemorySecrets } from '../../support/windows/memorySecrets.ts';
import type { PaintFigures, PaintOrder, PaintTimes } from '../paint.ts';
import { HostHolds } from '../support/hostHolds.ts';

const QUIET = 3_000;
const now = () => performance.timeOrigin + performance.now();

export function activate(): void {
  const order: PaintOrder = JSON.parse(process.env.STORY_TRACKER_BENCH_PROBE ?? '{}');
  measure(order).then(
    (figures) => writeFile(order.file, `${JSON.stringify(figures)}\n`),
    (error) => writeFile(order.file, `${JSON.stringify({ error: String(error?.stack ?? error) })}\n`),
  );
}

async function measure(order: PaintOrder): Promise<PaintFigures> {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  await sleep(QUIET);
  const holds = new HostHolds();
  await sleep(1_000);
  const idle = await holds.during(() => sleep(2_000));
  const fresh: PaintTimes[] = [];
  const known: PaintTimes[] = [];
  const memory: { heap: number; resident: number }[] = [];
  const settled = async () => {
    await sleep(100);
    collect();
    return process.memoryUsage();
  };
  const inWindow = async (replica: string, times: PaintTimes[]) => {
    const before = await settled();
    const window = await openWindow(order, replica);
    times.push(await shown(window, holds, order.projectId));
    if (times === fresh) {
      const after = await settled();
      memory.push({ heap: (after.heapUsed - before.heapUsed) / 1e6, resident: (after.rss - before.rss) / 1e6 });
    }
    await window.close();
  };
  for (let round = 0; round < order.rounds; round += 1) {
    const replica = join(order.folder, `replica-${round}.sqlite`);
    // A window must not be alive while the next one's memory is counted from.
    await inWindow(replica, fresh);
    await inWindow(replica, known);
  }
  holds.stop();
  return { idle, fresh, known, memory };
}

type Window = Awaited<ReturnType<typeof openWindow>>;

async function openWindow({ worker, url, token }: PaintOrder, replica: string) {
  const engine = new Engine(worker, silentLog, replica);
  const builtIn = { access: () => Promise.reject(new Error('There is no built-in service here.')) };
  const accounts = new Accounts(new MemorySecrets(), engine, builtIn);
  const backlogs = createBacklogs(accounts, silentLog);
  const tree = new StoryTree(
    {
      projects: () => backlogs.projects(),
      backlog: (key) => backlogs.some(key),
      peek: (key) => backlogs.peekSome(key),
    },
    {
      sentenceOf: messageOf,
      nothingFits: '',
      noProjectFits: '',
      hiddenProjects: String,
      signedOut: String,
      noStories: '',
    },
  );
  await accounts.add({ id: 'bench', label: 'Bench', kind: 'server', baseUrl: url }, token);
  return {
    backlogs,
    tree,
    close: async () => {
      backlogs.dispose();
      accounts.dispose();
      await engine.dispose();
    },
  };
}

/** Asks for rows as VS Code does: all below a row at once, and below those that are open. */
async function shown({ backlogs, tree }: Window, holds: HostHolds, projectId: number): Promise<PaintTimes> {
  const key: ProjectKey = { accountId: 'bench', projectId };
  const turns = new Turns();
  let rows = 0;
  const paint = async (row: TreeNode | undefined): Promise<void> => {
    const children = await tree.childrenOf(row);
    const items = await Promise.all(
      children.map(async (child) => {
        const item = await turns.take(() => {
          tree.noticePainted(child);
          return treeItem(child, tree);
        });
        return { child, item };
      }),
    );
    rows += items.length;
    for (const { child, item } of items) {
      if (item.collapsibleState === vscode.TreeItemCollapsibleState.Expanded) await paint(child);
    }
  };
  const asked = now();
  let first = 0;
  let firstRows = 0;
  let painted = 0;
  const { hold, busy } = await holds.during(async () => {
    let painting = paint(undefined).then(() => {
      first = now();
      firstRows = rows;
    });
    const listening = backlogs.onDidChange((changed) => {
      if (!changed) return;
      painting = painting.then(async () => {
        rows = 0;
        for (const row of await tree.changesIn(changed)) await paint(row);
        if (backlogs.peek(key)) painted ||= now();
      });
    });
    await backlogs.backlog(key);
    await painting;
    while (!painted) await sleep(1);
    listening.dispose();
  });
  return { asked, first, firstRows, painted, hold, busy, stories: storiesOf(await backlogs.backlog(key)).length };
}
