import { findStory } from '../../core/backlog/backlog.ts';
import { messageOf } from '../../core/errors.ts';
import type { App } from '../../host/app.ts';
import type { FoundStory } from '../../host/tree/nodes.ts';

/** The stories of an id, where several servers have one all of them; or why they could not be looked for. */
export type StoriesOfId = readonly FoundStory[] | { readonly error: unknown };

/**
 * Finds stories without asking a person, in what is known of projects first, so that it works without a network; each id once,
 * however many commits name it.
 */
export async function storiesOfIds(
  { backlogs, log }: Pick<App, 'backlogs' | 'log'>,
  ids: Iterable<number>,
): Promise<ReadonlyMap<number, StoriesOfId>> {
  const projects = await backlogs.projects();
  await Promise.all(
    projects.map(({ key }) => backlogs.backlog(key).catch((thrown: unknown) => log.warn(messageOf(thrown)))),
  );
  const find = async (id: number): Promise<StoriesOfId> => {
    const known = projects.flatMap(({ key }) => {
      const backlog = backlogs.peek(key);
      const story = backlog && findStory(backlog, id);
      return story ? [{ key, story }] : [];
    });
    if (known.length > 0) return known;
    try {
      const asked = await backlogs.story(id);
      return asked ? [asked] : [];
    } catch (error) {
      return { error };
    }
  };
  const found = new Map<number, StoriesOfId>();
  for (const id of new Set(ids)) found.set(id, await find(id));
  return found;
}
