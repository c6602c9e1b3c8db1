import type { ProjectKey } from './nodes.ts';

/** A row about a story that need not be among those that were read; commands take it as they take a story's own row. */
export class NamedStory {
  readonly key: ProjectKey;
  readonly storyId: number;
  constructor(key: ProjectKey, storyId: number) {
    this.key = key;
    this.storyId = storyId;
  }
}
