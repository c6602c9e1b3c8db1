import { join } from 'node:path';
import { Client } from 'pg';
import { temporaryFolder } from '../../scripts/vscode/temporaryFolder.ts';
import { startPostgres } from '../support/postgres/postgresServer.ts';
import { againstBare } from './support/againstBare.ts';
import { asker } from './support/asker.ts';
import { atMost, type Bench, type Row } from './support/bench.ts';
import { manyProjects, type Place, type Size } from './support/manyProjects.ts';
import { startService } from './support/service.ts';
import { median, quantile } from './support/statistics.ts';
import { rounded } from './support/table.ts';
import { STEPS, type Step, type Team, team } from './support/team.ts';

const FEW: Size = { projects: 20, stories: 10_000 };
const MANY: Size = { projects: 1_000, stories: 1_000_000 };
/** Of one who is in 20 projects and in 1000: no goal, since it is no longer the same question. */
const EACH_PROJECT: Step = 'poll the activities of each and every project';
const BLOCKS = 5;
const TURNS = 60;

/** A team's work in a small store and in one of many teams, on each database. */
export const scale: Bench = {
  name: 'scale',
  async run() {
    const folder = temporaryFolder('bench-scale');
    try {
      const onSqlite = await compared('SQLite', placeIn(folder.path, 'few'), placeIn(folder.path, 'many'));
      return [...onSqlite, ...(await onPostgres(folder.path))];
    } finally {
      await folder.remove();
    }
  },
};

async function onPostgres(folder: string): Promise<readonly Row[]> {
  const server = await startPostgres({ isDurable: true });
  try {
    const [few, many] = [await newDatabase(server.address, 'few'), await newDatabase(server.address, 'many')];
    return await compared('PostgreSQL', placeIn(folder, 'fewFiles', few), placeIn(folder, 'manyFiles', many));
  } finally {
    await server.stop();
  }
}

function placeIn(folder: string, name: string, database?: string): Place {
  return { folder: join(folder, name), ...(database !== undefined && { database }) };
}

async function newDatabase(server: string, name: string): Promise<string> {
  const client = new Client({ connectionString: server });
  await client.connect();
  await client.query(`create database ${name}`).finally(() => client.end());
  const url = new URL(server);
  url.pathname = name;
  return url.href;
}

async function compared(store: string, few: Place, many: Place): Promise<readonly Row[]> {
  const small = await served(few, FEW);
  const large = await served(many, MANY);
  try {
    const list = await firstList(store, large);
    const rows = await stepRows(store, small.team, large.team);
    return [list, ...rows, ...(await rates(`${store}, ${MANY.stories} stories`, many.folder, large))];
  } finally {
    await small.stop();
    await large.stop();
  }
}

async function served(place: Place, size: Size) {
  const filled = await manyProjects(place, size);
  const options = place.database === undefined ? [] : ['--database', place.database];
  const service = await startService(place.folder, ...options);
  const working = team(service.said.url, filled);
  return {
    service,
    filled,
    team: working,
    stop: async () => {
      working.end();
      await service.stop();
    },
  };
}

/** Of one who is in all projects, from a service that has just begun. */
async function firstList(store: string, { service, filled }: Awaited<ReturnType<typeof served>>): Promise<Row> {
  const inAll = asker(service.said.url, filled.tokenOfAll);
  const first = await inAll.time('GET', '/projects');
  const again = await inAll.time('GET', '/projects');
  inAll.end();
  return {
    what: `${store}, ${MANY.stories} stories: the first list of ${MANY.projects} projects`,
    value: first,
    unit: 'ms',
    detail: `every plan is read; asked for again ${rounded(again)} ms`,
  };
}

type Samples = Record<Step, number[]>;

/** The two sides take turns, step by step; each block gives one p50 and one p99, and the ratio is the median of the blocks'. */
async function stepRows(store: string, small: Team, large: Team): Promise<readonly Row[]> {
  const blocks: { readonly few: Samples; readonly many: Samples }[] = [];
  await block(small, large, TURNS / 2);
  while (blocks.length < BLOCKS) blocks.push(await block(small, large, TURNS));
  return STEPS.flatMap((step) => [0.5, 0.99].map((part) => rowOf(store, step, part, blocks)));
}

function rowOf(
  store: string,
  step: Step,
  part: number,
  blocks: readonly { readonly few: Samples; readonly many: Samples }[],
): Row {
  const few = blocks.map((samples) => quantile(samples.few[step], part));
  const many = blocks.map((samples) => quantile(samples.many[step], part));
  return {
    what: `${store}, ${MANY.stories} stories: ${step} (p${part * 100}) against ${FEW.stories}`,
    value: median(many.map((value, index) => value / (few[index] ?? Number.NaN))),
    unit: '×',
    ...(step !== EACH_PROJECT && { goal: atMost(2) }),
    detail: `${rounded(median(many))} ms; at ${FEW.stories} ${rounded(median(few))} ms; ${BLOCKS} blocks of ${TURNS}, in turns`,
  };
}

async function block(small: Team, large: Team, turns: number) {
  const samples = { few: noSamples(), many: noSamples() };
  for (let turn = 0; turn < turns; turn += 1) {
    for (const step of STEPS) {
      if (turn % 2 === 0) samples.few[step].push(await small.do(step));
      samples.many[step].push(await large.do(step));
      if (turn % 2 === 1) samples.few[step].push(await small.do(step));
    }
  }
  return samples;
}

function noSamples(): Samples {
  const samples: Partial<Samples> = {};
  for (const step of STEPS) samples[step] = [];
  return samples as Samples;
}

async function rates(
  where: string,
  folder: string,
  { service, filled }: Awaited<ReturnType<typeof served>>,
): Promise<readonly Row[]> {
  const place = { folder, service, token: filled.token };
  const project = `/projects/${filled.asked[0]?.id ?? 0}`;
  return [
    ...(await againstBare(
      `current_backlog of an unchanged project (${where})`,
      `${project}/iterations/current_backlog`,
      place,
    )),
    ...(await againstBare(`one project (${where})`, project, place)),
    ...(await againstBare(`no activity since then (${where})`, '/activities?newer_than_version=9999999', place)),
  ];
}
