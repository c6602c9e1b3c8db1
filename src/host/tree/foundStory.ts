import type { Story } from '../../core/story/story.ts';
import type { ProjectKey } from './nodes.ts';

/** A story, and which account's project it is in. */
export interface FoundStory {
  readonly key: ProjectKey;
  readonly story: Story;
}
