import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import { storiesOf } from '../../core/backlog/backlog.ts';
import { isAway, isCancelled, kindOf, messageOf } from '../../core/errors.ts';
import { isPendingStory } from '../../core/intents/editedStory.ts';
import type { Membership } from '../../core/story/project.ts';
import { isSameProject, type ProjectKey } from '../../core/story/projectKey.ts';
import type { Story } from '../../core/story/story.ts';
import type { App } from '../../host/app.ts';
import { isolatedInTitle } from '../../host/shell/plainText.ts';
import { AccountLinks } from '../../host/story/accountLinks.ts';
import { fieldDrafts } from '../../host/story/draftNames.ts';
import { madeSince } from '../../host/story/newStories.ts';
import { submitIntents } from '../../host/story/submitIntents.ts';
import { iconOfType } from '../../host/story/typeIcons.ts';
import { AttachedImages } from './attachedImages.ts';
import { BegunTexts } from './begunTexts.ts';
import type { TextComparison } from './compareTexts.ts';
import { DraftMemory, moveDrafts } from './draftMemory.ts';
import { FieldEditing, type FieldNeeds } from './fieldEditing.ts';
import { type FieldsFromPage, isAboutFields } from './fieldMessages.ts';
import { isAnyKept } from './keptTexts.ts';
import { type ListName, type ListWindows, newest, newestOfAll, olderWindow } from './listWindow.ts';
import { MarkdownCache } from './markdown.ts';
import { type Action, type ActionNeeds, act, TOLD_HERE } from './panelActions.ts';
import { PanelHistory } from './panelHistory.ts';
import { fromPage, type PanelStory, type ToPage } from './panelMessages.ts';
import type { PanelProject, PanelTexts } from './panelTexts.ts';
import type { DraftField } from './storyDrafts.ts';
import { pageFields, writtenFields } from './storyFields.ts';
import { firstScreen, previewOf, shownLists, storyParts } from './storyParts.ts';
import { StoryStanding } from './storyStanding.ts';
import { isTaskAction, TaskOrder, taskCommand } from './storyTasks.ts';
import { UnsavedTexts } from './unsavedTexts.ts';

export interface PanelNeeds
  extends ActionNeeds,
    FieldNeeds,
    Pick<App, 'accounts' | 'engine' | 'messages' | 'restoredStories' | 'workspaceMemory'> {
  readonly comparison: Pick<TextComparison, 'show'>;
}

interface PanelOptions {
  readonly isPreview?: boolean;
  /** The story is in another project now, and what was written about it with it. */
  readonly onDidMove?: (story: PanelStory) => void;
}

/** Milliseconds for which a server is not asked while VS Code makes the page, which would be there the later. */
const PAGE_FIRST_MS = 1_000;

/** One story in an editor tab: shows what the backlogs know of it and passes on what is done in its page. */
export class StoryPanel implements vscode.Disposable {
  private readonly needs: PanelNeeds;
  private readonly panel: vscode.WebviewPanel;
  private readonly key: ProjectKey;
  private readonly shows: PanelStory;
  private readonly texts: PanelTexts;
  private readonly listening: vscode.Disposable;
  private readonly history: PanelHistory;
  private readonly links: AccountLinks;
  private readonly markdown: MarkdownCache;
  private readonly images: AttachedImages;
  /** Its tab may show another story by then. */
  private isDisposed = false;
  private isPreview: boolean;
  private readonly onDidMove: (story: PanelStory) => void;
  private readonly standing: StoryStanding;
  private readonly taskOrder = new TaskOrder();
  private story: Story | undefined;
  /** The stories that were there when this one was first shown without a number; it is another one. */
  private others: ReadonlySet<number> = new Set();
  private sentContent = '';
  private sentFields = '';
  /** The page has said that it is there. */
  private hasPage = false;
  private readonly page = Promise.withResolvers<void>();
  private isGreeted = false;
  /** The field into which the cursor is to be put. */
  private wanted: DraftField | undefined;
  private readonly editing: FieldEditing;
  private readonly begun: BegunTexts;
  private readonly unsaved: UnsavedTexts;
  /** Members of a project that is listed without any, once they were asked for. */
  private members: readonly Membership[] | undefined;
  private windows: ListWindows = newestOfAll;
  /** The page says that the server cannot be reached. */
  private isAway = false;
  /** What became of texts while the page was not there to hear it. */
  private untold: readonly ToPage[] = [];

