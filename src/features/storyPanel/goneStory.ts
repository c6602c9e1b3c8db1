import { isSameProject } from '../../core/story/projectKey.ts';
import type { App } from '../../host/app.ts';
import type { RemovalKind } from '../../host/projects/unsentChanges.ts';
import { plainLine } from '../../host/shell/plainText.ts';
import type { PanelStory, ToPage } from './panelMessages.ts';
import type { PanelTexts } from './panelTexts.ts';

type Needs = Pick<App, 'restoredStories'> & { readonly backlogs: Pick<App['backlogs'], 'peek' | 'peekStory'> };

/** What took a story off its project: a change that is known here, else `unknown`. */
export type Removal = RemovalKind | 'unknown';

interface GoneStory {
  readonly title: (name: string) => string;
  /** Says what became of it, and leads to where it is now. */
  readonly message: Extract<ToPage, { readonly type: 'problem' }>;
}

/** What the tab of a story says that is in its project no more: moved to another one, made again with a new number, or neither. */
export function goneStory(needs: Needs, story: PanelStory, removal: Removal, { gone }: PanelTexts): GoneStory {
  const { accountId, storyId } = story;
  const deleted = (text: string, open?: number): GoneStory => ({
    title: gone.deletedTitle,
    message: { type: 'problem', text, ...(open !== undefined && { open: { id: open, text: gone.open(open) } }) },
  });
  const restoredId = needs.restoredStories.numberOf(story, storyId);
  if (restoredId !== undefined) {
    return restoredId > 0 ? deleted(gone.restored(restoredId), restoredId) : deleted(gone.willBeRestored);
  }
  const found = needs.backlogs.peekStory(storyId, { accountId });
  const project = found && !isSameProject(found.key, story) ? needs.backlogs.peek(found.key)?.project : undefined;
  if (project) {
    const text = gone.movedTo(plainLine(project.name));
    return {
      title: gone.movedTitle,
      message: { type: 'problem', text, open: { id: storyId, text: gone.open(storyId) } },
    };
  }
  if (removal === 'moveToProject') return { title: gone.movedTitle, message: { type: 'problem', text: gone.moved } };
  return deleted(removal === 'deleteStory' ? gone.deleted : gone.deletedOrMoved);
}
