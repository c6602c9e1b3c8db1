import { findStory } from '../../core/backlog/backlog.ts';
import { isPendingStory } from '../../core/intents/edit.ts';
import { isSameProject, type ProjectKey } from '../../core/story/projectKey.ts';
import type { Story } from '../../core/story/story.ts';
import type { App } from '../../host/app.ts';
import type { RemovalKind } from '../../host/projects/unsentChanges.ts';
import { plainLine } from '../../host/shell/plainText.ts';
import type { PanelStory, ToPage } from './panelMessages.ts';
import type { PanelTexts } from './panelTexts.ts';

type Needs = Pick<App, 'restoredStories'> & {
  readonly backlogs: Pick<App['backlogs'], 'peek' | 'peekStory' | 'removalOf'>;
};

/** What took a story off its project: a change that is known here, else `unknown`. */
type Removal = RemovalKind | 'unknown';

/** What the backlogs tell of a story. */
type Sight =
  | { readonly is: 'listed'; readonly story: Story }
  | { readonly is: 'leaving'; readonly removal: RemovalKind }
  /** No server has given it a number yet, or the one that has lists it by that by now. */
  | { readonly is: 'unnumbered' }
  /** It was there until now. */
  | { readonly is: 'missing' }
  | { readonly is: 'unknown' };

interface GoneStory {
  readonly title: (name: string) => string;
  /** Says what became of it, and leads to where it is now. */
  readonly message: Extract<ToPage, { readonly type: 'problem' }>;
}

/** Where the story of a tab stands: in its project, on its way out of it or gone, and whether anyone is signed in to write it. */
export class StoryStanding {
  isSignedOut = false;
  private readonly needs: Needs;
  private readonly shows: PanelStory;
  private readonly texts: PanelTexts;
  private readonly key: ProjectKey;
  private wasListed = false;
  private wasLeaving = false;
  /** What took the story off its project; absent while it is there. */
  private removal: Removal | undefined;

  constructor(needs: Needs, shows: PanelStory, texts: PanelTexts) {
    const { accountId, projectId } = shows;
    this.needs = needs;
    this.shows = shows;
    this.texts = texts;
    this.key = { accountId, projectId };
  }

  /** What the backlogs tell now; that it is missing is told once. */
  look(): Sight {
    const { listed, leaving } = this;
    const wasThere = this.wasListed || this.wasLeaving;
    this.wasListed = listed !== undefined;
    this.wasLeaving = leaving !== undefined;
    if (listed) return { is: 'listed', story: listed };
    if (leaving) return { is: 'leaving', removal: leaving };
    if (isPendingStory({ id: this.shows.storyId })) return { is: 'unnumbered' };
    return { is: wasThere && this.isRead ? 'missing' : 'unknown' };
  }

  get listed(): Story | undefined {
    const backlog = this.needs.backlogs.peek(this.key);
    return backlog && findStory(backlog, this.shows.storyId);
  }

  /** What takes the story off its project just now; one that no server has is gone at once. */
  get leaving(): RemovalKind | undefined {
    const { backlogs, restoredStories } = this.needs;
    const { storyId } = this.shows;
    const isWithdrawn = isPendingStory({ id: storyId }) && restoredStories.isRemoved(this.key, storyId);
    return isWithdrawn ? 'deleteStory' : backlogs.removalOf(this.key, storyId);
  }

  /** Where another project of the account has it, which it has left this one for. */
  get movedTo(): PanelStory | undefined {
    const { accountId, storyId } = this.shows;
    if (this.listed || !this.isRead) return undefined;
    const found = this.needs.backlogs.peekStory(storyId, { accountId });
    return found && !isSameProject(found.key, this.key) ? { ...found.key, storyId } : undefined;
  }

  get isGone(): boolean {
    return this.removal !== undefined;
  }

  /** It is in its project. */
  stay(): void {
    this.removal = undefined;
  }

  /** It is in its project no more. What is known of that stays known. */
  go(removal: Removal): void {
    if (removal !== 'unknown') this.removal = removal;
    else this.removal ??= removal;
  }

  title(name: string): string {
    return this.removal === undefined ? name : this.goneAs(this.removal).title(name);
  }

  /** Tell that the story is gone or that nobody is signed in, so that it cannot be changed, or that all is well. */
  get messages(): readonly ToPage[] {
    const { removal, isSignedOut, texts } = this;
    const text = isSignedOut ? texts.signedOut : '';
    return [
      { type: 'writable', isWritable: removal === undefined && !isSignedOut },
      removal === undefined ? { type: 'problem', text } : this.goneAs(removal).message,
    ];
  }

  private get isRead(): boolean {
    return this.needs.backlogs.peek(this.key) !== undefined;
  }

  /** Moved to another project, made again with a new number, or neither. */
  private goneAs(removal: Removal): GoneStory {
    const { needs, shows } = this;
    const { gone } = this.texts;
    const { accountId, storyId } = shows;
    const deleted = (text: string, open?: number): GoneStory => ({
      title: gone.deletedTitle,
      message: { type: 'problem', text, ...(open !== undefined && { open: { id: open, text: gone.open(open) } }) },
    });
    const restoredId = needs.restoredStories.numberOf(this.key, storyId);
    if (restoredId !== undefined) {
      return restoredId > 0 ? deleted(gone.restored(restoredId), restoredId) : deleted(gone.willBeRestored);
    }
    const found = needs.backlogs.peekStory(storyId, { accountId });
    const project = found && !isSameProject(found.key, shows) ? needs.backlogs.peek(found.key)?.project : undefined;
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
}
