import { generateNKeysBetween } from 'fractional-indexing';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../src/service/store/database.ts';
import { openStore } from '../../../src/service/store/openStore.ts';
import { mintToken } from '../../../src/service/store/people/tokens.ts';
import { addUser } from '../../../src/service/store/people/users.ts';
import { addMember } from '../../../src/service/store/projects/memberships.ts';
import { addProject } from '../../../src/service/store/projects/projects.ts';

/** How much a store is to hold. */
export interface Size {
  readonly projects: number;
  readonly stories: number;
}

/** A project of `STORIES` stories, which have consecutive ids. */
export interface AskedProject {
  readonly id: number;
  readonly firstStory: number;
  /** The stories from here on, as many as `waiting`, stand in the backlog and are not begun. */
  readonly firstWaiting: number;
  readonly waiting: number;
}

/** A store of many teams: of one person in the projects that are asked about, of one in all, and of one where nothing happens. */
export interface ManyProjects {
  readonly token: string;
  readonly tokenOfAll: string;
  readonly tokenAtRest: string;
  readonly asked: readonly AskedProject[];
}

export interface Place {
  readonly folder: string;
  /** Address of a PostgreSQL database; without one all is in the folder. */
  readonly database?: string;
}

/** Stories of a project that is asked about; the other projects share what is left. */
const STORIES = 500;
const ASKED = 15;
const AT_REST = 5;
const PEOPLE = 200;
const PEOPLE_A_PROJECT = 5;
const LABELS = 8;
const WEEK = 7 * 86_400_000;
/** Shares of a project's stories, in the order of their places. */
const [DONE, BEGUN, WAITING] = [0.5, 0.52, 0.9];

/** Fills an empty store as years of work would have: half of the stories done over the last year, a tenth in the icebox. */
export async function manyProjects({ folder, database: address }: Place, size: Size): Promise<ManyProjects> {
  const { database } = await openStore(folder, address === undefined ? {} : { database: address });
  try {
    const now = Date.now();
    const filled = await database.write(async (tx) => {
      const team = await people(tx, PEOPLE, now);
      const [userId, allId] = [await person(tx, 'Bench Person', now), await person(tx, 'Person In All', now)];
      const restingId = await person(tx, 'Person At Rest', now);
      await projects(tx, size, { now, team, userId, restingId, allId });
      await stories(tx, now);
      await storyParts(tx, now);
      await history(tx);
      await sql`drop table bench_places`.execute(tx);
      await sql`drop table bench_sizes`.execute(tx);
      return {
        token: await mintToken(tx, userId, 'user', now),
        tokenOfAll: await mintToken(tx, allId, 'user', now),
        tokenAtRest: await mintToken(tx, restingId, 'user', now),
        asked: await askedProjects(tx),
      };
    });
    if (address !== undefined) await database.write((tx) => sql`analyze`.execute(tx));
    return filled;
  } finally {
    await database.close();
  }
}

async function people(tx: Tx, count: number, now: number): Promise<readonly number[]> {
  const ids: number[] = [];
  while (ids.length < count) ids.push(await person(tx, `Team Person ${ids.length + 1}`, now));
  return ids;
}

async function person(tx: Tx, name: string, now: number): Promise<number> {
  return (await addUser(tx, { name, email: `${name.toLowerCase().replaceAll(' ', '.')}@example.org` }, now)).id;
}

interface Team {
  readonly now: number;
  readonly team: readonly number[];
  readonly userId: number;
  readonly restingId: number;
  readonly allId: number;
}

async function projects(tx: Tx, size: Size, { now, team, userId, restingId, allId }: Team): Promise<void> {
  const others = size.projects - ASKED - AT_REST;
  const left = size.stories - (ASKED + AT_REST) * STORIES;
  await sql`create table bench_sizes (project integer not null, stories integer not null)`.execute(tx);
  for (let index = 0; index < size.projects; index += 1) {
    const place = index - ASKED - AT_REST;
    const count = place < 0 ? STORIES : Math.floor(left / others) + (place < left % others ? 1 : 0);
    const { id } = await addProject(tx, `Project ${index}`, { lastActivityAt: now }, now - 53 * WEEK);
    await sql`insert into bench_sizes values (${id}, ${count})`.execute(tx);
    if (place < 0) await addMember(tx, id, index < ASKED ? userId : restingId, 'Owner');
    await addMember(tx, id, allId, 'Owner');
    for (let member = 0; member < PEOPLE_A_PROJECT; member += 1) {
      const memberId = team[(index * PEOPLE_A_PROJECT + member) % team.length];
      if (memberId !== undefined) await addMember(tx, id, memberId, 'Member');
    }
  }
}

