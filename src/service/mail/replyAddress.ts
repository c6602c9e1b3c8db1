import { readSignedIds, signedIds } from './signedIds.ts';

/** Whose reply to which story an address stands for. */
export interface ReplyPlace {
  readonly storyId: number;
  readonly userId: number;
}

const PREFIX = 'story-';

/** The part before the `@` of an address that nobody can guess who was not given it; at most 64 characters (RFC 5321). */
export function replyLocalPart({ storyId, userId }: ReplyPlace, key: string): string {
  return PREFIX + signedIds('reply', storyId, userId, key);
}

/** Whose reply a local part stands for, or undefined when it is none that was given out under this key. */
export function readReplyLocalPart(localPart: string, key: string): ReplyPlace | undefined {
  if (!localPart.toLowerCase().startsWith(PREFIX)) return undefined;
  const ids = readSignedIds('reply', localPart.slice(PREFIX.length), key);
  return ids && { storyId: ids[0], userId: ids[1] };
}
