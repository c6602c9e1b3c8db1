import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { storiesOf } from '../../core/backlog/backlog.ts';
import { isAway, kindOf } from '../../core/errors.ts';
import { isPendingStory } from '../../core/intents/edit.ts';
import type { OutboxEntry } from '../../core/outbox/outbox.ts';
import { isSameProject, type ProjectKey } from '../../core/story/projectKey.ts';
import type { Story } from '../../core/story/story.ts';
import { replicaAccount } from '../../host/accounts/accounts.ts';
import type { App } from '../../host/app.ts';
import { isolatedInTitle } from '../../host/shell/plainText.ts';
import { AccountLinks } from '../../host/story/accountLinks.ts';
import { type DraftStore, fieldDrafts, moveDrafts } from '../../host/story/draftFiles.ts';
import { madeSince } from '../../host/story/newStories.ts';
import { iconOfType } from '../../host/story/storyIcons.ts';
import { AttachedImages } from './attachedImages.ts';
import type { TextComparison } from './compareTexts.ts';
import { type BegunText, BegunTexts, DraftMemory } from './draftMemory.ts';
import { FieldEditing, type FieldNeeds } from './fieldEditing.ts';
import { type FieldsFromPage, isAboutFields } from './fieldMessages.ts';
import type { ListName } from './listWindow.ts';
import { withAttachedImages } from './markdown.ts';
import { fromPage, type PanelStory } from './panelMessages.ts';
import { PanelContent, PanelPage } from './panelPage.ts';
import type { PanelTexts } from './panelTexts.ts';
import { type ActionNeeds, StoryDeeds } from './storyDeeds.ts';
import { type Draft, type DraftField, isAnyKept } from './storyDrafts.ts';
import { unsentFields, writtenFields } from './storyFields.ts';
import { PanelHistory } from './storyHistory.ts';
import { previewOf } from './storyParts.ts';
import { StoryProject } from './storyProject.ts';
import { StoryStanding } from './storyStanding.ts';
import { type OpenTab, UnsavedTexts } from './unsavedTexts.ts';

export interface PanelNeeds
  extends ActionNeeds,
    FieldNeeds,
    Pick<App, 'accounts' | 'engine' | 'messages' | 'restoredStories' | 'workspaceMemory'> {
  readonly comparison: Pick<TextComparison, 'show'>;
  readonly drafts: DraftStore;
}

interface PanelOptions {
  readonly isPreview?: boolean;
  /** The story is in another project now, and what was written about it with it. */
  readonly onDidMove?: (story: PanelStory) => void;
  /** The tab in which a story is open, this one or another. */
  readonly tabOf?: (story: PanelStory) => OpenTab | undefined;
}

/** Milliseconds for which a server is not asked while VS Code makes the page, which would be there the later. */
const PAGE_FIRST_MS = 1_000;

/** One story in an editor tab: shows what the backlogs know of it and passes on what is done in its page. */
export class StoryPanel implements vscode.Disposable {
  private readonly needs: PanelNeeds;
  private readonly panel: vscode.WebviewPanel;
  private readonly page: PanelPage;
  private readonly deeds: StoryDeeds;
  private readonly key: ProjectKey;
  private readonly shows: PanelStory;
  private readonly texts: PanelTexts;
  private readonly listening: vscode.Disposable;
  private readonly history: PanelHistory;
  private readonly links: AccountLinks;
  private readonly content: PanelContent;
  private readonly images: AttachedImages;
  private isPreview: boolean;
  private readonly onDidMove: (story: PanelStory) => void;
  private readonly standing: StoryStanding;
  private readonly project: StoryProject;
  private story: Story | undefined;
  /** The stories that were there when this one was first shown without a number; it is another one. */
  private others: ReadonlySet<number> = new Set();
  private isGreeted = false;
  /** The field into which the cursor is to be put. */
  private wanted: DraftField | undefined;
  private readonly editing: FieldEditing;
  private readonly begun: BegunTexts;
  private readonly unsaved: UnsavedTexts;
  /** The page says that the server cannot be reached. */
  private isAway = false;

