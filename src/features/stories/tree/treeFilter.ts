import { reachesDone } from '../../../core/filter/doneFilter.ts';
import { type Filter, type FilterContext, matches, parseFilter } from '../../../core/filter/filter.ts';
import type { Story } from '../../../core/story/story.ts';
import type { ProjectKey } from '../../../host/tree/nodes.ts';
import { DoneSearch, type DoneSource, noDoneSource } from './doneSearch.ts';

/** A filter on stories, which asks each story once, however often the tree is painted. */
export class TreeFilter {
  readonly text: string;
  /** Done iterations are not looked at. */
  readonly hidesDone: boolean;
  /** What servers have of the done iterations that are not loaded. */
  readonly done: DoneSearch;
  private readonly filter: Filter;
  private readonly contextOf: (key: ProjectKey) => FilterContext;
  private readonly known = new WeakMap<Story, boolean>();

  /** @throws TrackerError `input` when the text is no filter. */
  constructor(text: string, contextOf: (key: ProjectKey) => FilterContext, source: DoneSource = noDoneSource) {
    this.text = text;
    this.filter = parseFilter(text);
    this.hidesDone = !reachesDone(text, this.filter);
    this.contextOf = contextOf;
    this.done = new DoneSearch(text, source, (key, story) => this.passes(key, story));
  }

  passes(key: ProjectKey, story: Story): boolean {
    const known = this.known.get(story);
    if (known !== undefined) return known;
    const passes = matches(this.filter, story, this.contextOf(key));
    this.known.set(story, passes);
    return passes;
  }
}
