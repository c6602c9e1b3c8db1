import { MAX_STORY_NAME } from '../limits.ts';
import type { Project } from '../story/project.ts';
import type { NewStory, Story } from '../story/story.ts';
import { isEstimatable } from './workflow.ts';

/** What of a project decides what its new stories may have. */
type Rules = Partial<Pick<Project, 'bugsAndChoresAreEstimatable' | 'memberships' | 'pointScale'>>;

/**
 * What was planned of a story, under a new name, as far as its project takes it: not an owner who has left, points that are no longer on
 * the scale or not for its type, nor the deadline of what is no release. Rules that are not known forbid nothing.
 */
export function plannedCopy(
  { type, estimate = -1, ...story }: Story,
  name: string,
  rules: Rules | undefined,
): NewStory {
  const { description, ownedBy, deadline, labels } = story;
  const { memberships = [], pointScale = [] } = rules ?? {};
  const isMember = memberships.length === 0 || memberships.some(({ person }) => person.name === ownedBy);
  const isOnScale = pointScale.length === 0 || pointScale.includes(estimate);
  const isEstimated = estimate >= 0 && isOnScale && (!rules || isEstimatable(type, rules));
  return {
    ...{ name: name.slice(0, MAX_STORY_NAME).replace(/[\ud800-\udbff]$/, ''), type, labels },
    ...(isEstimated && { estimate }),
    // An empty one is no invitation to fill in the template of its type.
    description: description ?? null,
    ...(ownedBy !== undefined && isMember && { ownedBy }),
    ...(deadline !== undefined && type === 'release' && { deadline }),
  };
}
