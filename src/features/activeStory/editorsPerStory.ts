import * as vscode from 'vscode';
import { serverOfAccount } from '../../core/activeStory/storyBinding.ts';
import type { App } from '../../host/app.ts';
import { areEditorsPerStory } from '../../host/shell/featureSettings.ts';
import { inBackground } from '../../host/shell/turnBudget.ts';
import { EditorMemory } from './editorSets.ts';
import { EditorTabs } from './editorTabs.ts';
import type { FollowedStories } from './followedStories.ts';
import { NO_STORY_EDITORS, StoryEditors } from './storyEditors.ts';

type Needs = Pick<App, 'accounts' | 'log' | 'workspaceMemory'>;

/** Milliseconds for which a change of story may be followed by another: a new branch has its story a moment after it is checked out. */
const SETTLE_MS = 500;

/** Has each story's editors put away and brought back while the setting wants it. */
export class EditorsPerStory implements vscode.Disposable {
  private readonly needs: Needs;
  private readonly stories: FollowedStories;
  private readonly memory: EditorMemory;
  private readonly editors: StoryEditors;
  private readonly listening: vscode.Disposable;
  private timer: NodeJS.Timeout | undefined;

  constructor(needs: Needs, stories: FollowedStories) {
    this.needs = needs;
    this.stories = stories;
    this.memory = new EditorMemory(needs.workspaceMemory);
    const tabs = new EditorTabs(() => stories.places.map(({ place }) => place));
    this.editors = new StoryEditors(tabs, this.memory, needs.log);
    this.listening = vscode.Disposable.from(
      stories.onDidChange(() => this.lookSoon()),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('storyTracker.editorsPerStory')) this.lookSoon();
      }),
    );
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.listening.dispose();
  }

  private lookSoon(): void {
    clearTimeout(this.timer);
    // Whose editors are open at first is noted at once: the next story may be started any moment.
    const isFirst = this.stories.places.some(({ place }) => !this.memory.openAt(place));
    this.timer = setTimeout(() => inBackground(this.needs.log, this.look()), isFirst ? 0 : SETTLE_MS);
  }

  private async look(): Promise<void> {
    if (!areEditorsPerStory()) return this.editors.stop();
    const servers = (await this.needs.accounts.list()).map(({ id }) => serverOfAccount(id));
    const shown = this.stories.places.map(async ({ place, story }) => {
      const name = story ? `${story.storyId} ${serverOfAccount(story.accountId)}` : NO_STORY_EDITORS;
      // Whoever signs out still works on the story, though nothing tells so until they sign in again.
      if (!story && !this.isKnownOn(servers, place)) return;
      await this.editors.show(place, name);
    });
    await Promise.all(shown);
  }

  private isKnownOn(servers: readonly string[], place: string): boolean {
    const [, server] = this.memory.openAt(place)?.story.split(' ') ?? [];
    return server === undefined ? servers.length > 0 : servers.includes(server);
  }
}
