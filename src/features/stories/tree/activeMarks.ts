import type { Disposable } from 'vscode';
import { type ActiveStory, isSameStory } from '../../../core/activeStory/storyBinding.ts';
import { messageOf } from '../../../core/errors.ts';
import type { App } from '../../../host/app.ts';
import type { ProjectKey } from '../../../host/tree/nodes.ts';

/** Knows which stories are worked on, so that their rows can be marked. */
export class ActiveMarks implements Disposable {
  private active: readonly ActiveStory[] = [];
  private listening: Disposable | undefined;
  private isDisposed = false;

  /** `changed` is told the stories that are worked on from now on or no longer. */
  constructor(
    { activeStories, log }: Pick<App, 'activeStories' | 'log'>,
    changed: (stories: readonly ActiveStory[]) => void,
  ) {
    this.follow(activeStories, changed).catch((thrown: unknown) => log.warn(`active story: ${messageOf(thrown)}`));
  }

  has({ accountId, projectId }: ProjectKey, storyId: number): boolean {
    return this.active.some((one) => isSameStory(one, { accountId, projectId, storyId }));
  }

  dispose(): void {
    this.isDisposed = true;
    this.listening?.dispose();
  }

  private async follow(
    activeStories: App['activeStories'],
    changed: (stories: readonly ActiveStory[]) => void,
  ): Promise<void> {
    const view = await activeStories.view();
    if (!view || this.isDisposed) return;
    const look = () => {
      const before = this.active;
      this.active = view.active;
      const others = (all: readonly ActiveStory[], than: readonly ActiveStory[]) =>
        all.filter((one) => !than.some((other) => isSameStory(one, other)));
      const changes = [...others(before, this.active), ...others(this.active, before)];
      if (changes.length > 0) changed(changes);
    };
    this.listening = view.onDidChange(look);
    look();
  }
}
