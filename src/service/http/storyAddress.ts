import type { Story } from '../../core/story.ts';

/** A story with the address of its page, as the caller reaches this service. */
export function withAddress(story: Story, base: string): Story {
  return { ...story, url: `${base}/story/show/${story.id}` };
}
