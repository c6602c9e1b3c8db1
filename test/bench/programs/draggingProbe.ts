/**
 * Runs inside VS Code's extension host: drops stories far away in a tree of which every row is shown, with the product's own
 * host code, and writes down how long the host was held from the drop until the server's order is painted.
 */
import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { orderOf } from '../../../src/core/backlog/backlog.ts';
import { messageOf } from '../../../src/core/errors.ts';
import { dropStories } from '../../../src/features/reorder/commands.ts';
import { StoryTree } from '../../../src/features/stories/tree/storyTree.ts';
import { treeItem } from '../../../src/features/stories/tree/treeItem.ts';
import { Accounts } from '../../../src/host/accounts/accounts.ts';
import { createBacklogs } from '../../../src/host/app.ts';
import { Engine } from '../../../src/host/engine/engine.ts';
import { Turns } from '../../../src/host/shell/turnBudget.ts';
import { UndoHistory } from '../../../src/host/story/undoHistory.ts';
import { StoryNode, type TreeNode } from '../../../src/host/tree/nodes.ts';
import { silentLog } from '../../support/silentLog.ts';
import { MemorySecrets } from '../../support/windows/memorySecrets.ts';
import type { DraggingFigures, DraggingOrder } from '../dragging.ts';
import { type Holds, HostHolds } from '../support/hostHolds.ts';

const QUIET = 3_000;

export function activate(): void {
  const order: DraggingOrder = JSON.parse(process.env.STORY_TRACKER_BENCH_PROBE ?? '{}');
  measure(order).then(
    (figures) => writeFile(order.file, `${JSON.stringify(figures)}\n`),
    (error) => writeFile(order.file, `${JSON.stringify({ error: String(error?.stack ?? error) })}\n`),
  );
}

async function measure(order: DraggingOrder): Promise<DraggingFigures> {
  await sleep(QUIET);
  const window = await openWindow(order);
  const holds = new HostHolds();
  await sleep(1_000);
  const idle = await holds.during(() => sleep(1_000));
  const one: Holds[] = [];
  const three: Holds[] = [];
  const undone: Holds[] = [];
  // The first drop runs code that was never run before, as the first in a window does.
  await window.drop(1);
  for (let round = 0; round < order.rounds; round += 1) {
    one.push(await holds.during(() => window.drop(1)));
    three.push(await holds.during(() => window.drop(3)));
    undone.push(await holds.during(() => window.undo()));
  }
  holds.stop();
  await window.close();
  return { idle, one, three, undone };
}

async function openWindow({ worker, url, token, replica, projectId }: DraggingOrder) {
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
  const key = { accountId: 'bench', projectId };
  const rows = new Map<number, StoryNode>();
  const turns = new Turns();
  let painting: Promise<unknown> = Promise.resolve();
  /** As VS Code asks when every row is open. */
  const paint = async (row: TreeNode | undefined): Promise<void> => {
    for (const child of await tree.childrenOf(row)) {
      await turns.take(() => {
        tree.noticePainted(child);
        return treeItem(child, tree);
      });
      if (child instanceof StoryNode) rows.set(child.story.id, child);
      else await paint(child);
    }
  };
  await backlogs.backlog(key);
  await paint(undefined);
  const listening = backlogs.onDidChange((changed) => {
    if (!changed) return;
    painting = painting.then(async () => {
      for (const row of await tree.changesIn(changed)) await paint(row);
    });
  });
  const thrown: unknown[] = [];
  const storiesView = { selection: () => [], reveal: async () => undefined };
  const messages = {
    status: () => undefined,
    info: async () => undefined,
    error: (error: unknown) => thrown.push(error),
  };
  const undoHistory = new UndoHistory(async () => true);
  const log = silentLog;
  const needs = { backlogs, messages, storiesView, storyArgument: {}, log, undoHistory, latestShown: new Map() };
  const settled = async () => {
    await painting;
    if (thrown.length > 0) throw thrown[0];
  };
  let turn = 0;
  return {
    drop: async (count: number) => {
      turn += 1;
      const ids = orderOf(await backlogs.backlog(key));
      const from = turn % 2 === 0 ? ids.length - 10 * turn : 10 * turn;
      const row = (id: number | undefined) => rows.get(id ?? 0) ?? raise(`row of ${id}`);
      const dragged = ids.slice(from, from + 2 * count).filter((_, index) => index % 2 === 0);
      const target = ids[ids.length - from];
      await dropStories(needs as never, dragged.map(row), row(target));
      await settled();
    },
    undo: async () => {
      await undoHistory.retrace('undo');
      await settled();
    },
    close: async () => {
      listening.dispose();
      backlogs.dispose();
      accounts.dispose();
      await engine.dispose();
    },
  };
}

function raise(what: string): never {
  throw new Error(`There is no ${what}.`);
}
