import { generateNKeysBetween } from 'fractional-indexing';
import type { Tx } from '../../../src/service/store/database.ts';
import { openStore } from '../../../src/service/store/openStore.ts';
import { mintToken } from '../../../src/service/store/people/tokens.ts';
import { addUser } from '../../../src/service/store/people/users.ts';
import { addMember } from '../../../src/service/store/projects/memberships.ts';
import { addProject } from '../../../src/service/store/projects/projects.ts';

/** A data folder of the service with one project, all of whose stories are in the backlog. */
export interface LongBacklog {
  readonly token: string;
  readonly projectId: number;
  /** The stories have consecutive ids from here on. */
  readonly firstId: number;
  readonly stories: number;
}

const BATCH = 500;

export async function longBacklog(folder: string, stories: number): Promise<LongBacklog> {
  const { database } = await openStore(folder);
  try {
    return await database.write(async (tx) => {
      const now = Date.now();
      const user = await addUser(tx, { name: 'Bench Person', email: 'bench@example.com' }, now);
      const project = await addProject(tx, `Backlog of ${stories}`, {}, now);
      await addMember(tx, project.id, user.id, 'Owner');
      const firstId = await addStories(tx, project.id, stories, now);
      return { token: await mintToken(tx, user.id, 'user', now), projectId: project.id, firstId, stories };
    });
  } finally {
    await database.close();
  }
}

async function addStories(tx: Tx, projectId: number, stories: number, now: number): Promise<number> {
  const ranks = generateNKeysBetween(null, null, stories);
  for (let first = 0; first < stories; first += BATCH) {
    const batch = ranks.slice(first, first + BATCH).map((rank, index) => storyRow(projectId, first + index, rank, now));
    await tx.insertInto('stories').values(batch).execute();
  }
  const { id } = await tx.selectFrom('stories').select('id').orderBy('id').limit(1).executeTakeFirstOrThrow();
  return id;
}

function storyRow(projectId: number, index: number, rank: string, now: number) {
  return {
    projectId,
    inIcebox: 0,
    rank,
    type: 'feature',
    state: 'unstarted',
    name: `Show when the water is high enough for boat ${index}`,
    estimate: index % 4,
    description: 'Whoever waits before the bar wants to know when the next boat can go in.',
    requestedBy: 'Bench Person',
    createdAt: now,
    updatedAt: now,
  };
}