  constructor(
    needs: PanelNeeds,
    panel: vscode.WebviewPanel,
    shows: PanelStory,
    texts: PanelTexts,
    { isPreview = false, onDidMove = () => undefined }: PanelOptions = {},
  ) {
    const { accountId, projectId } = shows;
    this.needs = needs;
    this.panel = panel;
    this.shows = shows;
    this.key = { accountId, projectId };
    this.texts = texts;
    this.isPreview = isPreview;
    this.onDidMove = onDidMove;
    this.standing = new StoryStanding(needs, shows, texts);
    this.begun = new BegunTexts(needs.workspaceMemory, shows);
    this.editing = new FieldEditing(
      needs,
      new DraftMemory(needs.workspaceMemory, fieldDrafts(this.key, shows.storyId)),
      {
        key: this.key,
        storyId: shows.storyId,
        story: () => this.standing.listed ?? this.story,
        members: () => this.rules().memberships ?? [],
        tell: (message) => this.tell(message),
      },
      texts,
    );
    const written = { story: shows, editing: this.editing, begun: this.begun };
    this.unsaved = new UnsavedTexts(needs.messages, written, texts);
    this.links = new AccountLinks(needs.backlogs, this.key);
    this.markdown = new MarkdownCache(this.links);
    this.images = new AttachedImages(needs, shows, (message) => this.tell(message));
    this.history = new PanelHistory(needs, shows, () => this.story && this.show(this.story));
    this.listening = vscode.Disposable.from(
      this.history,
      this.images,
      needs.backlogs.onDidChange((key) => {
        if (!key || isSameProject(key, this.key)) {
          this.follow();
          void this.editing.offerFailed();
        } else if (this.standing.isGone) this.showGone();
        void this.followMove();
        if (this.isAway && this.isAnswering()) void this.load();
      }),
      needs.restoredStories.onDidChange(() => {
        if (this.isDeletedPreview()) return this.panel.dispose();
        this.follow();
        if (this.standing.isGone) this.showGone();
      }),
      needs.accounts.onDidChange(() => void this.followAccount()),
      panel.webview.onDidReceiveMessage((message: unknown) => this.hear(message)),
    );
  }

  /** The tab's title no longer says that it is a preview. */
  keep(): void {
    this.isPreview = false;
    if (this.story) this.show(this.story);
  }

  /** Puts the cursor into a field, as soon as the page is there; nowhere where the field cannot be written. */
  write(field: DraftField): void {
    this.wanted = field;
    if (this.isGreeted && this.panel.visible) void this.writeWanted();
  }

  private async writeWanted(): Promise<void> {
    const { story, wanted: field } = this;
    if (!story || field === undefined) return;
    this.wanted = undefined;
    if (writtenFields(story, this.rules()).includes(field)) await this.tell({ type: 'write', field });
  }

  /** Shows what is known at once, then what the server says now. */
  async load(): Promise<void> {
    this.isAway = false;
    this.follow();
    if (!this.story) void this.showKnown();
    if (!this.hasPage) await Promise.race([this.page.promise, sleep(PAGE_FIRST_MS)]);
    if (this.isDisposed) return;
    this.history.follow();
    if (this.standing.leaving) return;
    try {
      await this.read();
      await this.tellStanding();
    } catch (thrown) {
      const isGone = kindOf(thrown) === 'notFound';
      if (isGone && (await this.followMove())) return;
      if (isGone) {
        this.standing.go('unknown');
        this.showGone();
        return;
      }
      this.isAway = isAway(thrown);
      await this.tellProblem(thrown);
    }
  }

  dispose(): void {
    this.isDisposed = true;
    this.listening.dispose();
    void this.unsaved.tabClosed(this.standing.isGone, this.untold);
  }

  private async read(): Promise<void> {
    await this.needs.backlogs.projects();
    if (isPendingStory({ id: this.shows.storyId })) {
      await this.needs.backlogs.backlog(this.key);
      this.follow();
      return;
    }
    const story = await this.needs.backlogs.refreshStory(this.key, this.shows.storyId);
    if (this.standing.leaving) return;
    this.standing.stay();
    // Changes under way are on top of what the backlogs hold.
    this.show(this.standing.listed ?? story);
    void this.askForMembers();
  }

  /** Shows what the replica has, for a tab that VS Code kept while the server is slow or away. */
  private async showKnown(): Promise<void> {
    try {
      await this.needs.backlogs.projects();
      await this.needs.backlogs.some(this.key);
      this.follow();
    } catch (thrown) {
      this.needs.log.debug(`there is no copy to show: ${String(thrown)}`);
    }
  }

