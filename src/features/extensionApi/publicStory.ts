import type { Story as PublicStory, StoryComment, StoryDetails, StoryTask } from '../../../api/story-tracker.d.ts';
import { type Story, UNESTIMATED } from '../../core/story/story.ts';

export interface StoryPlace {
  readonly projectId: number;
  readonly projectName: string;
  readonly server: string;
}

/** A story as other extensions have it: a copy that nobody can change, of nothing but what the API names. */
export function publicStory(story: Story, place: StoryPlace): PublicStory {
  return Object.freeze(fieldsOf(story, place));
}

/** As `publicStory`, with what makes it long. */
export function publicDetails(story: Story, place: StoryPlace): StoryDetails {
  const tasks = story.tasks.map(
    ({ id, description, complete }): StoryTask => Object.freeze({ taskId: id, description, isComplete: complete }),
  );
  const comments = story.notes.map(({ id, text, author, notedAt }): StoryComment => {
    const createdAt = notedAt?.time;
    const known = { ...(author !== undefined && { author }), ...(createdAt !== undefined && { createdAt }) };
    return Object.freeze({ commentId: id, text, ...known });
  });
  return Object.freeze({
    ...fieldsOf(story, place),
    ...(story.description !== undefined && { description: story.description }),
    tasks: Object.freeze(tasks),
    comments: Object.freeze(comments),
  });
}

function fieldsOf(story: Story, place: StoryPlace): PublicStory {
  const { id, name, type, state, estimate, labels, ownedBy, requestedBy, url } = story;
  const [createdAt, updatedAt] = [story.createdAt?.time, story.updatedAt?.time];
  const [acceptedAt, deadline] = [story.acceptedAt?.time, story.deadline?.time];
  return {
    storyId: id,
    ...place,
    name,
    type,
    state,
    labels: Object.freeze([...labels]),
    ...(estimate !== undefined && estimate !== UNESTIMATED && { points: estimate }),
    ...(ownedBy !== undefined && { owner: ownedBy }),
    ...(requestedBy !== undefined && { requester: requestedBy }),
    ...(url !== undefined && { url }),
    ...(createdAt !== undefined && { createdAt }),
    ...(updatedAt !== undefined && { updatedAt }),
    ...(acceptedAt !== undefined && { acceptedAt }),
    ...(deadline !== undefined && { deadline }),
  };
}
