import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import { isSameStory } from '../../core/activeStory/storyBinding.ts';
import { isPendingStory } from '../../core/intents/edit.ts';
import { keyText, type ProjectKey } from '../../core/story/projectKey.ts';
import type { App } from '../../host/app.ts';
import { programArguments, tickStep } from '../../host/shell/commands.ts';
import { isolatedInTitle } from '../../host/shell/plainText.ts';
import { hasDrafts } from '../../host/story/draftFiles.ts';
import { placeFrom, projectFor } from '../../host/story/wantedPlace.ts';
import { BY_KEY, DetailNode, type FoundStory, type StoryNode, type TreeNode } from '../../host/tree/nodes.ts';
import { TextComparison } from './compareTexts.ts';
import { type NewStoryNeeds, NewStoryPanel, type NewStoryStart } from './newStoryPanel.ts';
import { pageShell } from './pageShell.ts';
import { NEW_STORY, type PanelStory, pageState } from './panelMessages.ts';
import { panelTexts } from './panelTexts.ts';
import { isDraftField } from './storyDrafts.ts';
import type { PanelNeeds } from './storyPanel.ts';
import { StoryTab, TAB_TYPE } from './storyTab.ts';

/** Under which name a workspace remembers the story in its preview, for the next time that its windows open. */
const PREVIEWED = 'storyTracker.previewedStory';

type Selected = readonly TreeNode[];

type Needs = Omit<PanelNeeds, 'comparison'> & NewStoryNeeds & Pick<App, 'storyArgument'>;

/** The open tabs: one for each story that was opened, one for each that is new, and one in which others are previewed. */
export class StoryPanels implements vscode.Disposable {
  private readonly needs: Needs & PanelNeeds;
  private readonly extension: vscode.Uri;
  private files: { readonly script: string; readonly style: string } | undefined;
  private readonly tabs = new Set<StoryTab>();
  private readonly newStories = new Map<string, NewStoryPanel>();
  private readonly texts = panelTexts(vscode);
  private readonly comparison = new TextComparison();

  constructor(needs: Needs, extension: vscode.Uri) {
    this.needs = { ...needs, comparison: this.comparison };
    this.extension = extension;
  }

  /** As `open`, the story that the command is about, or the attachment whose row is selected where a key asks for it. */
  async openMeant(selected: Selected, ...[argument, ...others]: readonly unknown[]): Promise<void> {
    const [row] = selected;
    if (argument === BY_KEY && row instanceof DetailNode && row.kind === 'attachment') {
      await vscode.commands.executeCommand(commandIds.openAttachment);
      return;
    }
    const question = vscode.l10n.t('Which story do you want to open?');
    const asked = argument === BY_KEY ? row : (argument ?? row);
    const found = await this.needs.storyArgument.of(asked, question, { mayBeUnsent: true });
    if (found) this.open(found, selected, ...others);
  }

  /** As `preview`, the story that the argument means. */
  async previewMeant(selected: Selected, argument: unknown): Promise<void> {
    const question = vscode.l10n.t('Which story do you want to preview?');
    const found = await this.needs.storyArgument.of(argument, question, { mayBeUnsent: true });
    if (found) this.preview(found, selected);
  }

  /**
   * Opens the story in a tab of its own, with the focus in it: in a field where the arguments of the command name one. What is a
   * preview of it becomes this tab. Those `selected` are the rows that were so when the person asked.
   */
  open(found: FoundStory, selected: Selected, ...args: readonly unknown[]): void {
    const { write: field } = programArguments(args);
    const story = storyOf(found);
    const known = this.tabOf(story);
    if (known) {
      known.keep();
      if (!known.isActive) known.awaitFrom(selected);
      known.reveal({ preserveFocus: false });
    } else this.fill(this.newPanel(found, { preserveFocus: false }), story, { isPreview: false, selected });
    if (isDraftField(field)) this.tabOf(story)?.write(field);
  }

  /**
   * What a click on a row does: a preview, unless VS Code's own setting wants a double click for anything. VS Code runs the command of a
   * row where that alone is selected, and may tell us of rows that are selected after it before it does so.
   */
  click(row: StoryNode, isDouble: boolean): void {
    const selected = [row];
    const isKept = isDouble || vscode.workspace.getConfiguration('workbench.list').get('openMode') === 'doubleClick';
    if (isKept) this.open(row, selected);
    else this.preview(row, selected);
  }

  /** Shows the story in its tab if it has one, else in the preview; the focus stays where it is. */
  preview(found: FoundStory, selected: Selected): void {
    const story = storyOf(found);
    const known = this.tabOf(story);
    if (known && !known.isActive) known.awaitFrom(selected);
    const tab = known ?? this.previewOf(story, selected);
    if (tab) tab.reveal({ preserveFocus: true });
    else this.fill(this.newPanel(found, { preserveFocus: true }), story, { isPreview: true, selected });
  }

  /** As `openNew`, where the command was called from, else where the selected row is. */
  async writeNew(selected: unknown, ...args: readonly unknown[]): Promise<void> {
    const from = args[0] ?? selected;
    const project = await projectFor(this.needs.backlogs, from);
    const { text } = programArguments(args);
    const begun = typeof text === 'string' ? { text } : {};
    if (project) await this.openNew(project.key, { place: placeFrom(from), ...begun });
  }

