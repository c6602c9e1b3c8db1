import assert from 'node:assert/strict';
import type { Story } from '../../../src/core/story/story.ts';

/** What a story is known to hold. */
export interface KnownStory {
  readonly name: string;
  readonly id: number;
  /** Who made it: nobody else moves it. */
  readonly writer: string;
  /** False for those of the icebox, which are made to be deleted. */
  readonly isPlanned: boolean;
  description: string;
  /** Whether it was given to Bea, who is told of that by mail. */
  isAssigned: boolean;
  readonly notes: string[];
  readonly files: string[];
}

/** A project as those who write to it know it: what was answered as done, and what was found to have been. */
export class KnownProject {
  readonly id: number;
  readonly stories = new Map<string, KnownStory>();
  /** The planned stories of each writer in their order; those of others may stand between. */
  readonly orders = new Map<string, readonly string[]>();
  /** How often an activity was told, by its description. */
  private readonly told = new Map<string, number>();
  /** How often more it may have been. */
  private readonly perhaps = new Map<string, number>();

  constructor(id: number) {
    this.id = id;
  }

  add(story: KnownStory): void {
    this.stories.set(story.name, story);
    if (story.isPlanned) this.orders.set(story.writer, [...this.orderOf(story.writer), story.name]);
    this.tell(`added "${story.name}"`);
  }

  orderOf(writer: string): readonly string[] {
    return this.orders.get(writer) ?? [];
  }

  /** Once more was told what a user did. */
  tell(description: string, by = 'Ada'): void {
    count(this.told, `${by} ${description}`);
  }

  /** It may have been, and may not. */
  mayTell(description: string): void {
    count(this.perhaps, `Ada ${description}`);
  }

  /** That the service holds all that is known and nothing else, each once and in order. */
  assertHeld(held: readonly Story[]): void {
    assert.deepEqual(held.map(({ name }) => name).sort(), [...this.stories.keys()].sort());
    for (const story of held) this.assertStory(story);
    for (const [writer, order] of this.orders) {
      const own = held.filter(({ name }) => order.includes(name)).map(({ name }) => name);
      assert.deepEqual(own, order, `the order of ${writer}`);
    }
  }

  /** That each change was told of as often as it was made. */
  assertTold(descriptions: readonly string[]): void {
    const seen = new Map<string, number>();
    for (const description of descriptions) count(seen, description);
    for (const description of new Set([...seen.keys(), ...this.told.keys()])) {
      const [times = 0, least = 0] = [seen.get(description), this.told.get(description)];
      const most = least + (this.perhaps.get(description) ?? 0);
      assert.ok(times >= least && times <= most, `${description}: told ${times} times, not ${least} to ${most}`);
    }
  }

  private assertStory({ id, name, description, notes, attachments }: Story): void {
    const known = this.stories.get(name);
    assert.ok(known);
    assert.equal(id, known.id, name);
    assert.equal(description ?? '', known.description, name);
    assert.deepEqual(notes.map(({ text }) => text).sort(), [...known.notes].sort(), name);
    assert.deepEqual(attachments.map(({ filename }) => filename).sort(), [...known.files].sort(), name);
  }
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
