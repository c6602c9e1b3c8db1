import { messageOf } from '../../core/errors.ts';
import type { ProjectKey } from '../../core/story/projectKey.ts';
import type { App } from '../../host/app.ts';
import { followAwaited } from '../../host/story/restoredNumbers.ts';
import { storyMakers } from '../../host/story/reversibleStories.ts';
import type { EntryMakers } from '../../host/story/undoHistory.ts';
import { StoredHistory } from './storedHistory.ts';

export type KeepingNeeds = Pick<
  App,
  | 'accounts'
  | 'backlogs'
  | 'log'
  | 'messages'
  | 'openDrafts'
  | 'restoredStories'
  | 'storiesView'
  | 'undoHistory'
  | 'workspaceMemory'
>;

/** Keeps the window's history in its workspace. */
export function keepHistory(
  app: KeepingNeeds,
  makers: Omit<EntryMakers, 'goneStories' | 'thereStories'>,
): StoredHistory {
  const { accounts, backlogs, log, undoHistory, restoredStories, workspaceMemory } = app;
  const readProjects = async (keys: readonly ProjectKey[]) => {
    try {
      await backlogs.projects();
      const isThere = await Promise.all(keys.map((key) => backlogs.has(key)));
      await Promise.all(keys.filter((_, index) => isThere[index]).map((key) => backlogs.backlog(key)));
    } catch (thrown) {
      // What is undone is looked up one by one then.
      log.debug(messageOf(thrown));
    }
  };
  const accountIds = async () => (await accounts.list()).map(({ id }) => id);
  return new StoredHistory(
    {
      ...{ log, undoHistory, restoredStories, workspaceMemory, accountIds, readProjects },
      followAwaited: (story) => followAwaited(app, story),
    },
    { ...makers, ...storyMakers(app) },
  );
}