  constructor(
    needs: PanelNeeds,
    panel: vscode.WebviewPanel,
    shows: PanelStory,
    texts: PanelTexts,
    { isPreview = false, onDidMove = () => undefined, tabOf = () => undefined }: PanelOptions = {},
  ) {
    const { accountId, projectId } = shows;
    this.needs = needs;
    this.panel = panel;
    this.page = new PanelPage(needs.log, panel.webview);
    this.shows = shows;
    this.key = { accountId, projectId };
    this.texts = texts;
    this.isPreview = isPreview;
    this.onDidMove = onDidMove;
    this.standing = new StoryStanding(needs, shows, texts);
    this.project = new StoryProject(needs, this.key);
    this.begun = new BegunTexts(needs.drafts, shows);
    this.editing = this.fieldEditing();
    const openTab = () => tabOf(shows);
    const written = { story: shows, editing: this.editing, begun: this.begun, openTab };
    this.unsaved = new UnsavedTexts(needs.messages, written, texts);
    const shown = {
      key: this.key,
      name: shows,
      story: () => this.story,
      read: () => this.read(),
      showDone: () => this.showDone(),
      showAgain: () => this.showAgain(),
      showComment: async (isWaiting: boolean) => (isWaiting ? this.follow() : this.load()),
    };
    this.deeds = new StoryDeeds(needs, this.page, shown, { begun: this.begun, unsaved: this.unsaved }, texts);
    this.links = new AccountLinks(needs.backlogs, this.key);
    this.content = new PanelContent(this.page, shows, texts, this.links, () => this.showAll());
    this.images = new AttachedImages(needs, shows, (message) => this.page.tell(message));
    this.history = this.storyHistory();
    this.listening = this.listen();
  }

  private fieldEditing(): FieldEditing {
    const { key, needs, shows, texts } = this;
    return new FieldEditing(
      needs,
      new DraftMemory(needs.drafts, fieldDrafts(key, shows.storyId)),
      {
        key,
        storyId: shows.storyId,
        story: () => this.standing.listed ?? this.story,
        members: () => this.project.rules.memberships ?? [],
        estimated: (story, edit) => this.project.estimated(story, edit),
        tell: (message) => this.page.tell(message),
      },
      texts,
    );
  }

  private storyHistory(): PanelHistory {
    const { accounts, engine, log, workspaceMemory } = this.needs;
    const account = async () => {
      const known = await accounts.find(this.shows.accountId);
      return known && replicaAccount(known);
    };
    const changed = () => this.story && this.show(this.story);
    return new PanelHistory({ engine, log, workspaceMemory, account }, this.shows, changed);
  }

  /** Follows what the window knows and what is done in the page. */
  private listen(): vscode.Disposable {
    const { needs } = this;
    return vscode.Disposable.from(
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
      this.panel.webview.onDidReceiveMessage((message: unknown) => this.hear(message)),
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
    if (writtenFields(story, this.project.rules).includes(field)) await this.page.tell({ type: 'write', field });
  }

  /** Shows what is known at once, then what the server says now. */
  async load(): Promise<void> {
    this.isAway = false;
    this.follow();
    if (!this.story) void this.showKnown();
    const page = this.content.awaitedPage;
    if (page) await Promise.race([page, sleep(PAGE_FIRST_MS)]);
    if (this.page.isClosed) return;
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
      await this.page.tellProblem(thrown);
    }
  }

  dispose(): void {
    this.page.isClosed = true;
    this.listening.dispose();
    void this.unsaved.tabClosed(this.standing.isGone, this.page.untold);
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
    void this.showMembers();
  }

  private async showMembers(): Promise<void> {
    if (await this.project.askForMembers()) this.showAll();
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
    const story = this.page.isClosed ? undefined : this.standing.movedTo;
    if (!story) return false;
    await this.become(story);
    return true;
  }

  /** It has another name by now: what was written about it goes along. */
  private async become(story: PanelStory): Promise<void> {
    await moveDrafts(this.needs.drafts, this.shows, story);
    if (!this.page.isClosed) this.onDidMove(story);
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
    for (const message of this.standing.messages) await this.page.tell(message);
  }

  private async followAccount(): Promise<void> {
    const isSignedOut = (await this.needs.accounts.find(this.shows.accountId)) === undefined;
    if (isSignedOut === this.standing.isSignedOut || this.page.isClosed) return;
    this.standing.isSignedOut = isSignedOut;
    await this.tellStanding();
    if (!isSignedOut) await this.load();
  }

  /** A server has given the story its number by now. */
  private async becomeNumbered(): Promise<void> {
    const { needs, key, story } = this;
    if (this.page.isClosed || !needs.backlogs.peek(key)) return;
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
    if (isHidden || this.page.isClosed || this.standing.listed) return;
    this.standing.go('deleteStory');
    this.showGone();
  }

  private listedIds(): ReadonlySet<number> {
    const backlog = this.needs.backlogs.peek(this.key);
    return new Set(backlog ? storiesOf(backlog).map(({ id }) => id) : []);
  }

