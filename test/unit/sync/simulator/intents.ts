import { type Backlog, findStory } from '../../../../src/core/backlog/backlog.ts';
import type { Beside, Intent } from '../../../../src/core/intents/intent.ts';
import type { StoryRef, Task } from '../../../../src/core/story/story.ts';
import type { Seeded } from '../../../support/measures/seeded.ts';
import type { SimServer } from './simServer.ts';

/** What tells a wish from all others, in its own text. */
export const WISH = /wish-\d+-/;
const NEW = 'new';

/**
 * Whether a window made this story, which is known again by its name while nobody knows whether it was made: it keeps its name, and
 * stays where it is.
 */
export function isWishedFor(server: SimServer, projectId: number, storyId: number): boolean {
  if (!server.storyIds(projectId).includes(storyId)) return false;
  return server.getStory({ projectId, storyId }).name.endsWith(NEW);
}

/** As `isWishedFor`, of a task, which is known again by its text. */
export function isWishedTask({ description }: Task): boolean {
  return description.endsWith(NEW);
}

/** Makes what people want; each can be told from all others where it has a text. */
export class Intents {
  private count = 0;
  private readonly server: SimServer;
  private readonly chance: Seeded;
  /** What was last written to a field, so that the next one may be written on top of it before that was sent. */
  private readonly last = new Map<string, string>();

  constructor(server: SimServer, chance: Seeded) {
    this.server = server;
    this.chance = chance;
  }

  /** Some at once, as when several stories are dragged; by someone who sees the project so, in a window of this outbox. */
  some(projectId: number, shown: Backlog | undefined, outbox: string): readonly Intent[] {
    const times = this.chance.of([1, 1, 1, 2, 3]) ?? 1;
    return Array.from({ length: times }, () => this.one(projectId, shown, outbox)).flatMap((one) => one ?? []);
  }

  private one(projectId: number, shown: Backlog | undefined, outbox: string): Intent | undefined {
    const { chance, server } = this;
    const storyId = chance.of(server.storyIds(projectId));
    if (storyId === undefined) return undefined;
    const ref = { projectId, storyId };
    const text = `wish-${++this.count}-`;
    switch (chance.below(14)) {
      case 0: {
        const ids = new Set([storyId, chance.chance(3) ? (chance.of(server.storyIds(projectId)) ?? storyId) : storyId]);
        const marker = `[fixes ${[...ids].map((id) => `#${id}`).join(' ')}]`;
        // Two of the same message are told apart within one outbox only.
        const commit = { commitId: `${text}c0ffee`, message: `Trim ${outbox}\n\n${marker}\n`, author: 'Ada Fenn' };
        return { kind: 'link', storyId, stories: [...ids].map((id) => ({ projectId, storyId: id })), commit };
      }
      case 1:
      case 2:
        return { kind: 'comment', storyId, text };
      case 3:
      case 4:
        return { kind: 'move', storyId, ...this.spot(projectId, storyId) };
      case 5:
        return {
          ...{ kind: 'newTask', storyId, description: text + NEW },
          ...(chance.chance(3) && { complete: true }),
          ...(chance.chance(3) && { position: 1 + chance.below(3) }),
        };
      case 6:
      case 7:
        return this.ofTask(ref, text);
      case 8: {
        const beside = chance.chance(2) ? { beside: this.spot(projectId, storyId) } : {};
        const state = chance.of(['unscheduled', 'unstarted']) ?? 'unstarted';
        const task = { description: text + NEW, complete: chance.chance(2) };
        const tasks = chance.chance(3) ? { tasks: [task, task] } : {};
        const story = { name: text + NEW, type: 'bug', state };
        return { kind: 'newStory', storyId: -this.count, story, ...beside, ...tasks };
      }
      case 9: {
        if (isWishedFor(server, projectId, storyId)) return { kind: 'comment', storyId, text };
        return chance.chance(2)
          ? { kind: 'deleteStory', storyId }
          : { kind: 'moveToProject', storyId, targetProjectId: 3 - projectId };
      }
      case 10:
      case 11:
      case 12:
        return this.knowingEdit(ref, text, shown);
      default:
        if (isWishedFor(server, projectId, storyId)) return { kind: 'edit', storyId, edit: { description: text } };
        return { kind: 'edit', storyId, edit: { name: text, ...(chance.chance(3) && { estimate: chance.below(8) }) } };
    }
  }

  private spot(projectId: number, storyId: number): Beside {
    const { chance, server } = this;
    const targetId = chance.of(server.storyIds(projectId)) ?? storyId;
    return { place: chance.of(['before', 'after'] as const) ?? 'after', targetId };
  }

  /** On top of what is shown, or of what was written before, which may not have been sent yet. */
  private knowingEdit(ref: StoryRef, text: string, shown: Backlog | undefined): Intent | undefined {
    const { chance, server, last } = this;
    const { projectId, storyId } = ref;
    const story = shown && findStory(shown, storyId);
    if (!story) return undefined;
    const field = isWishedFor(server, projectId, storyId) || chance.chance(2) ? 'description' : 'name';
    const before = last.get(`${storyId} ${field}`);
    const seen = before !== undefined && chance.chance(2) ? before : (story[field] ?? '');
    last.set(`${storyId} ${field}`, text);
    return { kind: 'edit', storyId, edit: { [field]: text }, known: { [field]: seen } };
  }

  private ofTask(ref: StoryRef, text: string): Intent | undefined {
    const { chance, server, last } = this;
    const { storyId } = ref;
    const task = chance.of(server.listTasks(ref));
    if (!task) return undefined;
    const taskId = task.id;
    const action = isWishedTask(task) ? 1 + chance.below(2) : chance.below(6);
    if (action === 0) return { kind: 'deleteTask', storyId, taskId };
    if (action === 1) return { kind: 'task', storyId, taskId, complete: chance.chance(2) };
    if (action === 2) return { kind: 'moveTask', storyId, taskId, position: 1 + chance.below(4) };
    const known = chance.chance(3) ? (last.get(`task ${taskId}`) ?? task.description) : task.description;
    last.set(`task ${taskId}`, text);
    return { kind: 'editTask', storyId, taskId, description: text, known };
  }
}
