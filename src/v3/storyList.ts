import { arrayElement } from './element.ts';
import { type Item, type LongElement, lazily } from './longDocument.ts';

/** What a story list says about itself: how many there are in all, and what was asked. */
interface StoryListFacts {
  readonly total?: number;
  readonly limit?: number;
  readonly filter?: string;
}

/**
 * A document of stories, for as many as there may be; `item` writes one. To be written once. Without any it has a closing tag, as
 * recordings have it (protocol.md, Proven since).
 */
export function longStories<S>(stories: readonly S[], facts: StoryListFacts, item: (story: S) => Item): LongElement {
  const start = arrayElement('stories', [], listAttributes(stories, facts));
  return { start, items: lazily(stories, item), empty: { ...start, hasClosingTag: true } };
}

function listAttributes(stories: readonly unknown[], facts: StoryListFacts): Readonly<Record<string, string>> {
  const attributes: Record<string, string> = {
    count: String(stories.length),
    total: String(facts.total ?? stories.length),
  };
  if (facts.limit !== undefined) attributes.limit = String(facts.limit);
  if (facts.filter !== undefined) attributes.filter = facts.filter;
  return attributes;
}
