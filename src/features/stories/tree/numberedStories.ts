import { isPendingStory } from '../../../core/intents/editedStory.ts';
import type { Story } from '../../../core/story/story.ts';
import { newestAlike } from '../../../host/story/newStories.ts';

/** A story that no server had, and the number by which one has it now. */
interface NumberedStory {
  readonly formerId: number;
  readonly storyId: number;
}

interface AwaitedStory {
  readonly story: Story;
  /** Those that were there when it was first seen; it is another one. */
  readonly others: ReadonlySet<number>;
}

/** Tells which stories of a project that had no number have got one: those of the same words that came since. */
export class NumberedStories {
  private readonly awaited = new Map<number, AwaitedStory>();

  /** What has got its number since it was last asked, all stories of the project being these. */
  update(stories: readonly Story[]): readonly NumberedStory[] {
    const pending = stories.filter(isPendingStory);
    if (pending.length + this.awaited.size === 0) return [];
    const ids = new Set(stories.map(({ id }) => id));
    const numbered: NumberedStory[] = [];
    for (const [formerId, { story, others }] of [...this.awaited].filter(([id]) => !ids.has(id))) {
      this.awaited.delete(formerId);
      const isNew = (id: number) => !others.has(id) && numbered.every(({ storyId }) => storyId !== id);
      const storyId = newestAlike(stories, story, isNew);
      if (storyId !== undefined) numbered.push({ formerId, storyId });
    }
    for (const story of pending) {
      this.awaited.set(story.id, { story, others: this.awaited.get(story.id)?.others ?? ids });
    }
    return numbered;
  }
}
