import { keyText, type ProjectKey } from '../../core/story/projectKey.ts';

/** Under which name drafts have the comment that was begun on a story and not sent. */
export function commentDraft(key: ProjectKey, storyId: number): string {
  return `storyTracker.draft.${keyText(key)}/${storyId}`;
}

/** As `commentDraft`, of what was written into the story's fields: what each field's name is put behind. */
export function fieldDrafts(key: ProjectKey, storyId: number): string {
  return `${commentDraft(key, storyId)}/fields`;
}
