import { folded } from '../../../core/text.ts';
import { inSlices } from '../../../host/shell/turnBudget.ts';
import type { FoundStory } from '../../../host/tree/nodes.ts';

/** How well a story answers a search; less is better. */
const ranks = { exactId: 0, startOfName: 1, words: 2, startOfId: 3, none: 4 } as const;

/** Finds stories by `#id`, the beginning of an id, or words of the name and the labels. Gives way while it searches. */
export class StorySearch {
  private readonly texts = new WeakMap<object, string>();
  private readonly byInterest = new Map<number, readonly FoundStory[]>();
  private stories: readonly FoundStory[] = [];

  /** The lower its interest, the earlier a story is found, of whatever project it is; where it is the same, in the order given. */
  add(stories: readonly FoundStory[], interestOf: (found: FoundStory) => number = () => 0): void {
    for (const [interest, found] of Map.groupBy(stories, interestOf)) {
      this.byInterest.set(interest, [...(this.byInterest.get(interest) ?? []), ...found]);
    }
    const inOrder = [...this.byInterest].toSorted(([one], [other]) => one - other);
    this.stories = inOrder.flatMap(([, found]) => found);
  }

  /** At most `limit` stories: an exact id first, then those that have all the words; in each, the more interesting first. */
  async find(query: string, limit: number, signal?: AbortSignal): Promise<readonly FoundStory[]> {
    const wanted = folded(query.trim());
    const words = wanted.split(/\s+/u).filter((word) => word !== '');
    const best: FoundStory[][] = [[], [], [], []];
    const look = (found: FoundStory) => {
      const list = best[this.rankOf(found, wanted, words)];
      if (list && list.length < limit) list.push(found);
    };
    if (words.length === 0) return this.stories.slice(0, limit);
    await inSlices(this.stories, look, signal);
    return best.flat().slice(0, limit);
  }

  private rankOf({ story }: FoundStory, wanted: string, words: readonly string[]): number {
    const id = String(story.id);
    const digits = wanted.replace(/^#/, '');
    if (id === digits) return ranks.exactId;
    const text = this.textOf(story);
    if (words.every((word) => text.includes(word))) return text.startsWith(wanted) ? ranks.startOfName : ranks.words;
    return digits !== '' && id.startsWith(digits) ? ranks.startOfId : ranks.none;
  }

  private textOf(story: FoundStory['story']): string {
    const known = this.texts.get(story);
    if (known !== undefined) return known;
    const text = folded([story.name, ...story.labels].join('\n'));
    this.texts.set(story, text);
    return text;
  }
}

/** The id that a search can only mean: a whole number, with or without `#`. */
export function searchedId(query: string): number | undefined {
  const [, digits] = /^#?([1-9]\d{0,14})$/.exec(query.trim()) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/**
 * The story that a link of the form `vscode://story-tracker.story-tracker/story/12` means; `undefined` for every other
 * link, and for one that carries anything more.
 */
export function linkedStory(link: { readonly path: string; readonly query: string; readonly fragment: string }) {
  const [, digits] = /^\/story\/([1-9]\d{0,14})$/.exec(link.path) ?? [];
  return digits === undefined || link.query !== '' || link.fragment !== '' ? undefined : Number(digits);
}
