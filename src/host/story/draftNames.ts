import { keyText, type ProjectKey } from '../../core/story/projectKey.ts';
import type { DraftStore } from './draftFiles.ts';

/** Under which name drafts have the comment that was begun on a story and not sent. */
export function commentDraft(key: ProjectKey, storyId: number): string {
  return `storyTracker.draft.${keyText(key)}/${storyId}`;
}

/** As `commentDraft`, of what was written into the story's fields: what each field's name is put behind. */
export function fieldDrafts(key: ProjectKey, storyId: number): string {
  return `${commentDraft(key, storyId)}/fields`;
}

/** A story as drafts name it. */
export interface NamedStory extends ProjectKey {
  readonly storyId: number;
}

/** Whether anything was begun about a story, in this window or another. */
export function hasDrafts(drafts: DraftStore, story: NamedStory): boolean {
  drafts.refresh();
  return draftsAbout(drafts, story).length > 0;
}

/** Takes what was written about a story along to where it is now. What was written there already stays. */
export async function moveDrafts(drafts: DraftStore, from: NamedStory, to: NamedStory): Promise<void> {
  const [before, after] = [from, to].map((story) => commentDraft(story, story.storyId));
  if (before === undefined) return;
  for (const name of draftsAbout(drafts, from)) {
    const moved = `${after}${name.slice(before.length)}`;
    if (drafts.get(moved) !== undefined) continue;
    await drafts.update(moved, drafts.get(name));
    await drafts.update(name, undefined);
  }
}

/** Under which names anything is kept about a story. */
export function draftsAbout(drafts: DraftStore, story: NamedStory): readonly string[] {
  const name = commentDraft(story, story.storyId);
  return drafts.keys().filter((one) => one === name || one.startsWith(`${name}/`));
}
