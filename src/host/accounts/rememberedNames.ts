import type { Memento } from 'vscode';
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
export function isRemembered(memory: Memento, { id, tokenSince }: NamedAccount): boolean {
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
