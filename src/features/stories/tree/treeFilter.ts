import type { Days } from '../../../core/calendar.ts';
import { messageOf } from '../../../core/errors.ts';
import {
  doneQuery,
  type FilterContext,
  matches,
  parseFilter,
  reachesDone,
  type TypedFilter,
} from '../../../core/filter/filter.ts';
import type { StoryOrder } from '../../../core/filter/viewTerms.ts';
import type { CallOptions, StoryQuery } from '../../../core/ports/tracker.ts';
import type { Project } from '../../../core/story/project.ts';
import { keyText, type ProjectKey } from '../../../core/story/projectKey.ts';
import type { Story } from '../../../core/story/story.ts';
import { localDays } from '../../../host/shell/localDays.ts';
import type { SearchProgress } from '../../../host/tree/nodes.ts';

/** A filter on stories, which asks each story once a day, however often the tree is painted: `today` is another one tomorrow. */
export class TreeFilter {
  readonly text: string;
  /** Done iterations are not looked at. */
  readonly hidesDone: boolean;
  /** What servers have of the done iterations that are not loaded. */
  readonly done: DoneSearch;
  private readonly filter: TypedFilter;
  private readonly contextOf: (key: ProjectKey) => FilterContext;
  private readonly clock: () => number;
  private readonly days: Days;
  private known = new WeakMap<Story, boolean>();
  /** The day for which stories were asked: from its first moment until the next one's. */
  private asked = { from: 0, until: 0 };

  /** @throws TrackerError `input` when the text is no filter. */
  constructor(
    text: string,
    contextOf: (key: ProjectKey) => FilterContext,
    source: DoneSource = noDoneSource,
    clock: () => number = Date.now,
    days: Days = localDays,
  ) {
    this.text = text;
    this.filter = parseFilter(text);
    this.hidesDone = !reachesDone(text, this.filter);
    this.contextOf = contextOf;
    this.clock = clock;
    this.days = days;
    this.done = new DoneSearch(text, source, (key, story) => this.passes(key, story), days);
  }

  /** How its stories are sorted; absent for priority order. */
  get order(): StoryOrder | undefined {
    return this.filter.order;
  }

  /** Whether it is about this project. */
  includes(project: Pick<Project, 'id' | 'name'>): boolean {
    return this.filter.projectTests.every((test) => test(project));
  }

  passes(key: ProjectKey, story: Story): boolean {
    this.noticeDay(this.clock());
    const known = this.known.get(story);
    if (known !== undefined) return known;
    const passes = matches(this.filter, story, { ...this.contextOf(key), days: this.days });
    this.known.set(story, passes);
    return passes;
  }

  private noticeDay(now: number): void {
    if (now >= this.asked.from && now < this.asked.until) return;
    const day = this.days.dayAt(now);
    this.asked = { from: this.days.startOf(day), until: this.days.startOf(day + 1) };
    this.known = new WeakMap();
  }
}

/** Where done stories are asked for, and who is told of answers. */
interface DoneSource {
  list(key: ProjectKey, query: StoryQuery, options: CallOptions): Promise<readonly Story[]>;
  changed(key: ProjectKey): void;
}

const noDoneSource: DoneSource = { list: async () => [], changed: () => undefined };

interface Search {
  readonly progress: SearchProgress | undefined;
  readonly stories: readonly Story[];
}

const PAGE = 100;
const unsearched: Search = { progress: { state: 'offered' }, stories: [] };

/** What one filter finds on servers in done iterations, project by project, once it is asked to look. */
class DoneSearch {
  private readonly text: string;
  private readonly source: DoneSource;
  private readonly passes: (key: ProjectKey, story: Story) => boolean;
  private readonly days: Days;
  private readonly searches = new Map<string, Search>();
  private readonly ending = new AbortController();

  constructor(text: string, source: DoneSource, passes: (key: ProjectKey, story: Story) => boolean, days: Days) {
    this.text = text;
    this.source = source;
    this.passes = passes;
    this.days = days;
  }

  /** In the server's order; the same list as long as nothing more is found. */
  foundIn(key: ProjectKey): readonly Story[] {
    return this.of(key).stories;
  }

  /** `undefined` once all is searched. */
  progressIn(key: ProjectKey): SearchProgress | undefined {
    return this.of(key).progress;
  }

  /** Asks page by page; what fails is told by `progressIn`. */
  async search(key: ProjectKey): Promise<void> {
    const state = this.of(key).progress?.state;
    if (state === undefined || state === 'searching') return;
    this.put(key, { progress: { state: 'searching' }, stories: [] });
    try {
      await this.read(key);
    } catch (thrown) {
      const { stories } = this.of(key);
      this.put(key, { progress: { state: 'failed', problem: messageOf(thrown) }, stories });
    }
  }

  /** Answers that are still to come are dropped. */
  dispose(): void {
    this.ending.abort();
  }

  private async read(key: ProjectKey): Promise<void> {
    const filter = doneQuery(this.text, Date.now(), this.days);
    const seen = new Set<number>();
    const { signal } = this.ending;
    for (let offset = 0, isMore = filter !== undefined; isMore && filter !== undefined; offset += PAGE) {
      const page = await this.source.list(key, { filter, limit: PAGE, offset }, { signal });
      if (signal.aborted) return;
      const fresh = page.filter(({ id }) => !seen.has(id) && seen.add(id));
      // A server that knows no pages tells the same again.
      isMore = page.length >= PAGE && fresh.length > 0;
      const found = fresh.filter((story) => this.passes(key, story));
      this.put(key, { progress: { state: 'searching' }, stories: [...this.of(key).stories, ...found] });
    }
    this.put(key, { progress: undefined, stories: this.of(key).stories });
  }

  private of(key: ProjectKey): Search {
    return this.searches.get(keyText(key)) ?? unsearched;
  }

  private put(key: ProjectKey, search: Search): void {
    if (this.ending.signal.aborted) return;
    this.searches.set(keyText(key), search);
    this.source.changed(key);
  }
}