  /** A story that was moved to another project is shown as it is there. */
  private async followMove(): Promise<boolean> {
    const story = this.isDisposed ? undefined : this.standing.movedTo;
    if (!story) return false;
    await this.become(story);
    return true;
  }

  /** It has another name by now: what was written about it goes along. */
  private async become(story: PanelStory): Promise<void> {
    await moveDrafts(this.needs.workspaceMemory, this.shows, story);
    if (!this.isDisposed) this.onDidMove(story);
  }

  /** Shows what the backlogs hold now. A story that has left them may have been deleted, so it is asked for. */
  private follow(): void {
    const sight = this.standing.look();
    if (sight.is === 'listed') this.showListed(sight.story);
    else if (sight.is === 'leaving') {
      this.standing.go(sight.removal);
      this.showGone();
    } else if (sight.is === 'unnumbered') void this.becomeNumbered();
    else if (sight.is === 'missing') void this.load();
  }

  /** Whether it is a preview of what was deleted in this window, with nothing written in it. */
  private isDeletedPreview(): boolean {
    const { begun, editing, key, needs, shows } = this;
    const isRemoved = this.isPreview && needs.restoredStories.isRemoved(key, shows.storyId);
    return isRemoved && editing.unsaved.length === 0 && begun.comment === '' && !isAnyKept(begun.others);
  }

  private showListed(story: Story): void {
    const isBack = this.standing.isGone;
    this.standing.stay();
    this.show(story);
    if (isBack) void this.tellStanding();
  }

  /** Goes on showing the story as it was, with what may be written in it, and says where it is. */
  private showGone(): void {
    if (this.story) this.show(this.story);
    void this.tellStanding();
  }

  private async tellStanding(): Promise<void> {
    for (const message of this.standing.messages) await this.tell(message);
  }

  private async followAccount(): Promise<void> {
    const isSignedOut = (await this.needs.accounts.find(this.shows.accountId)) === undefined;
    if (isSignedOut === this.standing.isSignedOut || this.isDisposed) return;
    this.standing.isSignedOut = isSignedOut;
    await this.tellStanding();
    if (!isSignedOut) await this.load();
  }

  /** A server has given the story its number by now. */
  private async becomeNumbered(): Promise<void> {
    const { needs, key, story } = this;
    if (this.isDisposed || !needs.backlogs.peek(key)) return;
    if (!story) {
      // Nothing tells which one it is where the tab was kept over a reload.
      this.standing.go('unknown');
      this.panel.dispose();
      return;
    }
    const storyId = madeSince(needs.backlogs, key, story, (id) => !this.others.has(id));
    if (storyId !== undefined) return this.become({ ...key, storyId });
    // What a person who has signed out left unsent is only hidden.
    const isHidden = (await needs.accounts.find(key.accountId)) === undefined;
    if (isHidden || this.isDisposed || this.standing.listed) return;
    this.standing.go('deleteStory');
    this.showGone();
  }

  private listedIds(): ReadonlySet<number> {
    const backlog = this.needs.backlogs.peek(this.key);
    return new Set(backlog ? storiesOf(backlog).map(({ id }) => id) : []);
  }

  private show(story: Story): void {
    if (this.isDisposed) return;
    if (!this.story && isPendingStory(story)) this.others = this.listedIds();
    this.story = story;
    this.markdown.begin();
    const plain = isolatedInTitle(story.name);
    const name = isPendingStory(story) ? plain : `#${story.id} ${plain}`;
    const title = this.titleOf(name);
    if (this.panel.title !== title) this.panel.title = title;
    this.panel.iconPath = new vscode.ThemeIcon(iconOfType(story.type));
    const lists = shownLists(story, this.windows);
    const content: ToPage = {
      type: 'content',
      story: this.shows,
      parts: storyParts(
        story,
        this.rules(),
        this.texts,
        this.hasPage ? lists : firstScreen(lists),
        this.history.shown,
        this.markdown,
      ),
    };
    if (this.markdown.isBehind && this.hasPage) this.showRest();
    // One screen is enough until then: VS Code makes the page the later the more is sent and the busier we are.
    if (!this.hasPage && this.sentContent !== '') return;
    this.showFields(story);
    const text = JSON.stringify(content);
    if (text === this.sentContent) return;
    this.sentContent = text;
    void this.tell(content);
  }

