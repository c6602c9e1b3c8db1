import assert from 'node:assert/strict';
import { type Backlog, storiesOf } from '../../../../src/core/backlog/backlog.ts';
import type { Story } from '../../../../src/core/story/story.ts';
import { type SimServer, withoutParts } from './simServer.ts';

/** What must be true of every backlog that a window shows, whatever the network and the disk do. */
export class ShownClaims {
  private readonly server: SimServer;
  /** The oldest of a story's values that may still be shown: what its server answered to this window's own write. */
  private readonly oldest = new Map<number, { readonly age: number; isSeen: boolean }>();

  /** By story: the oldest of its values that what was shown last can have been. */
  private readonly last = new Map<number, number>();

  constructor(server: SimServer) {
    this.server = server;
  }

  /** A write of this window was answered with this story; `isShown` when the window shows the story already. */
  answered(story: Story, isShown: boolean): void {
    this.limit(story.id, this.ageOf(story), isShown);
  }

  /** An edit of this window, which gave a story this name, was done. */
  named(storyId: number, name: string, isShown: boolean): void {
    const values = this.server.values.get(storyId) ?? [];
    const age = values.findIndex((value) => value.includes(`"name":${JSON.stringify(name)}`));
    this.limit(storyId, age, isShown);
  }

  private limit(storyId: number, age: number, isSeen: boolean): void {
    this.oldest.set(storyId, { age: Math.max(age, this.oldest.get(storyId)?.age ?? 0), isSeen });
  }

  /** `askedAt`: when the answer that is shown now was begun to be read, in milliseconds since the epoch. */
  check(before: Backlog | undefined, shown: Backlog, askedAt: number): void {
    const ids = storiesOf(shown).map(({ id }) => id);
    assert.deepEqual([...new Set(ids)], ids, 'no story is shown twice');
    const lost = (before ? storiesOf(before) : []).filter(({ id }) => !ids.includes(id));
    for (const { id } of lost)
      assert.ok(this.mayVanish(shown.project.id, id, askedAt), `story ${id} has a reason to go`);
    for (const story of storiesOf(shown)) this.checkAge(story);
  }

  private mayVanish(projectId: number, storyId: number, askedAt: number): boolean {
    const list = this.server.listOf(projectId, storyId);
    return list === undefined || list === 'done' || (this.server.crossedAt.get(storyId) ?? 0) >= askedAt;
  }

  /** Of a story that is still to be shown for the first time, the host's guess covers a change that is not in the answers. */
  private checkAge(story: Story): void {
    const age = this.ageOf(story);
    assert.ok(age >= 0, `story ${story.id} is shown as a server once had it`);
    this.checkProgress(story);
    const oldest = this.oldest.get(story.id);
    const { writtenDirectly, wished } = this.server;
    if (!oldest || (writtenDirectly.has(story.id) && wished.has(story.id))) return;
    oldest.isSeen ||= age >= oldest.age;
    if (oldest.isSeen)
      assert.ok(age >= oldest.age, `story ${story.id} does not go back behind this window's own change`);
  }

  /** Where only strangers write, what is shown never gets older. An answer to a window's own write may come late. */
  private checkProgress(story: Story): void {
    if (this.server.written.has(story.id)) return;
    const [value, last] = [withoutParts(story), this.last.get(story.id) ?? 0];
    const age = (this.server.values.get(story.id) ?? []).findIndex((one, index) => index >= last && one === value);
    assert.ok(age >= 0, `story ${story.id} does not go back behind what was shown before`);
    this.last.set(story.id, age);
  }

  private ageOf(story: Story): number {
    return this.server.values.get(story.id)?.lastIndexOf(withoutParts(story)) ?? -1;
  }
}