  private show(story: Story): void {
    if (this.page.isClosed) return;
    if (!this.story && isPendingStory(story)) this.others = this.listedIds();
    this.story = story;
    const plain = isolatedInTitle(story.name);
    const name = isPendingStory(story) ? plain : `#${story.id} ${plain}`;
    const title = this.titleOf(name);
    if (this.panel.title !== title) this.panel.title = title;
    this.panel.iconPath = new vscode.ThemeIcon(iconOfType(story.type));
    this.content.show(story, this.project.rulesFor(story.id), this.history.shown, this.unsent);
  }

  private get unsent(): readonly DraftField[] {
    const isOurs = ({ project, intent, state }: OutboxEntry) =>
      state !== 'failed' && isSameProject(project, this.key) && intent.storyId === this.shows.storyId;
    return unsentFields(this.needs.backlogs.unsent.filter(isOurs).map(({ intent }) => intent));
  }

  private titleOf(name: string): string {
    const { standing, texts } = this;
    if (standing.isGone) return standing.title(name);
    return this.isPreview ? texts.preview(name) : name;
  }

  private showAll(): void {
    if (this.story && !this.page.isClosed) this.show(this.story);
  }

  /** Whether the server has answered since it could not be reached. */
  private isAnswering(): boolean {
    return !this.needs.backlogs.failures.some(({ account }) => account.id === this.key.accountId);
  }

  private async hear(message: unknown): Promise<void> {
    const said = fromPage(message);
    if (said?.type === 'ready') await this.greet();
    else if (said?.type === 'draft') await this.begun.keepComment(said.text);
    else if (said?.type === 'keepTexts') await this.begun.keepOthers(said.texts);
    else if (said?.type === 'comment') await this.deeds.addComment(said.text);
    else if (said?.type === 'edited') return;
    else if (said && isAboutFields(said)) await this.hearOfFields(said);
    else if (said?.type === 'image') this.images.ask(said.id);
    else if (said?.type === 'olderHistory') this.history.showOlder();
    else if (said && 'list' in said) this.turn(said.list, said.type === 'older');
    else if (said) await this.deeds.do(said);
    else this.needs.log.warn('The story panel sent an unknown message.');
  }

  private async hearOfFields(said: FieldsFromPage): Promise<void> {
    const { editing } = this;
    try {
      if (said.type === 'keepDraft') await editing.keep(said.draft, said.sent);
      else if (said.type === 'saveField') await editing.save(said.draft, said.sent);
      else if (said.type === 'discardDraft') await editing.discard(said.field);
      else if (said.type === 'removeLabel') await editing.removeLabel(said.text);
      else if (said.type === 'preview') await this.page.tell({ type: 'preview', html: this.previewOf(said.text) });
      else if (said.type === 'compare') await this.compare(said.text);
    } catch (thrown) {
      await this.page.tellProblem(thrown);
    }
  }

  private previewOf(text: string): string {
    return previewOf(text, this.texts, withAttachedImages(this.links, this.story?.attachments ?? []));
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
    this.content.turn(this.story, list, isOlder);
    this.show(this.story);
  }

  /** A page that was hidden or reloaded knows nothing any more. */
  private async greet(): Promise<void> {
    this.needs.drafts.refresh();
    // Before anything that the page says next takes their place.
    const { comment, others } = this.begun;
    this.content.pageCame();
    this.follow();
    await this.page.tellUntold();
    await this.offerKept(comment, others);
    await this.followAccount();
    if (this.standing.isGone || this.standing.isSignedOut) await this.tellStanding();
    this.isGreeted = true;
    this.content.pageGreeted();
    await this.writeWanted();
  }

  /** Puts what was written and not saved into the page, where nothing else is being written. */
  async offerKept(comment = this.begun.comment, others = this.begun.others): Promise<void> {
    if (comment !== '') await this.page.tell({ type: 'draft', text: comment });
    if (isAnyKept(others)) await this.page.tell({ type: 'texts', texts: others });
    await this.editing.offerAll();
  }

  /** As the person asked outside of the tab: what goes from its page can be restored there. */
  async discard(drafts: readonly Draft[], begun: BegunText | undefined): Promise<void> {
    if (begun) {
      const { comment, others } = await this.begun.discard(begun);
      await this.page.tellSurely({ type: 'begunDiscarded', comment, task: others.task });
    }
    const discarded = await this.editing.discardAll(drafts);
    if (discarded.length > 0) await this.page.tellSurely({ type: 'draftsDiscarded', drafts: discarded });
  }

  private async showDone(): Promise<void> {
    const { page, standing } = this;
    await this.tellStanding();
    if (!standing.listed && !standing.isGone) await this.read().catch((thrown: unknown) => page.tellProblem(thrown));
    this.showAgain();
  }

  private showAgain(): void {
    this.content.forgetContent();
    if (this.story) this.show(this.standing.listed ?? this.story);
  }
}