async function stories(tx: Tx, now: number): Promise<void> {
  await places(tx);
  const state = sql`case when p.place < s.stories * ${plain(DONE)} then 'accepted' when p.place < s.stories * ${plain(BEGUN)} then 'started'
    when p.place < s.stories * ${plain(WAITING)} then 'unstarted' else 'unscheduled' end`;
  const acceptedAt = sql`case when p.place < s.stories * ${plain(DONE)}
    then ${plain(now)} - cast((s.stories * ${plain(DONE)} - p.place) * ${plain((50 * WEEK) / DONE)} / s.stories as bigint) end`;
  const inIcebox = sql`case when p.place < s.stories * ${plain(WAITING)} then 0 else 1 end`;
  await sql`insert into stories ("projectId", "inIcebox", rank, type, state, name, estimate, description, "requestedBy", "createdAt",
      "updatedAt", "acceptedAt")
    select s.project, ${inIcebox}, p.rank, 'feature', ${state}, 'Show when the water is high enough for boat ' || p.place, p.place % 4,
      'Whoever waits before the bar wants to know when the next boat can go in.', 'Bench Person', ${plain(now - 52 * WEEK)}, ${plain(now - WEEK)},
      ${acceptedAt}
    from bench_sizes s join bench_places p on p.place < s.stories order by s.project, p.place`.execute(tx);
}

/** The ranks of the longest list, which shorter ones share. */
async function places(tx: Tx): Promise<void> {
  await sql`create table bench_places (place integer not null, rank text not null)`.execute(tx);
  const longest = await sql<{ stories: number }>`select max(stories) as stories from bench_sizes`.execute(tx);
  const count = longest.rows[0]?.stories ?? 0;
  for (const [place, rank] of generateNKeysBetween(null, null, count).entries()) {
    await sql`insert into bench_places values (${place}, ${rank})`.execute(tx);
  }
}

/** Labels, comments and tasks on some of the stories. */
async function storyParts(tx: Tx, now: number): Promise<void> {
  for (let label = 0; label < LABELS; label += 1) {
    await sql`insert into labels ("projectId", name) select project, 'label ' || ${plain(label)} from bench_sizes`.execute(
      tx,
    );
  }
  await sql`insert into "storyLabels" ("projectId", "storyId", "labelId", position)
    select s."projectId", s.id, l.id, 0 from stories s join labels l on l."projectId" = s."projectId"
    where s.id % 3 = 0 and l.name = 'label ' || (s.id % ${plain(LABELS)})`.execute(tx);
  await sql`insert into notes ("projectId", "storyId", text, author, "notedAt")
    select "projectId", id, 'Asked at the lock: they would like to see it a day ahead.', 'Team Person 1', ${plain(now - WEEK)}
    from stories where id % 4 = 0`.execute(tx);
  await sql`insert into tasks ("projectId", "storyId", description, position, complete, "createdAt")
    select "projectId", id, 'Ask at the lock', 1, 0, ${plain(now - WEEK)} from stories where id % 8 = 0`.execute(tx);
}

/** One activity a story. */
async function history(tx: Tx): Promise<void> {
  await sql`insert into activities ("projectId", version, "eventType", "occurredAt", author, description, stories)
    select "projectId", id, 'story_create', "createdAt", 'Team Person 1', 'Team Person 1 added "' || name || '"',
      '[{"id":' || id || ',"changed":{"name":"' || name || '"},"cleared":[]}]' from stories order by id`.execute(tx);
  await sql`insert into counters (name, value) select 'activityVersion', max(version) from activities`.execute(tx);
}

async function askedProjects(tx: Tx): Promise<readonly AskedProject[]> {
  const { rows } = await sql<{ id: number; first: number }>`select "projectId" as id, min(id) as first from stories
    group by "projectId" order by "projectId" limit ${ASKED}`.execute(tx);
  return rows.map(({ id, first }) => {
    const waiting = Math.ceil(STORIES * BEGUN);
    return { id, firstStory: first, firstWaiting: first + waiting, waiting: STORIES * WAITING - waiting };
  });
}

/** A number in the text of a statement, since PostgreSQL guesses what a parameter is from what stands beside it. */
function plain(value: number): RawBuilder<number> {
  return sql.raw(String(value));
}
