import { sql } from 'kysely';
import type { Tx } from '../../store/database.ts';
import { rankAtEnd, rankBetween } from '../../store/stories/places.ts';

interface Placed {
  readonly storyId: number;
  /** Where it stands among the stories of the file. */
  readonly place: number;
  /** Where it stood among the stories of the file that was imported before; undefined when it is new in its list. */
  readonly before: number | undefined;
}

/** The order of a file's stories in one list of the project. */
export class FileOrder {
  private readonly placed: Placed[] = [];

  add(placed: Placed): void {
    this.placed.push(placed);
  }

  /**
   * Puts the stories into the order of the file, on the places that they have among the others of the list. Nothing is moved when the
   * file says nothing new: stories that were moved here since stay where they are. Tells which were moved.
   */
  async apply(tx: Tx): Promise<readonly number[]> {
    this.placed.sort((one, other) => one.place - other.place);
    if (!this.saysSomethingNew()) return [];
    const ranks = await ranksOf(
      tx,
      this.placed.map(({ storyId }) => storyId),
    );
    const sorted = [...ranks.values()].sort((one, other) => (one < other ? -1 : 1));
    const changed = this.placed.flatMap(({ storyId }, index) => {
      const rank = sorted[index];
      return rank === undefined || rank === ranks.get(storyId) ? [] : [{ storyId, rank }];
    });
    // Two steps, since ranks are unique at every moment.
    for (const { storyId } of changed) await setRank(tx, storyId, `~${storyId}`);
    for (const { storyId, rank } of changed) await setRank(tx, storyId, rank);
    return changed.map(({ storyId }) => storyId);
  }

  private saysSomethingNew(): boolean {
    const places = this.placed.flatMap(({ before }) => before ?? []);
    const isNewToAll = places.length === 0;
    return (
      !isNewToAll &&
      (places.length < this.placed.length || !places.every((place, index) => place > (places[index - 1] ?? -1)))
    );
  }
}

const CHUNK = 500;

async function ranksOf(tx: Tx, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const ranks = new Map<number, string>();
  for (let from = 0; from < ids.length; from += CHUNK) {
    const chunk = ids.slice(from, from + CHUNK);
    const rows = await tx.selectFrom('stories').select(['id', 'rank']).where('id', 'in', chunk).execute();
    for (const { id, rank } of rows) ranks.set(id, rank);
  }
  return ranks;
}

async function setRank(tx: Tx, id: number, rank: string): Promise<void> {
  await tx.updateTable('stories').set({ rank }).where('id', '=', id).execute();
}

/** Ranks behind everything in the two lists of a project, one after the other. */
export class ListEnds {
  private readonly tx: Tx;
  private readonly projectId: number;
  private readonly last = new Map<number, string>();

  constructor(tx: Tx, projectId: number) {
    this.tx = tx;
    this.projectId = projectId;
  }

  async next(inIcebox: number): Promise<string> {
    const last = this.last.get(inIcebox);
    const rank =
      last === undefined ? await rankAtEnd(this.tx, { projectId: this.projectId, inIcebox }) : rankBetween(last, null);
    this.last.set(inIcebox, rank);
    return rank;
  }
}

/** Makes databases that count apart from what is there go on behind ids that were given to them. */
export async function raiseNumbers(tx: Tx, countsApart: boolean): Promise<void> {
  if (!countsApart) return;
  for (const table of ['stories', 'projects']) {
    const sequence = sql`pg_get_serial_sequence(${`"${table}"`}, 'id')`;
    const highest = sql`(select coalesce(max("id"), 1) from ${sql.table(table)})`;
    await sql`select setval(${sequence}, greatest(${highest}, nextval(${sequence}::regclass)))`.execute(tx);
  }
}
