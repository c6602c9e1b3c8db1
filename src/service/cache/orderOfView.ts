import { orderDigest } from '../../v3/orderDigest.ts';
import type { ProjectView } from './projectViews.ts';

const digests = new WeakMap<ProjectView, string>();

/** The digest of a view's order, made on first use and once a view. */
export function orderOfView(view: ProjectView): string {
  const known = digests.get(view);
  if (known !== undefined) return known;
  const { current, backlog, icebox } = view.plan;
  const iterations = [current, ...backlog].map((planned) => ({ ...planned, storyIds: idsOf(planned.stories) }));
  const digest = orderDigest(iterations, idsOf(icebox));
  digests.set(view, digest);
  return digest;
}

function idsOf(stories: readonly { readonly id: number }[]): readonly number[] {
  return stories.map(({ id }) => id);
}
