import { needsEstimate } from '../../core/backlog/workflow.ts';
import type { Project } from '../../core/story/project.ts';
import type { Story, StoryEdit } from '../../core/story/story.ts';
import { askEstimate } from './askEstimate.ts';

export type StateEdit = StoryEdit & { readonly state: string };

/**
 * The edit that moves a story to `state`, with the estimate that the state needs: the one given, else the one asked for.
 * `undefined` when the person turned away.
 */
export async function estimatedEdit(
  state: string,
  estimate: number | undefined,
  story: Story,
  project: Project,
): Promise<StateEdit | undefined> {
  if (estimate !== undefined) return { state, estimate };
  if (!needsEstimate(story.type, state, story.estimate, project)) return { state };
  const chosen = await askEstimate(story, project);
  return chosen === undefined ? undefined : { state, estimate: chosen };
}
