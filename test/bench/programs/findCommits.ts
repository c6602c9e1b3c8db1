/**
 * Has the worker that ships find new commits, over the same messages as the extension host, and prints what each look cost: the
 * thread that asked, the worker's process without that thread, and Git.
 */
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { NewCommits } from '../../../src/core/ports/git.ts';
import { Peer } from '../../../src/remote/peer.ts';
import { connect, type WorkerServices } from '../../../src/remote/services.ts';
import { backOnMain, branchedBack, committed } from '../support/longHistory.ts';

/** Milliseconds: of the asking thread, of all else in the process, of Git, all by the processor, and by the clock. */
export interface LookCost {
  readonly host: number;
  readonly worker: number;
  readonly git: number;
  readonly clock: number;
}

/** By what had happened before. */
export type LookCosts = Readonly<Record<'nothing' | 'commit' | 'branch', readonly LookCost[]>>;

const [script = '', replicaPath = '', root = '', count = '', back = ''] = process.argv.slice(2);

const worker = new Worker(script, { workerData: { replicaPath } });
const peer = new Peer(worker);
peer.expose('log', { debug: nothing, info: nothing, warn: nothing, error: nothing });
const { commitFinder } = connect<WorkerServices>((service, method, args) => peer.call(service, method, args));

async function nothing(): Promise<void> {}

async function look(): Promise<{ readonly cost: LookCost; readonly found: NewCommits }> {
  const before = now();
  const found = await commitFinder.find(root, { emails: [] });
  const after = now();
  await commitFinder.settle(
    found.repository,
    found.commits.map(({ hash }) => hash),
  );
  const host = after.host - before.host;
  const cost = {
    host,
    worker: after.process - before.process - host,
    git: after.children - before.children,
    clock: after.clock - before.clock,
  };
  return { cost, found };
}

function now() {
  const [thread, whole] = [process.threadCpuUsage(), process.cpuUsage()];
  return {
    host: (thread.user + thread.system) / 1000,
    process: (whole.user + whole.system) / 1000,
    children: childrenTime(),
    clock: performance.now(),
  };
}

/** Of processes that have ended, to a hundredth of a second: many looks have to be added up. Linux only. */
function childrenTime(): number {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[13]) + Number(fields[14])) * 10;
  } catch {
    return Number.NaN;
  }
}

async function measured(): Promise<LookCosts> {
  await look();
  const costs: Record<keyof LookCosts, LookCost[]> = { nothing: [], commit: [], branch: [] };
  for (let round = -2; round < Number(count); round += 1) {
    const note = (name: keyof LookCosts, cost: LookCost) => round >= 0 && costs[name].push(cost);
    note('nothing', (await look()).cost);
    committed(root, `Found ${round} [#1]`);
    const { cost, found } = await look();
    if (found.commits.length !== 1) throw new Error(`${found.commits.length} commits were found for one.`);
    note('commit', cost);
    branchedBack(root, `back-${round + 2}`, Number(back) + round + 2);
    note('branch', (await look()).cost);
    backOnMain(root);
    await look();
  }
  return costs;
}

void measured().then(async (costs) => {
  await worker.terminate();
  process.stdout.write(`${JSON.stringify(costs)}\n`);
  process.exit(0);
});
