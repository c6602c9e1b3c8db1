import type { Intent } from '../../../../src/core/intents/intent.ts';
import type { Seeded } from '../../../support/measures/seeded.ts';
import type { SimServer } from './simServer.ts';

/** What tells a wish from all others, in its own text. */
export const WISH = /wish-\d+-/;

/** Makes what people want; each can be told from all others where it has a text. */
export class Intents {
  private count = 0;
  private readonly server: SimServer;
  private readonly chance: Seeded;

  constructor(server: SimServer, chance: Seeded) {
    this.server = server;
    this.chance = chance;
  }

  /** Some at once, as when several stories are dragged. */
  some(projectId: number): readonly Intent[] {
    const times = this.chance.of([1, 1, 1, 2, 3]) ?? 1;
    return Array.from({ length: times }, () => this.one(projectId)).flatMap((one) => one ?? []);
  }

  private one(projectId: number): Intent | undefined {
    const { chance, server } = this;
    const storyId = chance.of(server.storyIds(projectId));
    if (storyId === undefined) return undefined;
    const text = `wish-${++this.count}-`;
    switch (chance.below(6)) {
      case 0: {
        const commit = { commitId: `${text}c0ffee`, message: `[fixes #${storyId}] Trim`, author: 'Ada Fenn' };
        return { kind: 'link', storyId, stories: [{ projectId, storyId }], commit };
      }
      case 1:
      case 2:
        return { kind: 'comment', storyId, text };
      case 3: {
        const targetId = chance.of(server.storyIds(projectId)) ?? storyId;
        return { kind: 'move', storyId, place: chance.of(['before', 'after'] as const) ?? 'after', targetId };
      }
      default:
        return { kind: 'edit', storyId, edit: { name: text, ...(chance.chance(3) && { estimate: chance.below(8) }) } };
    }
  }
}