  /** Opens the tab in which a new story of the project is written, the one that it already has. */
  async openNew(key: ProjectKey, start: NewStoryStart): Promise<void> {
    const known = this.newStories.get(keyText(key));
    if (known) {
      await known.begin(start);
      known.reveal();
      return;
    }
    const panel = vscode.window.createWebviewPanel(
      TAB_TYPE,
      this.texts.writing.newStory,
      vscode.ViewColumn.Active,
      this.options(),
    );
    await this.fillNew(panel, key).begin(start);
  }

  /** Fills a tab that VS Code kept over a reload. */
  revive(panel: vscode.WebviewPanel, state: unknown): void {
    const { story } = pageState(state);
    if (!story) {
      panel.dispose();
      return;
    }
    panel.webview.options = this.options();
    if (story.storyId === NEW_STORY) this.fillNew(panel, story);
    else {
      const isPreview = this.needs.workspaceMemory.get(PREVIEWED) === nameOf(story) && !this.previewTab();
      this.fill(panel, story, { isPreview });
    }
  }

  dispose(): void {
    for (const tab of [...this.tabs]) tab.dispose();
    this.comparison.dispose();
  }

  private fillNew(panel: vscode.WebviewPanel, { accountId, projectId }: ProjectKey): NewStoryPanel {
    const key = { accountId, projectId };
    const end = () => {
      written.dispose();
      if (this.newStories.get(keyText(key)) === written) this.newStories.delete(keyText(key));
    };
    const written = new NewStoryPanel(this.needs, panel, key, this.texts, (story) => {
      end();
      this.fill(panel, story, { isPreview: false });
    });
    this.newStories.set(keyText(key), written);
    panel.onDidDispose(end);
    panel.webview.html = this.page({ ...key, storyId: NEW_STORY });
    return written;
  }

  private tabOf(story: PanelStory): StoryTab | undefined {
    return [...this.tabs].find((tab) => isSameStory(tab.story, story));
  }

  /** The tab of previews with this story in it; `undefined` while there is none. One that a person pinned stays as it is. */
  private previewOf(story: PanelStory, selected: Selected): StoryTab | undefined {
    const tab = this.previewTab();
    if (tab?.isPinned) {
      tab.keep();
      return undefined;
    }
    tab?.awaitFrom(selected);
    if (tab) this.show(tab, story);
    return tab;
  }

  private previewTab(): StoryTab | undefined {
    return [...this.tabs].find(({ isPreview }) => isPreview);
  }

  private newPanel({ story }: FoundStory, { preserveFocus }: { readonly preserveFocus: boolean }): vscode.WebviewPanel {
    const title = isPendingStory(story) ? isolatedInTitle(story.name) : `#${story.id}`;
    const column = { viewColumn: vscode.ViewColumn.Active, preserveFocus };
    return vscode.window.createWebviewPanel(TAB_TYPE, title, column, {
      ...this.options(),
      enableFindWidget: true,
    });
  }

  /** `selected` where a person asked for it in the tree. */
  private fill(
    panel: vscode.WebviewPanel,
    story: PanelStory,
    { isPreview, selected }: { readonly isPreview: boolean; readonly selected?: Selected },
  ): void {
    tickStep('storyTracker.hasOpenedStories');
    const tab = new StoryTab(
      this.needs,
      panel,
      { story, isPreview, page: (shown, former) => this.page(shown, former) },
      this.texts,
      {
        onDidClose: () => this.tabs.delete(tab),
        onDidKeep: () => void this.needs.workspaceMemory.update(PREVIEWED, undefined),
        onDidMove: (moved) => this.move(tab, moved),
        tabOf: (one) => this.tabOf(one),
      },
    );
    this.tabs.add(tab);
    if (selected) tab.awaitFrom(selected);
    this.show(tab, story);
  }

  /** Has a tab show its story by its new name; one that shows it already takes its place. */
  private move(tab: StoryTab, story: PanelStory): void {
    const other = this.tabOf(story);
    if (!other) {
      this.show(tab, story, tab.story);
      return;
    }
    other.offerKept();
    if (tab.isActive) other.reveal({ preserveFocus: false });
    tab.dispose();
  }

  private show(tab: StoryTab, story: PanelStory, former?: PanelStory): void {
    tab.show(story, former);
    // What is unsaved in it must not make way for the next click, as editors of VS Code do not.
    if (hasDrafts(this.needs.drafts, story)) tab.keep();
    if (tab.isPreview) void this.needs.workspaceMemory.update(PREVIEWED, nameOf(story));
  }

  private options(): vscode.WebviewOptions {
    return { enableScripts: true, enableForms: true, localResourceRoots: [] };
  }

  private page(story: PanelStory, former?: PanelStory): string {
    this.files ??= { script: this.textOf('dist', 'storyPage.js'), style: this.textOf('media', 'storyPage.css') };
    return pageShell(
      {
        ...this.files,
        nonce: randomBytes(18).toString('base64url'),
        language: vscode.env.language,
        story,
        former,
      },
      this.texts,
    );
  }

  private textOf(folder: string, name: string): string {
    return readFileSync(vscode.Uri.joinPath(this.extension, folder, name).fsPath, 'utf8');
  }
}

function storyOf({ key, story }: FoundStory): PanelStory {
  return { ...key, storyId: story.id };
}

function nameOf({ accountId, projectId, storyId }: PanelStory): string {
  return `${accountId}/${projectId}/${storyId}`;
}
