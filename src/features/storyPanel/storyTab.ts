import * as vscode from 'vscode';
import type { App } from '../../host/app.ts';
import { awaitTab, forgetTab, noticeTab } from '../../host/story/tabStory.ts';
import { NamedStory, type TreeNode } from '../../host/tree/nodes.ts';
import { fromPage, type PanelStory } from './panelMessages.ts';
import type { PanelTexts } from './panelTexts.ts';
import type { DraftField } from './storyDrafts.ts';
import { type PanelNeeds, StoryPanel } from './storyPanel.ts';
import type { OpenTab } from './unsavedTexts.ts';

export const TAB_TYPE = 'storyTracker.story';

/**
 * What a page says when it is merely read; anything else makes a preview the story's own tab. Drafts are told when they are
 * offered again too; that someone types is told by `edited`.
 */
const READING: ReadonlySet<string> = new Set([
  'ready',
  'older',
  'newest',
  'olderHistory',
  'image',
  'story',
  'preview',
  'draft',
  'keepDraft',
  'keepTexts',
  'link',
  'browser',
  'openAttachment',
  'saveAttachment',
  'saveAllAttachments',
]);

type TabNeeds = PanelNeeds & Pick<App, 'storiesView'>;

/** What a tab begins with. */
interface NewTab {
  readonly story: PanelStory;
  readonly isPreview: boolean;
  /** A page with nothing in it yet. */
  page(story: PanelStory, former?: PanelStory): string;
}

/** What a tab tells of itself. */
interface TabEvents {
  onDidClose(): void;
  /** It was a preview, and is the story's own tab now. */
  onDidKeep(): void;
  /** Its story has another name now, by which `show` shows it. */
  onDidMove(story: PanelStory): void;
  /** The tab that has a story, this one or another. */
  tabOf(story: PanelStory): OpenTab | undefined;
}

/**
 * An editor tab and the story in it. VS Code knows no previews of web pages, so a preview is a tab of ours that shows the next
 * story in place of this one, until it is kept or something in it is changed.
 */
export class StoryTab implements vscode.Disposable {
  private readonly needs: TabNeeds;
  private readonly panel: vscode.WebviewPanel;
  private readonly texts: PanelTexts;
  private readonly events: TabEvents;
  private readonly page: NewTab['page'];
  private readonly listening: vscode.Disposable;
  private _story: PanelStory;
  private _isPreview: boolean;
  private shown: StoryPanel | undefined;

  constructor(needs: TabNeeds, panel: vscode.WebviewPanel, first: NewTab, texts: PanelTexts, events: TabEvents) {
    this.needs = needs;
    this.panel = panel;
    this.texts = texts;
    this.events = events;
    this.page = first.page;
    this._story = first.story;
    this._isPreview = first.isPreview;
    this.listening = vscode.Disposable.from(
      panel.webview.onDidReceiveMessage((message: unknown) => {
        const type = fromPage(message)?.type;
        if (type !== undefined && !READING.has(type)) this.keep();
      }),
      panel.onDidChangeViewState(() => this.noticeActive()),
      panel.onDidDispose(() => {
        forgetTab(this);
        this.shown?.dispose();
        this.listening.dispose();
        events.onDidClose();
      }),
    );
  }

  get story(): PanelStory {
    return this._story;
  }

  /** Whether the next story may take its place. */
  get isPreview(): boolean {
    return this._isPreview;
  }

  /** Whether a person pinned it. VS Code tells that of tabs only, which have no name but their title. */
  get isPinned(): boolean {
    const { title } = this.panel;
    const isOurs = ({ input, label }: vscode.Tab) =>
      input instanceof vscode.TabInputWebview && input.viewType.endsWith(TAB_TYPE) && label === title;
    return vscode.window.tabGroups.all.some(({ tabs }) => tabs.some((tab) => tab.isPinned && isOurs(tab)));
  }

  /**
   * Puts a story into the tab, in place of the one that was there: into a page of its own, so that nothing of the other stays, unless
   * that was the same by a `former` name.
   */
  show(story: PanelStory, former?: PanelStory): void {
    this.shown?.dispose();
    this._story = story;
    this.shown = new StoryPanel(this.needs, this.panel, story, this.texts, {
      isPreview: this._isPreview,
      onDidMove: (moved) => this.events.onDidMove(moved),
      tabOf: (one) => this.events.tabOf(one),
    });
    this.panel.webview.html = this.page(story, former);
    const { shown } = this;
    // In a turn of its own, while VS Code makes the page.
    setImmediate(() => void shown.load());
    this.noticeActive();
  }

  /** Commands mean its story while it is the active editor. */
  private noticeActive(): void {
    const { storyId, ...key } = this._story;
    if (this.isActive) noticeTab(this, new NamedStory(key, storyId), this.needs.storiesView.selection());
    else forgetTab(this);
  }

  /** Puts into its page what was written of the story elsewhere. */
  offerKept(): void {
    void this.shown?.offerKept();
  }

  /** Discards this in its page, where it can be restored, and shows that. */
  discard(...unsaved: Parameters<OpenTab['discard']>): void {
    this.reveal({ preserveFocus: false });
    void this.shown?.discard(...unsaved);
  }

  /** Puts the cursor into a field of the story. */
  write(field: DraftField): void {
    this.shown?.write(field);
  }

  /** Makes it the tab of its story. */
  keep(): void {
    if (!this._isPreview) return;
    this._isPreview = false;
    this.shown?.keep();
    this.events.onDidKeep();
  }

  get isActive(): boolean {
    return this.panel.active;
  }

  /** A person asked for it with these rows selected: others selected before VS Code shows it are selected after it. */
  awaitFrom(selected: readonly TreeNode[]): void {
    awaitTab(this, selected);
  }

  reveal({ preserveFocus }: { readonly preserveFocus: boolean }): void {
    this.panel.reveal(undefined, preserveFocus);
  }

  dispose(): void {
    this.panel.dispose();
  }
}
