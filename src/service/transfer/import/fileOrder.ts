import type { Tx } from '../../store/database.ts';

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
