import type { ToldActivity } from '../../core/replica/replica.ts';
import { NamedStory } from '../../host/tree/nodes.ts';
import type { Thread } from './threads.ts';

/** What happened to a story: the latest, with what was before below it; or one of those before. */
export class StoryActivityRow extends NamedStory {
  readonly id: string;
  readonly latest: ToldActivity;
  /** Newest first. */
  readonly before: readonly ToldActivity[];
  readonly parent: StoryActivityRow | undefined;
  constructor(id: string, storyId: number, told: Thread['told'], parent?: StoryActivityRow) {
    const [latest, ...before] = told;
    super(latest.project, storyId);
    this.id = id;
    this.latest = latest;
    this.before = before;
    this.parent = parent;
  }
}

/** What happened to no story, or to several. */
export class LooseActivityRow {
  readonly id: string;
  readonly latest: ToldActivity;
  constructor(id: string, latest: ToldActivity) {
    this.id = id;
    this.latest = latest;
  }
}

/** "Show More" at the end. */
export class OlderRow {}

export type ActivityRow = StoryActivityRow | LooseActivityRow | OlderRow;
