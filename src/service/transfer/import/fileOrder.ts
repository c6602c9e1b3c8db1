import type { Tx } from '../../store/database.ts';
import { stagedOrder } from '../../store/stagedImports.ts';
import { ranksOf, writeRanks } from '../../store/stories/places.ts';

interface Placed {
  /** Null on a trial, of one that would be made. */
  readonly storyId: number | null;
  /** Where it stands among the stories of the file. */
  readonly place: number;
  /** Where it stood among the stories of the file that was imported before; null when it is new in its list. */
  readonly before: number | null;
}

const PAGE = 2_000;

type List = 0 | 1;

/** Told of each story of a file in its order, knows in which of a project's lists the file says anything new of the order. */
export class OrderNews {
  private readonly last: [number, number] = [-1, -1];
  private readonly hasKnown = [false, false];
  private readonly hasFresh = [false, false];
  private readonly isTurned = [false, false];

  /** `before`: where the story stood in the file before; null when it is new in the list. */
  note(list: List, before: number | null): void {
    if (before === null) this.hasFresh[list] = true;
    else {
      this.hasKnown[list] = true;
      this.isTurned[list] ||= before < this.last[list];
      this.last[list] = before;
    }
  }

  get lists(): ReadonlySet<List> {
    const hasNews = (list: List) => this.hasKnown[list] && (this.hasFresh[list] || this.isTurned[list]);
    return new Set(([0, 1] as const).filter(hasNews));
  }
}

/** What of an import has to do with the order of its stories. */
interface Ordered {
  readonly importId: number;
  /** As the stories were in their lists when the file was read. */
  readonly news: OrderNews;
  /** Lists of stories that changed theirs. */
  readonly movedTo: ReadonlyMap<number, number>;
}

/**
 * Puts the stories of the project's two lists into the order of the file, on the places that they have among the others. Nothing is moved in
 * a list of which the file says nothing new: stories that were moved here since stay where they are. Tells which were moved.
 */
export async function applyFileOrder(tx: Tx, ordered: Ordered): Promise<readonly number[]> {
  const { lists: news } = ordered.movedTo.size === 0 ? ordered.news : await newsOf(tx, ordered);
  if (news.size === 0) return [];
  const lists: readonly [Placed[], Placed[]] = [[], []];
  for await (const placed of placedStories(tx, ordered)) if (news.has(placed.list)) lists[placed.list].push(placed);
  const moved: number[] = [];
  for (const list of lists) moved.push(...(await putInOrder(tx, list)));
  return moved;
}

/** Looks at all once more, and holds none, where stories changed their list. */
async function newsOf(tx: Tx, ordered: Ordered): Promise<OrderNews> {
  const news = new OrderNews();
  for await (const { before, list } of placedStories(tx, ordered)) news.note(list, before);
  return news;
}

async function putInOrder(tx: Tx, placed: readonly Placed[]): Promise<readonly number[]> {
  const ids = placed.flatMap(({ storyId }) => storyId ?? []);
  const ranks = await ranksOf(tx, ids);
  // Those that a trial does not make would stand behind all.
  const rankOf = ({ storyId, place }: Placed) => ranks.get(storyId ?? 0) ?? `~${String(place).padStart(9, '0')}`;
  const sorted = placed.map(rankOf).sort((one, other) => (one < other ? -1 : 1));
  const changed = placed.flatMap((each, index) => {
    const rank = sorted[index];
    return rank === undefined || rank === rankOf(each) ? [] : [{ id: each.storyId ?? 0, rank }];
  });
  const isTrial = ids.length < placed.length;
  if (!isTrial) {
    await writeRanks(
      tx,
      changed,
      changed.map(({ rank }) => rank),
    );
  }
  return changed.map(({ id }) => id);
}

async function* placedStories(
  tx: Tx,
  { importId, movedTo }: Ordered,
): AsyncGenerator<Placed & { readonly list: List }> {
  let after = -1;
  for (;;) {
    const page = await stagedOrder(tx, importId, { after, limit: PAGE });
    for (const { storyId, place, before, inIcebox, isGone } of page) {
      if (isGone) continue;
      const list = movedTo.get(storyId ?? 0);
      yield { storyId, place, before: list === undefined ? before : null, list: (list ?? inIcebox) === 1 ? 1 : 0 };
    }
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = last.place;
  }
}
