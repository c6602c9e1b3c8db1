import { setTimeout as sleep } from 'node:timers/promises';
import type * as vscode from 'vscode';
import { messageOf } from '../../core/errors.ts';
import { ownNames, rememberedNames } from '../accounts/ownNames.ts';
import type { App } from '../app.ts';
import { insertActive } from '../shell/featureSettings.ts';
import type { PickOrder } from './pickOrder.ts';

export type LikelyNeeds = Pick<App, 'accounts' | 'activeStories' | 'backlogs' | 'log' | 'workspaceMemory'>;

/**
 * The stories that a commit is most likely about: the active one of its repository where that is known, those of others,
 * unless active ones are not wished for, and one's own.
 */
export async function likelyStories(needs: LikelyNeeds, repository?: vscode.Uri): Promise<PickOrder> {
  const names = namesSoFar(needs);
  const view = insertActive(repository) === 'never' ? undefined : await needs.activeStories.view();
  if (!view) return names;
  const here = repository && view.at(repository);
  return { ...names, active: here ? [here, ...view.active] : view.active };
}

/** Milliseconds that a list to pick from waits to know what is worked on, which may take Git to be found out. */
const ACTIVE_WAIT_MS = 500;

/**
 * The stories that a person most likely means where nothing says which: those that are worked on, as far as that is known
 * soon, and their own.
 */
export async function activeAndOwnStories(needs: LikelyNeeds): Promise<PickOrder> {
  const names = namesSoFar(needs);
  const knownView = needs.activeStories.likelyView().catch((thrown: unknown) => needs.log.warn(messageOf(thrown)));
  const view = await Promise.race([knownView, sleep(ACTIVE_WAIT_MS)]);
  return { ...names, ...(view && { active: view.active }) };
}

/** One's names. Those that are not known yet are asked for, but not waited for. */
function namesSoFar(needs: LikelyNeeds): Pick<PickOrder, 'ownNames'> {
  ownNames(needs).catch((thrown: unknown) => needs.log.warn(messageOf(thrown)));
  return { ownNames: rememberedNames(needs.workspaceMemory) };
}
