import { join } from 'node:path';
import { temporaryFolder } from '../../scripts/vscode/temporaryFolder.ts';
import type { LookCost, LookCosts } from './programs/findCommits.ts';
import { atMost, type Bench, type Row } from './support/bench.ts';
import { hookRow } from './support/hookTime.ts';
import { type HistorySize, longHistory } from './support/longHistory.ts';
import { answerOf, bundledProgram } from './support/program.ts';
import { root } from './support/service.ts';
import { median } from './support/statistics.ts';
import { rounded } from './support/table.ts';

const ROUNDS = 10;

const SMALL: HistorySize = { commits: 200, branches: 2, tags: 0 };
const sizes: Readonly<Record<string, HistorySize>> = {
  '100,000 commits, 300 branches': { commits: 100_000, branches: 300, tags: 0 },
  '100,000 commits, 3,000 branches, 20,000 tags': { commits: 100_000, branches: 3000, tags: 20_000 },
};

const happened: Readonly<Record<keyof LookCosts, string>> = {
  nothing: 'nothing is new',
  commit: 'one commit is new',
  branch: 'a branch was made far back',
};

/** What finding new commits costs in repositories of several sizes, and what the hook adds to a commit. */
export const commits: Bench = {
  name: 'commits',
  async run() {
    const folder = temporaryFolder('bench-commits');
    try {
      const program = await bundledProgram('findCommits', folder.path);
      const costsOf = async (name: string, size: HistorySize) => {
        const place = join(folder.path, name);
        await longHistory(join(place, 'repository'), size);
        const back = Math.floor(size.commits * 0.9);
        const args = [join(root, 'dist/worker.js'), join(place, 'replica.sqlite'), join(place, 'repository')];
        return answerOf<LookCosts>(program, [...args, String(ROUNDS), String(back)]);
      };
      const small = await costsOf('small', SMALL);
      const rows: Row[] = [];
      for (const [index, [what, size]] of Object.entries(sizes).entries()) {
        const large = await costsOf(`large-${index}`, size);
        rows.push(...rowsOf(what, large, small));
      }
      return [...rows, await hookRow(folder.path)];
    } finally {
      await folder.remove();
    }
  },
};

function rowsOf(what: string, large: LookCosts, small: LookCosts): readonly Row[] {
  return (Object.keys(happened) as (keyof LookCosts)[]).map((name) => {
    const [many, few] = [of(large[name]), of(small[name])];
    return {
      what: `look for new commits among ${what}, when ${happened[name]}: time of the extension host`,
      value: many.host,
      unit: 'ms',
      goal: atMost(50),
      detail: `${figures(many)}; ${SMALL.commits} commits: ${figures(few)}; the clock’s ratio ${rounded(many.clock / few.clock)} ×; ${large[name].length} looks each`,
    };
  });
}

/** Medians; of Git, whose time is told in hundredths of a second, the mean. */
function of(costs: readonly LookCost[]) {
  const git = costs.reduce((sum, cost) => sum + cost.git, 0) / costs.length;
  const middle = (part: Exclude<keyof LookCost, 'git'>) => median(costs.map((cost) => cost[part]));
  return { host: middle('host'), worker: middle('worker'), git, clock: middle('clock') };
}

function figures({ host, worker, git, clock }: LookCost): string {
  return `host ${rounded(host)}, worker ${rounded(worker)}, Git ${rounded(git)} ms of the processor, ${rounded(clock)} by the clock`;
}
