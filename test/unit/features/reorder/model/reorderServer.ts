import type { MovePlace } from '../../../../../src/core/backlog/ordering.ts';
import { TrackerError } from '../../../../../src/core/errors.ts';
import type { Intent } from '../../../../../src/core/intents/intent.ts';
import type { Story, StoryEdit, StoryRef } from '../../../../../src/core/story/story.ts';
import { ModelServer } from '../../../../support/trackers/modelServer.ts';

/** The model server with the writes that putting in order is made of. */
export class ReorderServer extends ModelServer {
  /** How often something has. */
  happened = 0;
  /** When something that can be wished for was so the last time. */
  private readonly lastSo = new Map<string, number>();

  override record(...given: Parameters<ModelServer['record']>): void {
    super.record(...given);
    this.happened++;
    this.remember();
  }

  /** Whether the server had it as this wishes at some time since so much had happened. */
  wasSo(intent: Intent, since: number): boolean {
    this.remember();
    return (this.lastSo.get(factOf(intent)) ?? -1) >= since;
  }

  private remember(): void {
    const { open, icebox } = this.project(1);
    // Iterations begin with what is in progress, which is another order than that of the priorities.
    const told = this.truth(1, 0).iterations.flatMap(({ stories }) => stories);
    for (const list of [open, told, icebox]) {
      for (const [index, { id, state }] of list.entries()) {
        const next = list[index + 1]?.id;
        const facts = [`${id} is ${state}`, `${id} before ${next}`, `${next} after ${id}`];
        for (const fact of facts) this.lastSo.set(fact, this.happened);
      }
    }
  }

  moveStory({ projectId, storyId }: StoryRef, place: MovePlace, targetId: number): Story {
    const moved = this.move(projectId, storyId, targetId, place);
    if (!moved) throw new TrackerError('refused', 'Target story is missing.', { status: 422 });
    return moved;
  }

  updateStory({ projectId, storyId }: StoryRef, { state }: StoryEdit): Story {
    const story = state === undefined ? undefined : this.edit(projectId, storyId, { state });
    if (!story) throw new TrackerError('notFound', 'No such story.', { status: 404 });
    const project = this.project(projectId);
    const isIn = (stories: readonly Story[]) => stories.some(({ id }) => id === storyId);
    const others = (stories: readonly Story[]) => stories.filter(({ id }) => id !== storyId);
    const isFrozen = state === 'unscheduled';
    if (isIn(project.icebox) === isFrozen) return story;
    project.open = isFrozen ? others(project.open) : [...project.open, story];
    project.icebox = isFrozen ? [...project.icebox, story] : others(project.icebox);
    this.remember();
    return story;
  }
}

function factOf(intent: Intent): string {
  if (intent.kind === 'move') return `${intent.storyId} ${intent.place} ${intent.targetId}`;
  return `${intent.storyId} is ${intent.kind === 'edit' ? intent.edit.state : ''}`;
}