  private titleOf(name: string): string {
    const { standing, texts } = this;
    if (standing.isGone) return standing.title(name);
    return this.isPreview ? texts.preview(name) : name;
  }

  private showFields(story: Story): void {
    const message: ToPage = { type: 'fields', fields: pageFields(story, this.rules(), this.texts) };
    const text = JSON.stringify(message);
    if (text === this.sentFields) return;
    this.sentFields = text;
    void this.tell(message);
  }

  /** In another turn, since there was no time for all texts in this one. */
  private showRest(): void {
    setImmediate(() => {
      if (this.story && !this.isDisposed) this.show(this.story);
    });
  }

  /** Whether the server has answered since it could not be reached. */
  private isAnswering(): boolean {
    return !this.needs.backlogs.failures.some(({ account }) => account.id === this.key.accountId);
  }

  private rules(): PanelProject {
    const project = this.needs.backlogs.peek(this.key)?.project ?? {};
    return this.members ? { ...project, memberships: this.members } : project;
  }

  /** Some servers list projects without their members. */
  private async askForMembers(): Promise<void> {
    const { memberships } = this.rules();
    if (memberships?.length !== 0 || this.members) return;
    this.members = [];
    try {
      this.members = await this.needs.backlogs.tracker(this.key).listMemberships(this.key.projectId);
    } catch (thrown) {
      this.needs.log.debug(`there are no members to choose from: ${messageOf(thrown)}`);
    }
    if (this.story) this.show(this.story);
  }

  private async hear(message: unknown): Promise<void> {
    const said = fromPage(message);
    if (said?.type === 'ready') await this.greet();
    else if (said?.type === 'draft') await this.begun.keepComment(said.text);
    else if (said?.type === 'keepTexts') await this.begun.keepOthers(said.texts);
    else if (said?.type === 'comment') await this.addComment(said.text);
    else if (said?.type === 'edited') return;
    else if (said && isAboutFields(said)) await this.hearOfFields(said);
    else if (said?.type === 'image') this.images.ask(said.id);
    else if (said?.type === 'olderHistory') this.history.showOlder();
    else if (said && 'list' in said) this.turn(said.list, said.type === 'older');
    else if (said) await this.act(said);
    else this.needs.log.warn('The story panel sent an unknown message.');
  }

  private async hearOfFields(said: FieldsFromPage): Promise<void> {
    const { editing, texts } = this;
    try {
      if (said.type === 'keepDraft') await editing.keep(said.draft, said.sent);
      else if (said.type === 'saveField') await editing.save(said.draft, said.sent);
      else if (said.type === 'discardDraft') await editing.discard(said.field);
      else if (said.type === 'removeLabel') await editing.removeLabel(said.text);
      else if (said.type === 'preview')
        await this.tell({ type: 'preview', html: previewOf(said.text, texts, this.links) });
      else if (said.type === 'compare') await this.compare(said.text);
    } catch (thrown) {
      await this.tellProblem(thrown);
    }
  }

  private async compare(mine: string): Promise<void> {
    const { storyId } = this.shows;
    const theirs = this.story?.description ?? '';
    const title = this.texts.writing.comparison(storyId);
    await this.needs.comparison.show(`Story ${storyId}.md`, title, theirs, mine);
  }

  /** Shows another part of a list. */
  private turn(list: ListName, isOlder: boolean): void {
    if (!this.story) return;
    const { windows } = this;
    const shown = shownLists(this.story, windows)[list];
    this.windows = { ...windows, [list]: isOlder ? olderWindow(windows[list], shown) : newest };
    this.show(this.story);
  }

  /** A page that was hidden or reloaded knows nothing any more. */
  private async greet(): Promise<void> {
    // Before anything that the page says next takes their place.
    const { comment, others } = this.begun;
    this.hasPage = true;
    this.sentContent = '';
    this.sentFields = '';
    if (this.story) this.show(this.story);
    this.follow();
    const { untold } = this;
    this.untold = [];
    for (const message of untold) await this.tellSurely(message);
    await this.offerKept(comment, others);
    await this.followAccount();
    if (this.standing.isGone || this.standing.isSignedOut) await this.tellStanding();
    this.isGreeted = true;
    this.page.resolve();
    await this.writeWanted();
  }

