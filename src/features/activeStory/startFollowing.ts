import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import { findStory } from '../../core/backlog/backlog.ts';
import { messageOf } from '../../core/errors.ts';
import { visibleLine } from '../../core/shownText.ts';
import type { Story } from '../../core/story/story.ts';
import type { App } from '../../host/app.ts';
import { withoutIcons } from '../../host/shell/plainText.ts';
import { storyLabel } from '../../host/story/storyLabel.ts';
import { EditorsPerStory } from './editorsPerStory.ts';
import { FollowedStories, type FollowNeeds, type WorkedStory } from './followedStories.ts';
import { InsertedMarkers } from './insertedMarkers.ts';
import { rememberedName, rememberShown } from './shownStory.ts';

export type FollowingNeeds = FollowNeeds;

/** The active stories of this window, and all that shows them. */
export interface Following extends vscode.Disposable {
  readonly stories: FollowedStories;
}

/** Resolves when the repositories that are open have been looked at. */
export async function startFollowing(app: FollowingNeeds): Promise<Following> {
  const stories = new FollowedStories(app);
  const owned = vscode.Disposable.from(
    stories,
    new StatusItem(app, stories),
    new InsertedMarkers(app, stories),
    new EditorsPerStory(app, stories),
  );
  await stories.begin();
  return { stories, dispose: () => owned.dispose() };
}

type Needs = Pick<App, 'backlogs' | 'log' | 'workspaceMemory'>;

/** Characters of a story's name that the status bar has room for. */
const NAME_LENGTH = 30;

/** Shows the story that is worked on in the status bar. */
class StatusItem implements vscode.Disposable {
  private readonly needs: Needs;
  private readonly stories: FollowedStories;
  private readonly item = vscode.window.createStatusBarItem(
    'storyTracker.activeStory',
    vscode.StatusBarAlignment.Left,
    90,
  );
  private readonly listening: vscode.Disposable;
  private asked: string | undefined;

  constructor(needs: Needs, stories: FollowedStories) {
    this.needs = needs;
    this.stories = stories;
    this.item.name = vscode.l10n.t('Active Story');
    this.item.command = commandIds.activeStoryActions;
    this.listening = vscode.Disposable.from(
      stories.onDidChange(() => this.show()),
      needs.backlogs.onDidChange(() => this.show()),
    );
  }

  dispose(): void {
    this.listening.dispose();
    this.item.dispose();
  }

  private show(): void {
    const { shown } = this.stories;
    if (!shown) {
      this.item.hide();
      return;
    }
    const { accountId, projectId, storyId } = shown.story;
    const backlog = this.needs.backlogs.peekSome({ accountId, projectId });
    const story = backlog && findStory(backlog, storyId);
    const name = story ? storyLabel(story) : rememberedName(this.needs.workspaceMemory, shown.place, shown.story);
    if (name === undefined) this.ask(shown);
    this.put(shown, name, story);
  }

  private put({ place, repository, story: active }: WorkedStory, name: string | undefined, story?: Story): void {
    const id = `#${active.storyId}`;
    const line = name === undefined ? id : `${id} ${name}`;
    const branch = repository?.state.HEAD?.name;
    const more = [
      ...(story ? [`${story.type}, ${story.state}`] : []),
      ...(branch === undefined ? [] : [vscode.l10n.t('Branch {0}', branch)]),
    ];
    this.item.text = `$(bookmark) ${withoutIcons(name === undefined ? id : `${id} ${visibleLine(name, NAME_LENGTH)}`)}`;
    this.item.tooltip = [line, ...more].map((text) => visibleLine(text, 300)).join('\n');
    this.item.accessibilityInformation = { label: vscode.l10n.t('Active story {0}', visibleLine(line, 300)) };
    this.item.show();
    if (name !== undefined) void rememberShown(this.needs.workspaceMemory, place, { ...active, name });
  }

  /** Once for each story: what cannot be read now is shown by its number until its backlog is. */
  private ask({ place, story }: WorkedStory): void {
    const { accountId, projectId, storyId } = story;
    const text = `${place} ${accountId} ${storyId}`;
    if (this.asked === text) return;
    this.asked = text;
    this.needs.backlogs
      .tracker({ accountId, projectId })
      .getStory({ projectId, storyId })
      .then(async (told) => {
        await rememberShown(this.needs.workspaceMemory, place, { ...story, name: storyLabel(told) });
        this.show();
      })
      .catch((thrown: unknown) => this.needs.log.warn(`active story: ${messageOf(thrown)}`));
  }
}
