import type { Story } from '../../core/story/story.ts';
import type { Item } from '../../v3/longDocument.ts';
import { storyElement } from '../../v3/story.ts';
import { writeElement } from '../../v3/write.ts';
import { withAddress } from '../http/storyPage.ts';
import { LeastRecentlyUsed } from '../memory/leastRecentlyUsed.ts';

const MEMORY = 24 * 1024 * 1024;
/** Bytes of a character, at most. */
const CHARACTER = 2;

/** The written texts of stories, each good for as long as the story is the same value. */
export class StoryTexts {
  private readonly texts = new LeastRecentlyUsed<string, { readonly story: Story; readonly text: string }>(MEMORY);

  /** Writes stories with the addresses of their pages, as the caller reaches this service. */
  item(base: string): (story: Story) => Item {
    return (story) => (depth) => this.text(story, base, depth);
  }

  private text(story: Story, base: string, depth: number): string {
    const key = `${story.id} ${depth} ${base}`;
    const known = this.texts.get(key);
    if (known?.story === story) return known.text;
    const text = writeElement(storyElement(withAddress(story, base)), depth);
    this.texts.set(key, { story, text }, CHARACTER * (key.length + text.length));
    return text;
  }
}
