import { setTimeout as pause } from 'node:timers/promises';
import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import { serverOfAccount } from '../../core/activeStory/storyBinding.ts';
import { findStory } from '../../core/backlog/backlog.ts';
import { stateWord, typeWord } from '../../core/backlog/stateWords.ts';
import { messageOf } from '../../core/errors.ts';
import { named, withTurn } from '../../core/marker/commitBox.ts';
import type { Story } from '../../core/story/story.ts';
import { visibleLine } from '../../core/text.ts';
import type { App } from '../../host/app.ts';
import { markerOptions } from '../../host/git/commitLinkSettings.ts';
import { changeCommitBox } from '../../host/git/commitMessage.ts';
import type { GitRepository } from '../../host/git/gitBridge.ts';
import { areEditorsPerStory, insertActive } from '../../host/shell/featureSettings.ts';
import { withoutIcons } from '../../host/shell/plainText.ts';
import { inBackground } from '../../host/shell/turnBudget.ts';
import { storyLabel } from '../../host/story/storyLabel.ts';
import { EditorTabs } from './editorTabs.ts';
import { FollowedStories, type FollowNeeds, type WorkedStory } from './followedStories.ts';
import { rememberedName, rememberShown } from './shownStory.ts';
import { EditorMemory, NO_STORY_EDITORS, StoryEditors } from './storyEditors.ts';

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
      ...(story ? [`${typeWord(story.type)}, ${stateWord(story.state)}`] : []),
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

/** VS Code empties the commit box this long after a commit at most. */
const EMPTIED_MS = 3000;
const STEP_MS = 100;

interface Kept {
  readonly repository: GitRepository;
  readonly listening: vscode.Disposable;
  storyId: number | undefined;
  commit: string | undefined;
}

/**
 * Puts the marker of the active story into commit boxes, where the setting says `always`: when another story is worked on, and
 * after a commit. A marker that a person takes out stays out until then.
 */
class InsertedMarkers implements vscode.Disposable {
  private readonly log: App['log'];
  private readonly stories: FollowedStories;
  private readonly kept = new Map<string, Kept>();
  private readonly listening: vscode.Disposable;

  constructor({ log }: Pick<App, 'log'>, stories: FollowedStories) {
    this.log = log;
    this.stories = stories;
    this.listening = stories.onDidChange(() => this.follow());
  }

  dispose(): void {
    this.listening.dispose();
    for (const { listening } of this.kept.values()) listening.dispose();
  }

  private follow(): void {
    const worked = new Map(this.stories.all.map((one) => [one.place, one]));
    for (const [place, { repository, story }] of worked) {
      if (repository && !this.kept.has(place)) this.keep(place, repository);
      this.turn(place, story.storyId);
    }
    for (const [place, { listening }] of this.kept) {
      if (this.stories.isOpen(place)) {
        if (!worked.has(place)) this.turn(place, undefined);
      } else {
        listening.dispose();
        this.kept.delete(place);
      }
    }
  }

  private keep(place: string, repository: GitRepository): void {
    const listening = repository.state.onDidChange(() => this.look(place));
    const commit = repository.state.HEAD?.commit;
    this.kept.set(place, { repository, listening, storyId: undefined, commit });
  }

  private turn(place: string, to: number | undefined): void {
    const kept = this.kept.get(place);
    if (!kept || kept.storyId === to) return;
    const { repository, storyId: from } = kept;
    kept.storyId = to;
    const options = markerOptions(repository.rootUri, '');
    this.change(repository, (text) => withTurn(text, { from, to, options }));
  }

  private look(place: string): void {
    const kept = this.kept.get(place);
    const head = kept?.repository.state.HEAD;
    if (!kept || !head || head.commit === kept.commit) return;
    kept.commit = head.commit;
    if (kept.storyId !== undefined && head.name !== undefined) void this.afterCommit(kept);
  }

  private async afterCommit({ repository }: Kept): Promise<void> {
    const { inputBox } = repository;
    const before = inputBox.value;
    const isNew = () => inputBox.value.trim() === '' || inputBox.value !== before;
    for (let waited = 0; !isNew() && waited < EMPTIED_MS; waited += STEP_MS) await pause(STEP_MS);
    const storyId = this.stories.at(repository.rootUri)?.storyId;
    if (storyId === undefined || !isNew()) return;
    this.name(repository, storyId);
  }

  private name(repository: GitRepository, storyId: number): void {
    this.change(repository, (text) => named(text, storyId, markerOptions(repository.rootUri, '')));
  }

  /** Only where it is wished. */
  private change(repository: GitRepository, changed: Parameters<typeof changeCommitBox>[1]): void {
    if (insertActive(repository.rootUri) !== 'always') return;
    const work = changeCommitBox(repository, changed);
    work.catch((thrown: unknown) => this.log.warn(`marker of the active story: ${messageOf(thrown)}`));
  }
}

type EditorNeeds = Pick<App, 'accounts' | 'log' | 'workspaceMemory'>;

/** Milliseconds for which a change of story may be followed by another: a new branch has its story a moment after it is checked out. */
const SETTLE_MS = 500;

/** Has each story's editors put away and brought back while the setting wants it. */
class EditorsPerStory implements vscode.Disposable {
  private readonly needs: EditorNeeds;
  private readonly stories: FollowedStories;
  private readonly memory: EditorMemory;
  private readonly editors: StoryEditors;
  private readonly listening: vscode.Disposable;
  private timer: NodeJS.Timeout | undefined;

  constructor(needs: EditorNeeds, stories: FollowedStories) {
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
