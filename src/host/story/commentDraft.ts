import { keyText, type ProjectKey } from '../tree/nodes.ts';

/** Under which name a workspace remembers the comment that was begun on a story and not sent. */
export function commentDraft(key: ProjectKey, storyId: number): string {
  return `storyTracker.draft.${keyText(key)}/${storyId}`;
}
