import { findStory } from '../../core/backlog.ts';
import { messageOf } from '../../core/errors.ts';
import { storyEffects } from '../../core/marker.ts';
import type { App } from '../../host/app.ts';
import type { FoundStory } from '../../host/foundStory.ts';

/** The stories that a commit's message names; where several servers have one of an id, all of them. */
export interface NamedStories {
  readonly stories: readonly FoundStory[];
  /** Only a person can tell which server is meant. */
  readonly isAmbiguous: boolean;
}

/**
 * Finds the stories without asking a person, in what is known of projects first, so that it works without a network.
 * @throws TrackerError of a server that could not be asked for a story nobody knows.
 */
export async function namedStories(
  { backlogs, log }: Pick<App, 'backlogs' | 'log'>,
  message: string,
): Promise<NamedStories> {
  const projects = await backlogs.projects();
  await Promise.all(
    projects.map(({ key }) => backlogs.backlog(key).catch((thrown: unknown) => log.warn(messageOf(thrown)))),
  );
  const stories: FoundStory[] = [];
  let isAmbiguous = false;
  for (const id of storyEffects(message).keys()) {
    const known = projects.flatMap(({ key }) => {
      const backlog = backlogs.peek(key);
      const story = backlog && findStory(backlog, id);
      return story ? [{ key, story }] : [];
    });
    const asked = known.length > 0 ? undefined : await backlogs.story(id);
    isAmbiguous ||= new Set(known.map(({ key }) => key.accountId)).size > 1;
    stories.push(...known, ...(asked ? [asked] : []));
  }
  return { stories, isAmbiguous };
}
