import { type Filter, type FilterContext, hidesDone, matches, parseFilter } from '../../core/filter.ts';
import type { Story } from '../../core/story.ts';
import { inSlices } from '../../host/inSlices.ts';
import type { ProjectKey } from '../../host/nodes.ts';

/** A filter on the story tree, which asks each story once, however often the tree is painted. */
export class TreeFilter {
  readonly text: string;
  private readonly filter: Filter;
  private readonly contextOf: (key: ProjectKey) => FilterContext;
  private readonly known = new WeakMap<Story, boolean>();

  /** @throws TrackerError `input` when the text is no filter. */
  constructor(text: string, contextOf: (key: ProjectKey) => FilterContext) {
    this.text = text;
    this.filter = parseFilter(text);
    this.contextOf = contextOf;
  }

  get hidesDone(): boolean {
    return hidesDone(this.filter);
  }

  passes(key: ProjectKey, story: Story): boolean {
    const known = this.known.get(story);
    if (known !== undefined) return known;
    const passes = matches(this.filter, story, this.contextOf(key));
    this.known.set(story, passes);
    return passes;
  }

  /** Asks all these stories, giving way in between, so that painting them afterwards takes no time. */
  async prepare(key: ProjectKey, stories: readonly Story[]): Promise<void> {
    await inSlices(stories, (story) => this.passes(key, story));
  }
}
