import type * as vscode from 'vscode';
import { messageOf } from '../../core/errors.ts';
import { ownNames, rememberedNames } from '../accounts/ownNames.ts';
import type { App } from '../app.ts';
import { insertActive } from '../shell/featureSettings.ts';
import type { PickOrder } from './pickOrder.ts';

export type LikelyNeeds = Pick<App, 'accounts' | 'activeStories' | 'backlogs' | 'log' | 'workspaceMemory'>;

/**
 * The stories that a commit is most likely about: the active one of its repository where that is known, those of others,
 * unless active ones are not wished for, and one's own. A name that is not known yet is asked for, but not waited for.
 */
export async function likelyStories(needs: LikelyNeeds, repository?: vscode.Uri): Promise<PickOrder> {
  const { activeStories, log, workspaceMemory } = needs;
  ownNames(needs).catch((thrown: unknown) => log.warn(messageOf(thrown)));
  const names = { ownNames: rememberedNames(workspaceMemory) };
  const view = insertActive(repository) === 'never' ? undefined : await activeStories.view();
  if (!view) return names;
  const here = repository && view.at(repository);
  return { ...names, active: here ? [here, ...view.active] : view.active };
}
