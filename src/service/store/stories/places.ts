import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing';
import { rest } from '../../ground/slices.ts';
import type { Tx } from '../database.ts';
import { knownQuery } from '../queries.ts';

/** Ranks longer than this are shortened by spreading a window of neighbours anew. */
const MAX_RANK_LENGTH = 32;

/** A text that sorts bytewise between two neighbours; null stands for an end of the list. */
export function rankBetween(before: string | null, after: string | null): string {
  return generateKeyBetween(before, after);
}

/** One of the two orders of a project: the icebox, or everything else. */
interface StoryList {
  readonly projectId: number;
  readonly inIcebox: number;
}

interface Placed {
  readonly id: number;
  readonly rank: string;
}

type Side = 'before' | 'after';

const FIRST_WINDOW = 16;

export async function rankAtTop(tx: Tx, list: StoryList): Promise<string> {
  const [first] = await ranked(tx, list, 'after', undefined, 1);
  return rankBetween(null, first?.rank ?? null);
}

export async function rankAtEnd(tx: Tx, list: StoryList): Promise<string> {
  const [last] = await ranked(tx, list, 'before', undefined, 1);
  return rankBetween(last?.rank ?? null, null);
}

/**
 * The rank that puts `movedId` directly before or after the target, or undefined when it stands there already. Costs the
 * same whatever the length of the list; where ranks have grown long it first shortens those around the target.
 */
export async function rankNextTo(
  tx: Tx,
  list: StoryList,
  movedId: number,
  side: Side,
  target: Placed,
): Promise<string | undefined> {
  const [nearest] = await ranked(tx, list, side, target.rank, 1);
  if (nearest?.id === movedId) return undefined;
  const neighbour = nearest?.rank ?? null;
  const rank = side === 'after' ? rankBetween(target.rank, neighbour) : rankBetween(neighbour, target.rank);
  if (rank.length <= MAX_RANK_LENGTH) return rank;
  await shortenRanks(tx, list, target.rank);
  return rankNextTo(tx, list, movedId, side, { id: target.id, rank: await rankOf(tx, target.id) });
}

/** Spreads the ranks around `rank` anew, over as few stories as give short ones. */
async function shortenRanks(tx: Tx, list: StoryList, rank: string): Promise<void> {
  for (let reach = FIRST_WINDOW; ; reach *= 2) {
    const left = await ranked(tx, list, 'before', `${rank}!`, reach + 1);
    const right = await ranked(tx, list, 'after', rank, reach + 1);
    const window = [...left.slice(0, reach).reverse(), ...right.slice(0, reach)];
    const fresh = generateNKeysBetween(left[reach]?.rank ?? null, right[reach]?.rank ?? null, window.length);
    const wholeList = left.length <= reach && right.length <= reach;
    if (!wholeList && fresh.some(({ length }) => length > MAX_RANK_LENGTH / 2)) continue;
    await writeRanks(tx, window, fresh);
    return;
  }
}

/** Gives stories of one list, which may be long, their ranks. Two steps, since a fresh rank may be another story's old one and ranks are unique at every moment. */
export async function writeRanks(
  tx: Tx,
  stories: readonly Pick<Placed, 'id'>[],
  ranks: readonly string[],
): Promise<void> {
  for (const { id } of stories) {
    await setRank(tx, id, `~${id}`);
    await rest();
  }
  for (const [index, { id }] of stories.entries()) {
    await setRank(tx, id, ranks[index] ?? `~${id}`);
    await rest();
  }
}

async function setRank(tx: Tx, id: number, rank: string): Promise<void> {
  await tx.updateTable('stories').set({ rank }).where('id', '=', id).execute();
}

async function rankOf(tx: Tx, id: number): Promise<string> {
  const row = await tx.selectFrom('stories').select('rank').where('id', '=', id).executeTakeFirstOrThrow();
  return row.rank;
}

/** The stories nearest to a rank on one side, nearest first; without a rank, from that side's far end. */
async function ranked(
  tx: Tx,
  { projectId, inIcebox }: StoryList,
  side: Side,
  rank: string | undefined,
  limit: number,
): Promise<readonly Placed[]> {
  if (rank === undefined) return fromEnd[side](tx, { projectId, inIcebox, limit });
  return fromRank[side](tx, { projectId, inIcebox, limit, rank });
}

interface Stretch extends StoryList {
  readonly limit: number;
}

interface StretchBesideRank extends Stretch {
  readonly rank: string;
}

const fromEnd = {
  before: knownQuery((tx, stretch: Stretch) => stretchOf(tx, stretch).orderBy('rank', 'desc')),
  after: knownQuery((tx, stretch: Stretch) => stretchOf(tx, stretch).orderBy('rank', 'asc')),
};

const fromRank = {
  before: knownQuery((tx, stretch: StretchBesideRank) =>
    stretchOf(tx, stretch).where('rank', '<', stretch.rank).orderBy('rank', 'desc'),
  ),
  after: knownQuery((tx, stretch: StretchBesideRank) =>
    stretchOf(tx, stretch).where('rank', '>', stretch.rank).orderBy('rank', 'asc'),
  ),
};

function stretchOf(tx: Tx, { projectId, inIcebox, limit }: Stretch) {
  return tx
    .selectFrom('stories')
    .select(['id', 'rank'])
    .where('projectId', '=', projectId)
    .where('inIcebox', '=', inIcebox)
    .limit(limit);
}

const CHUNK = 500;

/** Of stories, by their ids. */
export async function ranksOf(tx: Tx, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const ranks = new Map<number, string>();
  for (let from = 0; from < ids.length; from += CHUNK) {
    const chunk = ids.slice(from, from + CHUNK);
    const rows = await tx.selectFrom('stories').select(['id', 'rank']).where('id', 'in', chunk).execute();
    for (const { id, rank } of rows) ranks.set(id, rank);
  }
  return ranks;
}
