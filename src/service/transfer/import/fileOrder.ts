import type { Tx } from '../../store/database.ts';
import { rankAtEnd, rankBetween, ranksOf, writeRanks } from '../../store/stories/places.ts';

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
      return rank === undefined || rank === ranks.get(storyId) ? [] : [{ id: storyId, rank }];
    });
    await writeRanks(
      tx,
      changed,
      changed.map(({ rank }) => rank),
    );
    return changed.map(({ id }) => id);
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
