import type { Story } from '../story/story.ts';
import { folded } from '../text.ts';

/** Characters of folded stories that are remembered. */
const MOST_KEPT = 16 * 1024 * 1024;

/** Fields that hold a text. */
type Line = keyof { [K in keyof Story as Story[K] extends string | undefined ? K : never]: true };

/** What filters compare of a story, folded when a filter first asks for it: one by type leaves descriptions alone. */
export class FoldedStory {
  private readonly story: Story;
  private readonly _lines: Partial<Record<Line, string>> = {};
  private _labels: readonly string[] | undefined;
  private _requester: readonly string[] | undefined;
  private _owner: readonly string[] | undefined;
  private _ticket: { readonly id: string; readonly prefix: string } | undefined;
  private _texts: readonly string[] | undefined;

  constructor(story: Story) {
    this.story = story;
  }

  /** A field of one line; empty where the story has none. */
  line(field: Line): string {
    this._lines[field] ??= remembered(folded(this.story[field] ?? ''));
    return this._lines[field];
  }

  get labels(): readonly string[] {
    this._labels ??= this.story.labels.map((label) => remembered(folded(label)));
    return this._labels;
  }

  /** The whole name, and its words. */
  get requester(): readonly string[] {
    this._requester ??= namesOf(this.story.requestedBy);
    return this._requester;
  }

  /** The whole name, and its words. */
  get owner(): readonly string[] {
    this._owner ??= namesOf(this.story.ownedBy);
    return this._owner;
  }

  /** What the linked ticket is called, and what its element is called after. */
  get ticket(): { readonly id: string; readonly prefix: string } | undefined {
    const { ticket } = this.story;
    this._ticket ??= ticket && { id: remembered(folded(ticket.externalId)), prefix: remembered(folded(ticket.prefix)) };
    return this._ticket;
  }

  /** In which words are looked for. */
  get texts(): readonly string[] {
    this._texts ??= [...textsOf(this.story), ...this.labels, ...this.requester.slice(0, 1), ...this.owner.slice(0, 1)];
    return this._texts;
  }
}

let known = new WeakMap<Story, FoldedStory>();
let kept = 0;

/** Folded once a story, not once a word and filter. */
export function foldedStory(story: Story): FoldedStory {
  if (kept > MOST_KEPT) {
    known = new WeakMap();
    kept = 0;
  }
  const before = known.get(story);
  if (before) return before;
  const made = new FoldedStory(story);
  known.set(story, made);
  return made;
}

function textsOf({ name, description = '' }: Story): readonly string[] {
  return [name, description].map((text) => remembered(folded(text)));
}

function remembered(text: string): string {
  kept += text.length;
  return text;
}

function namesOf(person: string | undefined): readonly string[] {
  if (person === undefined) return [];
  const name = remembered(folded(person));
  return [name, ...name.split(/\s+/u)];
}
