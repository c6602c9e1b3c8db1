import { fittingPoints } from '../../core/backlog/workflow.ts';
import type { NewTask } from '../../core/intents/intent.ts';
import type { Project } from '../../core/story/project.ts';
import type { NewStory, Story } from '../../core/story/story.ts';
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
  const { name, type, state, estimate, description, requestedBy, ownedBy, deadline, acceptedAt, labels, ticket } =
    story;
  return {
    ...{ name, type, state, labels },
    ...(estimate !== undefined && estimate >= 0 && { estimate }),
    ...(description !== undefined && { description }),
    ...(requestedBy !== undefined && { requestedBy }),
    ...(ownedBy !== undefined && { ownedBy }),
    ...(deadline !== undefined && { deadline }),
    ...(acceptedAt !== undefined && { acceptedAt }),
    ...(ticket && { ticket: { prefix: ticket.prefix, externalId: ticket.externalId, ...integrationOf(ticket) } }),
  };
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
