import type { Story } from '../story/story.ts';
import { folded } from '../text.ts';

/** Characters of folded stories that are remembered. */
const MOST_KEPT = 16 * 1024 * 1024;

/** What filters compare of a story, folded when a filter first asks for it: one by type leaves descriptions alone. */
export class FoldedStory {
  private readonly story: Story;
  private _type: string | undefined;
  private _state: string | undefined;
  private _labels: readonly string[] | undefined;
  private _requester: readonly string[] | undefined;
  private _owner: readonly string[] | undefined;
  private _ticket: { readonly id: string; readonly prefix: string } | undefined;
  private _texts: readonly string[] | undefined;

  constructor(story: Story) {
    this.story = story;
  }

  get type(): string {
    this._type ??= remembered(folded(this.story.type));
    return this._type;
  }

  get state(): string {
    this._state ??= remembered(folded(this.story.state));
    return this._state;
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
