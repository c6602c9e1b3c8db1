import type { Story } from '../../core/story/story.ts';
import { storyLabel } from '../../host/story/storyLabel.ts';

/** Characters of a story's name in a message. */
const LENGTH = 80;

/** A story's name, shortened and in quotation marks; its number where it is not known. */
export function storyInSentence(story: Story | undefined, storyId: number): string {
  const name = storyLabel(story ?? { id: storyId, name: '' }).replace(/\s+/g, ' ');
  return `“${name.length > LENGTH ? `${name.slice(0, LENGTH).trimEnd()}…` : name}”`;
}
