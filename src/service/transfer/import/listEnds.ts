import type { Tx } from '../../store/database.ts';
import { rankAtEnd } from '../../store/stories/places.ts';
import { rankBetween } from '../../store/stories/rank.ts';

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
