import { fittingPoints, isEstimatable } from '../../core/backlog/workflow.ts';
import type { NewTask } from '../../core/intents/intent.ts';
import { MAX_STORY_NAME } from '../../core/limits.ts';
import type { Project } from '../../core/story/project.ts';
import type { NewStory, Story } from '../../core/story/story.ts';
import { fieldsOf, givenFields, WRITTEN_FIELDS } from '../../core/story/storyFields.ts';
import type { WantedStory } from './newStories.ts';

/** A story that is made again, with the number that it had. */
export interface WantedAgain extends WantedStory {
  readonly former: number;
}

export function tasksAgain({ tasks }: Story): readonly NewTask[] {
  return tasks.map(({ description, complete }) => ({ description, complete }));
}

/** But for what servers set themselves, the date of creation too. */
export function fieldsAgain(story: Story): NewStory {
  const { name, ticket } = story;
  const again = Object.entries(fieldsOf(story, [...WRITTEN_FIELDS, 'state', 'acceptedAt'])).filter(
    ([, value]) => value !== null,
  );
  const linked = ticket && { prefix: ticket.prefix, externalId: ticket.externalId, ...integrationOf(ticket) };
  return { ...Object.fromEntries(again), ...(linked && { ticket: linked }), name };
}

function integrationOf({ integrationId }: NonNullable<Story['ticket']>) {
  return integrationId === undefined ? {} : { integrationId };
}

/** Without what a server may refuse: people who left, a ticket that is gone, points of another scale. */
export function fitting({ story, ...others }: WantedAgain, project: Project | undefined): WantedAgain {
  const { requestedBy: _requester, ownedBy: _owner, ticket: _ticket, estimate, ...kept } = story;
  const isEstimated = typeof estimate === 'number';
  const points = isEstimated && project ? fittingPoints(story.type ?? 'feature', estimate, project) : estimate;
  return { ...others, story: { ...kept, ...(points !== undefined && { estimate: points }) } };
}

/** What of a project decides what its new stories may have. */
type Rules = Partial<Pick<Project, 'bugsAndChoresAreEstimatable' | 'memberships' | 'pointScale'>>;

/** What is of the one story alone. */
const NOT_PLANNED = {
  state: undefined,
  requestedBy: undefined,
  createdAt: undefined,
  acceptedAt: undefined,
  ticket: undefined,
} as const;

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
  const shortName = name.slice(0, MAX_STORY_NAME).replace(/[\ud800-\udbff]$/, '');
  const planned = givenFields({
    ...{ name: shortName, type, labels },
    estimate: isEstimated ? estimate : undefined,
    // An empty one is no invitation to fill in the template of its type.
    description: description ?? null,
    ownedBy: isMember ? ownedBy : undefined,
    deadline: type === 'release' ? deadline : undefined,
    ...NOT_PLANNED,
  });
  return { ...planned, name: shortName };
}
