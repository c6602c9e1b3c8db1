import type { Webview } from 'vscode';
import { isCancelled, messageOf } from '../../core/errors.ts';
import type { Story } from '../../core/story/story.ts';
import type { App } from '../../host/app.ts';
import type { AccountLinks } from '../../host/story/accountLinks.ts';
import { type ListName, type ListWindows, newest, newestOfAll, olderWindow } from './listWindow.ts';
import { MarkdownCache } from './markdown.ts';
import type { PanelStory, ToPage } from './panelMessages.ts';
import type { PanelTexts } from './panelTexts.ts';
import type { DraftField } from './storyDrafts.ts';
import { pageFields, RefusedField } from './storyFields.ts';
import type { StoryHistory } from './storyHistory.ts';
import { firstScreen, shownLists, storyParts } from './storyParts.ts';
import type { PanelProject } from './storyProject.ts';

/** The page of a story's tab, as what may be told something. VS Code throws it away while it is hidden. */
export class PanelPage {
  /** Its tab may show another story by then. */
  isClosed = false;
  private readonly log: App['log'];
  private readonly webview: Pick<Webview, 'postMessage'>;
  private waiting: readonly ToPage[] = [];

  constructor(log: App['log'], webview: Pick<Webview, 'postMessage'>) {
    this.log = log;
    this.webview = webview;
  }

  /** What became of texts while the page was not there to hear it. */
  get untold(): readonly ToPage[] {
    return this.waiting;
  }

  async tell(message: ToPage): Promise<boolean> {
    return !this.isClosed && this.webview.postMessage(message);
  }

  /** Now, or when the page is there again. */
  async tellSurely(message: ToPage): Promise<void> {
    if (!(await this.tell(message))) this.waiting = [...this.waiting, message];
  }

  /** The page is there again. */
  async tellUntold(): Promise<void> {
    const { waiting } = this;
    this.waiting = [];
    for (const message of waiting) await this.tellSurely(message);
  }

  /** Why something was not done, at its field where it is about one. */
  async tellProblem(thrown: unknown): Promise<void> {
    this.log.error(thrown instanceof Error ? thrown : String(thrown));
    const field = thrown instanceof RefusedField ? { field: thrown.field } : {};
    await this.tell({ type: 'problem', text: isCancelled(thrown) ? '' : messageOf(thrown), ...field });
  }
}

/** Milliseconds in which a page paints one screen before it is given the rest. */
const ONE_SCREEN_MS = 60;

/** What the page of a story has been given, so that it is given only what is new. */
export class PanelContent {
  private readonly page: PanelPage;
  private readonly shows: PanelStory;
  private readonly texts: PanelTexts;
  private readonly markdown: MarkdownCache;
  private readonly showRest: () => void;
  private windows: ListWindows = newestOfAll;
  private sentContent = '';
  private sentFields = '';
  private readonly there = Promise.withResolvers<void>();
  /** The page has said that it is there. */
  private hasPage = false;

  /** `showRest` is called when there is time to show what there was none for. */
  constructor(page: PanelPage, shows: PanelStory, texts: PanelTexts, links: AccountLinks, showRest: () => void) {
    this.page = page;
    this.shows = shows;
    this.texts = texts;
    this.markdown = new MarkdownCache(links);
    this.showRest = showRest;
  }

  /** Settles when the page is there and has been given what it shows; undefined where that is so. */
  get awaitedPage(): Promise<void> | undefined {
    return this.hasPage ? undefined : this.there.promise;
  }

  /** `unsent` are the fields that its server has not taken yet. */
  show(story: Story, project: PanelProject, history: StoryHistory, unsent: readonly DraftField[]): void {
    this.markdown.begin(story.attachments);
    const lists = shownLists(story, this.windows);
    const shown = this.hasPage ? lists : firstScreen(lists);
    const parts = storyParts(story, project, this.texts, shown, history, this.markdown);
    // In another turn, since there was no time for all texts in this one.
    if (this.markdown.isBehind && this.hasPage) setImmediate(this.showRest);
    // One screen is enough until then: VS Code makes the page the later the more is sent and the busier we are.
    if (!this.hasPage && this.sentContent !== '') return;
    this.showFields(story, project, unsent);
    const content: ToPage = { type: 'content', story: this.shows, parts };
    const text = JSON.stringify(content);
    if (text === this.sentContent) return;
    this.sentContent = text;
    void this.page.tell(content);
  }

  private showFields(story: Story, project: PanelProject, unsent: readonly DraftField[]): void {
    const message: ToPage = { type: 'fields', fields: pageFields(story, project, this.texts, unsent) };
    const text = JSON.stringify(message);
    if (text === this.sentFields) return;
    this.sentFields = text;
    void this.page.tell(message);
  }

  /** Another part of a list is shown from now on. */
  turn(story: Story, list: ListName, isOlder: boolean): void {
    const { windows } = this;
    const shown = shownLists(story, windows)[list];
    this.windows = { ...windows, [list]: isOlder ? olderWindow(windows[list], shown) : newest };
  }

  /** The page is given its content again though nothing is new, since what was done in it may have changed what it shows. */
  forgetContent(): void {
    this.sentContent = '';
  }

  /** A page that was hidden or reloaded knows nothing any more, and a new one has one screen at most. */
  pageCame(): void {
    const hasOneScreen = !this.hasPage && this.sentContent !== '';
    this.hasPage = true;
    this.sentContent = '';
    this.sentFields = '';
    if (hasOneScreen) setTimeout(this.showRest, ONE_SCREEN_MS);
    else this.showRest();
  }

  /** The page has been given all that it is given when it comes. */
  pageGreeted(): void {
    this.there.resolve();
  }
}
