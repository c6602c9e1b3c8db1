import type { PlannedStory } from '../../core/plannedIteration.ts';
import type { Plan } from '../../core/planning.ts';
import { orderDigest } from '../../v3/orderDigest.ts';
import type { ProjectView } from './projectViews.ts';

const digests = new WeakMap<ProjectView, string>();

/** The digest of a view's order, made on first use and once a view. */
export function orderOfView(view: ProjectView): string {
  const known = digests.get(view);
  if (known !== undefined) return known;
  const digest = orderOfPlan(view.plan);
  digests.set(view, digest);
  return digest;
}

export function orderOfPlan({ current, backlog, icebox }: Plan<PlannedStory>): string {
  const iterations = [current, ...backlog].map((planned) => ({ ...planned, storyIds: idsOf(planned.stories) }));
  return orderDigest(iterations, idsOf(icebox));
}

function idsOf(stories: readonly { readonly id: number }[]): readonly number[] {
  return stories.map(({ id }) => id);
}
