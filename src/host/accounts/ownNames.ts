import { messageOf } from '../../core/errors.ts';
import type { App } from '../app.ts';
import { isRemembered, type OwnNames, rememberedNames, rememberName } from './rememberedNames.ts';
import { whoAmI } from './whoAmI.ts';

type Needs = Pick<App, 'backlogs' | 'log' | 'workspaceMemory'>;

/**
 * What this person is called on each server, as far as it can be found out; remembered for the workspace. A server that does
 * not answer is asked again the next time.
 */
export async function ownNames({ backlogs, log, workspaceMemory }: Needs): Promise<OwnNames> {
  const byAccount = Map.groupBy(await backlogs.projects(), ({ account }) => account.id);
  await Promise.all(
    [...byAccount.values()].map(async ([first, ...rest]) => {
      if (!first || isRemembered(workspaceMemory, first.account)) return;
      const ids = [first, ...rest].map(({ key }) => key.projectId);
      const name = await whoAmI(backlogs.tracker(first.key), ids).catch((thrown: unknown) => {
        log.warn(messageOf(thrown));
        return undefined;
      });
      const isStrangers = rememberedNames(workspaceMemory)[first.account.id] !== undefined;
      if (name !== undefined || isStrangers) await rememberName(workspaceMemory, first.account, name);
    }),
  );
  return rememberedNames(workspaceMemory);
}
