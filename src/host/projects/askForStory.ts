import { TrackerError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { Tracker } from '../../core/ports/tracker.ts';
import type { ProjectKey } from '../../core/story/projectKey.ts';
import type { FoundStory } from '../tree/nodes.ts';

interface Needs {
  readonly tracker: (key: ProjectKey) => Tracker;
  readonly log: Log;
}

/** What the servers of projects told of a story. */
interface Answer {
  readonly found?: FoundStory;
  /** Why some could not be asked. */
  readonly errors: readonly unknown[];
}

/** Asks for a story by id in each of the projects at once. */
export async function askForStory(needs: Needs, keys: readonly ProjectKey[], storyId: number): Promise<Answer> {
  const answers = await Promise.allSettled(keys.map((key) => askIn(needs, key, storyId)));
  const [found] = answers.flatMap((answer) => (answer.status === 'fulfilled' && answer.value ? [answer.value] : []));
  const errors = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
  return found ? { found, errors } : { errors };
}

async function askIn({ tracker, log }: Needs, key: ProjectKey, storyId: number): Promise<FoundStory | undefined> {
  try {
    return { key, story: await tracker(key).getStory({ projectId: key.projectId, storyId }) };
  } catch (thrown) {
    if (!(thrown instanceof TrackerError) || thrown.kind !== 'notFound') throw thrown;
    log.debug(`story ${storyId} is not in project ${key.projectId}`);
    return undefined;
  }
}
