import type { Event } from 'vscode';
import type { ActiveStory } from '../../core/activeStory/storyBinding.ts';

/** What other slices may ask about the stories that are worked on. */
export interface ActiveStoryView {
  readonly onDidChange: Event<void>;
  /** The story that is worked on in the repository with this root. */
  at(root: { readonly path: string }): ActiveStory | undefined;
  /** All that are worked on in this window; the one that the person most likely means comes first. */
  readonly active: readonly ActiveStory[];
}

/** Holds what follows the active stories for slices that ask about them; it is started when it is first asked. */
export class ActiveStoryHolder {
  private start: (() => Promise<ActiveStoryView>) | undefined;
  private isWorthAsking: (() => boolean) | undefined;

  /** `isWorthAsking`: whether a story may be worked on in this workspace, told without starting anything. */
  attach(start: () => Promise<ActiveStoryView>, isWorthAsking: () => boolean): void {
    this.start = start;
    this.isWorthAsking = isWorthAsking;
  }

  /** As `view`, where a story may be worked on; starts nothing where none ever was. */
  async likelyView(): Promise<ActiveStoryView | undefined> {
    return this.isLikely ? this.view() : undefined;
  }

  get isLikely(): boolean {
    return this.isWorthAsking?.() === true;
  }

  async view(): Promise<ActiveStoryView | undefined> {
    return this.start?.();
  }
}
