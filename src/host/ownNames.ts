import { messageOf } from '../core/errors.ts';
import type { App } from './app.ts';
import { type OwnNames, rememberedNames, rememberName } from './rememberedNames.ts';
import { whoAmI } from './whoAmI.ts';

type Needs = Pick<App, 'backlogs' | 'log' | 'workspaceMemory'>;

/**
 * What this person is called on each server, as far as it can be found out; remembered for the workspace. A server that does
 * not answer is asked again the next time.
 */
export async function ownNames({ backlogs, log, workspaceMemory }: Needs): Promise<OwnNames> {
  const byAccount = Map.groupBy(await backlogs.projects(), ({ account }) => account.id);
  const unknown = [...byAccount].filter(([accountId]) => rememberedNames(workspaceMemory)[accountId] === undefined);
  await Promise.all(
    unknown.map(async ([accountId, [first, ...rest]]) => {
      if (!first) return;
      const ids = [first, ...rest].map(({ key }) => key.projectId);
      const name = await whoAmI(backlogs.tracker(first.key), ids).catch((thrown: unknown) => {
        log.warn(messageOf(thrown));
        return undefined;
      });
      if (name !== undefined) await rememberName(workspaceMemory, accountId, name);
    }),
  );
  return rememberedNames(workspaceMemory);
}
