import type { Memento } from 'vscode';

/** One's own name by account. */
export type OwnNames = Readonly<Record<string, string>>;

const NAMES = 'storyTracker.ownNames';

/** What this person is called on servers, as far as a workspace remembers it. */
export function rememberedNames(memory: Memento): OwnNames {
  return memory.get<OwnNames>(NAMES, {});
}

export async function rememberName(memory: Memento, accountId: string, name: string): Promise<void> {
  await memory.update(NAMES, { ...rememberedNames(memory), [accountId]: name });
}
