import { isSameProject } from '../story/projectKey.ts';
import type { StoryRef } from '../story/story.ts';

/** The story someone works on in a repository, and where it is. */
export interface ActiveStory extends StoryRef {
  readonly accountId: string;
}

export function isSameStory(one: ActiveStory | undefined, other: ActiveStory | undefined): boolean {
  if (!one || !other) return one === other;
  return one.storyId === other.storyId && isSameProject(one, other);
}

/** Which story is worked on in which repository; kept on this machine, for all windows. */
export interface ActiveStories {
  /** `repository` is the root's URI as text. */
  get(repository: string): Promise<ActiveStory | undefined>;
  /** `undefined` when nobody works on a story there any more. */
  set(repository: string, story: ActiveStory | undefined): Promise<void>;
}

/** The story that a branch's Git configuration names; only its id where a person or a script wrote it. */
export type StoryBinding = Pick<ActiveStory, 'storyId'> & Partial<ActiveStory>;

/** The values of `branch.<name>.storyTrackerStory` and of `branch.<name>.storyTrackerStoryIn`. */
interface BindingTexts {
  /** The id alone, which scripts can read. */
  readonly story: string;
  /** The id again, its project and its account: ids are unique on a server only. */
  readonly storyIn: string;
}

/** What a story that is no longer worked on leaves behind where Git does not forget a value. */
export const NO_STORY = '0';

export function bindingTexts({ storyId, projectId, accountId }: ActiveStory): BindingTexts {
  return { story: String(storyId), storyIn: `${storyId} ${projectId} ${encodeURIComponent(accountId)}` };
}

/**
 * The story that the values name; `undefined` for none, and for what is no id. Project and account count only where they
 * were written for that story.
 */
export function readBinding({ story, storyIn }: BindingTexts): StoryBinding | undefined {
  const storyId = idIn(/^\s*#?(\d+)\s*$/.exec(story)?.[1]);
  if (storyId === undefined) return undefined;
  const [, id, project, account = ''] = /^(\d+) (\d+) (\S+)$/.exec(storyIn.trim()) ?? [];
  const projectId = idIn(project);
  const accountId = decoded(account);
  if (idIn(id) !== storyId || projectId === undefined || accountId === undefined) return { storyId };
  return { storyId, projectId, accountId };
}

/**
 * The account among those signed in that reaches what `accountId` did: itself, or another user's of the same server. An
 * account's id ends with its server's address.
 */
export function accountOnServer(accountId: string, signedIn: readonly string[]): string | undefined {
  const server = serverOfAccount(accountId);
  return signedIn.find((id) => id === accountId) ?? signedIn.find((id) => serverOfAccount(id) === server);
}

/** The address of the server that an account is of. */
export function serverOfAccount(accountId: string): string {
  return accountId.slice(accountId.lastIndexOf(' ') + 1);
}

function idIn(digits: string | undefined): number | undefined {
  const id = Number(digits);
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
