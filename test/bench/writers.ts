import { join } from 'node:path';
import { temporaryFolder } from '../../scripts/vscode/temporaryFolder.ts';
import { startPostgres } from '../support/postgres/postgresServer.ts';
import { atLeast, type Bench, type Row } from './support/bench.ts';
import { processorTime } from './support/processorTime.ts';
import { answerOf, bundledProgram, type RunningProgram } from './support/program.ts';
import { rounds } from './support/rounds.ts';
import { type Listening, startService } from './support/service.ts';
import { median, medianRatio } from './support/statistics.ts';
import { rounded } from './support/table.ts';

const ROUNDS = 5;
const PROCESSES = 3;
/** One that edits in each: changes to the same project wait for each other. As many as a user may make in an hour, with some to spare. */
const PROJECTS = 18;

/** What the load program says. */
interface Load {
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
}

/** Edits of stories through one and through three processes on one PostgreSQL, against rows that are inserted by as many connections. */
export const writers: Bench = {
  name: 'writers',
  async run() {
    const folder = temporaryFolder('bench-writers');
    const server = await startPostgres({ isDurable: true });
    const services: RunningProgram<Listening>[] = [];
    const start = async (...options: readonly string[]) => {
      const service = await startService(join(folder.path, 'data'), '--database', server.address, ...options);
      services.push(service);
      return service;
    };
    try {
      const first = await start('--demo');
      const loads = { folder: folder.path, address: server.address, token: first.said.token };
      const stories = await newStories(first.said);
      const alone = await rowsOf('one process', [first], stories, loads);
      while (services.length < PROCESSES) await start();
      return [...alone, ...(await rowsOf('three processes', services, stories, loads))];
    } finally {
      await Promise.all(services.map((service) => service.stop()));
      await server.stop();
      await folder.remove();
    }
  },
};

interface Loads {
  readonly folder: string;
  /** Of the database. */
  readonly address: string;
  readonly token: string;
}

async function rowsOf(
  who: string,
  services: readonly RunningProgram<Listening>[],
  stories: readonly string[],
  { folder, address, token }: Loads,
): Promise<readonly Row[]> {
  const [edits, commits] = [await bundledProgram('changeLoad', folder), await bundledProgram('commitLoad', folder)];
  const urls = stories.map((path, index) => `${services[index % services.length]?.said.url}${path}`);
  const waits: Load[] = [];
  const costs: number[] = [];
  const rates = await rounds(ROUNDS, {
    ours: async () => {
      const before = timeOf(services);
      const begun = performance.now();
      const load = await answerOf<Load>(edits, [token, ...urls]);
      waits.push(load);
      costs.push((timeOf(services) - before) / (performance.now() - begun));
      return load.rate;
    },
    floor: () => answerOf<number>(commits, [address, String(urls.length)]),
  });
  const middle = (part: 'p50' | 'p99') => rounded(median(waits.map((load) => load[part])));
  const detail = `${urls.length} at a time, a project each; p50 ${middle('p50')}, p99 ${middle('p99')} ms; ${rounded(median(costs))} processors for the services`;
  const goal = services.length === PROCESSES ? { goal: atLeast(2_000) } : {};
  return [
    { what: `change on PostgreSQL, ${who}`, value: median(rates.ours), unit: '/s', ...goal, detail },
    {
      what: `change on PostgreSQL, ${who}: rate against a row inserted and committed`,
      value: medianRatio(rates.ours, rates.floor),
      unit: '×',
      detail: `${rounded(median(rates.floor))} rows a second over ${urls.length} connections`,
    },
  ];
}

/** Milliseconds for which they had a processor. */
function timeOf(services: readonly RunningProgram<Listening>[]): number {
  return services.reduce((sum, { process }) => sum + processorTime(process), 0);
}

/** Paths of stories, each in a project of its own. */
async function newStories({ url, token }: Listening): Promise<readonly string[]> {
  const post = async (path: string, body: string): Promise<string> => {
    const headers = { 'X-ServiceToken': token, 'Content-Type': 'application/xml' };
    const answer = await fetch(url + path, { method: 'POST', headers, body });
    const id = /<id[^>]*>(\d+)</.exec(await answer.text())?.[1];
    if (id === undefined) throw new Error(`The service said ${answer.status} to ${path}.`);
    return `${path}/${id}`;
  };
  const stories: string[] = [];
  while (stories.length < PROJECTS) {
    const project = await post('/services/v3/projects', `<project><name>Project ${stories.length}</name></project>`);
    stories.push(await post(`${project}/stories`, '<story><name>Name</name></story>'));
  }
  return stories;
}
