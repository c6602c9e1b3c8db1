import type { Memento } from 'vscode';
import { messageOf, TrackerError } from '../../core/errors.ts';
import type { Tracker } from '../../core/ports/tracker.ts';
import type { App } from '../app.ts';
import { Emitter } from '../shell/emitter.ts';
import { isText, rememberedEntry, rememberedTable } from '../shell/remembered.ts';
import type { Account } from './account.ts';

/** One's own name by account. */
export type OwnNames = Readonly<Record<string, string>>;

const NAMES = 'storyTracker.ownNames';
const TOKENS = 'storyTracker.ownNamesSince';

/** What this person is called on servers, as far as a workspace remembers it. */
export function rememberedNames(memory: Memento): OwnNames {
  return rememberedTable(memory, NAMES, isText);
}

/** What this person is called on one of them, which is asked for each story of a project. */
export function rememberedNameOn(memory: Memento, accountId: string): string | undefined {
  return rememberedEntry(memory, NAMES, accountId, isText);
}

/** Whether the name is that of whoever is signed in now, and not of someone whose token was there before. */
function isRemembered(memory: Memento, { id, tokenSince }: NamedAccount): boolean {
  const isSame = tokenSince === undefined || tokensIn(memory)[id] === tokenSince;
  return isSame && rememberedNames(memory)[id] !== undefined;
}

const changed = new Emitter<string>();

/** In an account, whose ID it tells, one is called otherwise than before: filters may ask for that. */
export const onDidChangeOwnName = changed.event;

/** Without a name, forgets the one that was remembered. */
export async function rememberName(memory: Memento, { id, tokenSince }: NamedAccount, name?: string): Promise<void> {
  const { [id]: before, ...others } = rememberedNames(memory);
  await memory.update(NAMES, name === undefined ? others : { ...others, [id]: name });
  if (tokenSince !== undefined) await memory.update(TOKENS, { ...tokensIn(memory), [id]: tokenSince });
  if (name !== before) changed.fire(id);
}

/** Names by account that are asked about no more in this window, though no project has a member who is called so. */
const believed = new Map<string, string>();

/** Whether projects have members, and none of them has the name that is remembered: it may have been changed there. */
export function isNameGone(memory: Memento, { id }: NamedAccount, projects: Projects): boolean {
  const name = rememberedNameOn(memory, id);
  if (name === undefined || believed.get(id) === name) return false;
  const members = projects.filter(({ account }) => account.id === id).flatMap(({ project }) => project.memberships);
  return members.length > 0 && members.every(({ person }) => person.name !== name);
}

type Projects = Awaited<ReturnType<App['backlogs']['knownProjects']>>;
type NamedAccount = Pick<Account, 'id' | 'tokenSince'>;

/** When the token was given with which each name was found out. */
function tokensIn(memory: Memento): Readonly<Record<string, number>> {
  return rememberedTable(memory, TOKENS, (value) => typeof value === 'number');
}

type Needs = Pick<App, 'accounts' | 'backlogs' | 'log' | 'workspaceMemory'>;

/**
 * What this person is called on each server, as far as it can be found out; remembered for the workspace. A server that does
 * not answer is asked again the next time.
 */
export async function ownNames(needs: Needs): Promise<OwnNames> {
  const { accounts, backlogs, log, workspaceMemory } = needs;
  const projects = await backlogs.knownProjects();
  const unnamed = (await accounts.list()).filter(
    (account) => !isRemembered(workspaceMemory, account) || isNameGone(workspaceMemory, account, projects),
  );
  // That of who was signed in before is forgotten first: a server may take long to answer.
  for (const account of unnamed)
    if (!isRemembered(workspaceMemory, account) && rememberedNameOn(workspaceMemory, account.id) !== undefined)
      await rememberName(workspaceMemory, account);
  await Promise.all(
    unnamed.map(async (account) => {
      const name = await whoAmI(needs, account).catch((thrown: unknown) => {
        log.warn(messageOf(thrown));
        return undefined;
      });
      if (name !== undefined) await rememberName(workspaceMemory, account, name);
      const left = rememberedNameOn(workspaceMemory, account.id);
      if (left !== undefined && isNameGone(workspaceMemory, account, projects)) believed.set(account.id, left);
    }),
  );
  return rememberedNames(workspaceMemory);
}

/** So many projects are asked before the answer is that nobody knows. */
const PROJECTS_ASKED = 5;

/**
 * The name under which a server knows whoever asks: that of their memberships or, where a server tells those of others too,
 * of stories that are theirs. `undefined` for who has neither.
 */
async function whoAmI({ accounts, backlogs }: Needs, { id }: Account): Promise<string | undefined> {
  const tracker = accounts.tracker(id);
  const members = new Set((await unlessRefused(tracker.listMyMemberships())).map(({ person }) => person.name));
  const [member, another] = members;
  if (member !== undefined && another === undefined) return member;
  const entries = (await backlogs.knownProjects()).filter(({ account }) => account.id === id);
  for (const { key } of entries.slice(0, PROJECTS_ASKED)) {
    const [owned] = await mine(tracker, key.projectId, 'owner:me');
    if (owned?.ownedBy !== undefined) return owned.ownedBy;
    const [requested] = await mine(tracker, key.projectId, 'requester:me');
    if (requested?.requestedBy !== undefined) return requested.requestedBy;
  }
  return undefined;
}

/** None where a server does not take the filter. */
function mine(tracker: Tracker, projectId: number, filter: string) {
  return unlessRefused(tracker.listStories(projectId, { filter: `${filter} includedone:true`, limit: 1 }));
}

/** None where a server does not answer such a question. */
async function unlessRefused<T>(asked: Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await asked;
  } catch (thrown) {
    if (thrown instanceof TrackerError && (thrown.kind === 'refused' || thrown.kind === 'notFound')) return [];
    throw thrown;
  }
}
