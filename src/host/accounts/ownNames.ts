import type { Memento } from 'vscode';
import { messageOf, TrackerError } from '../../core/errors.ts';
import type { Tracker } from '../../core/ports/tracker.ts';
import type { App } from '../app.ts';
import type { Account } from './account.ts';

/** One's own name by account. */
export type OwnNames = Readonly<Record<string, string>>;

const NAMES = 'storyTracker.ownNames';
const TOKENS = 'storyTracker.ownNamesSince';

/** What this person is called on servers, as far as a workspace remembers it. */
export function rememberedNames(memory: Memento): OwnNames {
  return memory.get<OwnNames>(NAMES, {});
}

/** Whether the name is that of whoever is signed in now, and not of someone whose token was there before. */
function isRemembered(memory: Memento, { id, tokenSince }: NamedAccount): boolean {
  const isSame = tokenSince === undefined || memory.get<Tokens>(TOKENS, {})[id] === tokenSince;
  return isSame && rememberedNames(memory)[id] !== undefined;
}

/** Without a name, forgets the one that was remembered. */
export async function rememberName(memory: Memento, { id, tokenSince }: NamedAccount, name?: string): Promise<void> {
  const { [id]: _before, ...others } = rememberedNames(memory);
  await memory.update(NAMES, name === undefined ? others : { ...others, [id]: name });
  if (tokenSince !== undefined) await memory.update(TOKENS, { ...memory.get<Tokens>(TOKENS, {}), [id]: tokenSince });
}

type NamedAccount = Pick<Account, 'id' | 'tokenSince'>;
type Tokens = Readonly<Record<string, number>>;

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

/** So many projects are asked before the answer is that nobody knows. */
const PROJECTS_ASKED = 5;

/**
 * The name under which a server knows whoever asks, found out by stories that are theirs: no endpoint tells it.
 * `undefined` for who has none yet.
 */
async function whoAmI(tracker: Tracker, projectIds: readonly number[]): Promise<string | undefined> {
  for (const projectId of projectIds.slice(0, PROJECTS_ASKED)) {
    const [owned] = await mine(tracker, projectId, 'owner:me');
    if (owned?.ownedBy !== undefined) return owned.ownedBy;
    const [requested] = await mine(tracker, projectId, 'requester:me');
    if (requested?.requestedBy !== undefined) return requested.requestedBy;
  }
  return undefined;
}

/** None where a server does not take the filter. */
async function mine(tracker: Tracker, projectId: number, filter: string) {
  try {
    return await tracker.listStories(projectId, { filter: `${filter} includedone:true`, limit: 1 });
  } catch (thrown) {
    if (thrown instanceof TrackerError && (thrown.kind === 'refused' || thrown.kind === 'notFound')) return [];
    throw thrown;
  }
}
