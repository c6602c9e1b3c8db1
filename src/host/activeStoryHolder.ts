import type { ActiveStory } from '../core/activeStories.ts';

/** What other slices may ask about the stories that are worked on. */
export interface ActiveStoryView {
  /** The story that is worked on in the repository with this root. */
  at(root: { readonly path: string }): ActiveStory | undefined;
}

/** Holds what follows the active stories for slices that ask about them; it is started when it is first asked. */
export class ActiveStoryHolder {
  private start: (() => Promise<ActiveStoryView>) | undefined;

  attach(start: () => Promise<ActiveStoryView>): void {
    this.start = start;
  }

  async view(): Promise<ActiveStoryView | undefined> {
    return this.start?.();
  }
}