  /** Puts what was written and not saved into the page, where nothing else is being written. */
  async offerKept(comment = this.begun.comment, others = this.begun.others): Promise<void> {
    if (comment !== '') await this.tell({ type: 'draft', text: comment });
    if (isAnyKept(others)) await this.tell({ type: 'texts', texts: others });
    await this.editing.offerAll();
  }

  private async act(action: Action): Promise<void> {
    const { story } = this;
    if (!story) return;
    try {
      await this.perform(action, story);
    } catch (thrown) {
      await this.tellRefused(action, thrown);
      this.showAgain();
      return;
    }
    if (this.isDisposed) {
      if (action.type === 'editTask') await this.begun.forgetTaskEdit(action);
      return;
    }
    await this.tellStanding();
    if (action.type === 'newTask') await this.tell({ type: 'taskTaken', text: action.text });
    if (action.type === 'editTask') await this.tellSurely({ type: 'taskEdited', id: action.id, text: action.text });
    if (!this.standing.listed && !this.standing.isGone)
      await this.read().catch((thrown: unknown) => this.tellProblem(thrown));
    this.showAgain();
    const done = this.doneText(action);
    if (done !== undefined) await this.tell({ type: 'announce', text: done });
  }

  private async perform(action: Action, story: Story): Promise<void> {
    if (!isTaskAction(action)) return act(this.needs, { key: this.key, story }, action);
    const task = taskCommand(story, action, this.taskOrder);
    if (!task) return;
    try {
      await vscode.commands.executeCommand(task.command, { ...this.shows, ...task.argument, ...TOLD_HERE });
    } finally {
      if (task.command === commandIds.moveTask) this.taskOrder.ended();
    }
  }

  /** What a screen reader says when it is done; `undefined` where it shows by itself. */
  private doneText(action: Action): string | undefined {
    if (!this.story) return undefined;
    if (action.type === 'state') return this.texts.stateIs(this.story.state);
    if (action.type !== 'moveTask' && action.type !== 'dropTask') return undefined;
    const { tasks } = this.story;
    return this.texts.taskMoved(tasks.findIndex(({ id }) => id === action.id) + 1, tasks.length);
  }

  /** Also where nothing is different: the page may show what was asked for. */
  private showAgain(): void {
    this.sentContent = '';
    if (this.story) this.show(this.standing.listed ?? this.story);
  }

  /** Gives back what was typed. What someone else wrote instead is shown first. */
  private async tellRefused(action: Action, thrown: unknown): Promise<void> {
    if (action.type !== 'newTask' && action.type !== 'editTask') return this.tellProblem(thrown);
    this.needs.log.error(thrown instanceof Error ? thrown : String(thrown));
    const { text } = action;
    const problem = messageOf(thrown);
    if (this.isDisposed) {
      await (action.type === 'newTask' ? this.unsaved.giveBack('taskReturned', text) : this.unsaved.tell());
      return;
    }
    if (action.type === 'newTask') return this.tellSurely({ type: 'taskRefused', text, problem });
    await this.read().catch((again: unknown) => this.needs.log.debug(messageOf(again)));
    await this.tellSurely({ type: 'taskEditRefused', id: action.id, text, problem });
  }

  private async addComment(text: string): Promise<void> {
    const { storyId } = this.shows;
    let isWaiting: boolean;
    if (this.begun.comment === text) await this.begun.keepComment('');
    try {
      const submitted = await submitIntents(this.needs, this.key, [{ kind: 'comment', storyId, text }]);
      isWaiting = submitted.waiting !== undefined;
    } catch (thrown) {
      this.needs.log.error(thrown instanceof Error ? thrown : String(thrown));
      if (this.begun.comment === '') await this.begun.keepComment(text);
      if (this.isDisposed) return this.unsaved.giveBack('commentReturned', text);
      await this.tellSurely({ type: 'commentRefused', text, problem: messageOf(thrown) });
      return;
    }
    await this.tell({ type: 'commentTaken', text });
    if (isWaiting) this.follow();
    else await this.load();
  }

  private async tellProblem(thrown: unknown): Promise<void> {
    this.needs.log.error(thrown instanceof Error ? thrown : String(thrown));
    await this.tell({ type: 'problem', text: isCancelled(thrown) ? '' : messageOf(thrown) });
  }

  /** Now, or when the page is there again. */
  private async tellSurely(message: ToPage): Promise<void> {
    if (!(await this.tell(message))) this.untold = [...this.untold, message];
  }

  private async tell(message: ToPage): Promise<boolean> {
    return !this.isDisposed && this.panel.webview.postMessage(message);
  }
}
