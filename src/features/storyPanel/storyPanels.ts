import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { keyText, type ProjectKey } from '../../core/story/projectKey.ts';
import type { FoundStory } from '../../host/tree/nodes.ts';
import { TextComparison } from './compareTexts.ts';
import { type NewStoryNeeds, NewStoryPanel, type NewStoryStart } from './newStoryPanel.ts';
import { pageShell } from './pageShell.ts';
import { NEW_STORY, type PanelStory, pageState } from './panelMessages.ts';
import { panelTexts } from './panelTexts.ts';
import { type PanelNeeds, StoryPanel } from './storyPanel.ts';

const PANEL_TYPE = 'storyTracker.story';

/** The open panels, one for each story. */
export class StoryPanels implements vscode.Disposable {
  private readonly needs: PanelNeeds & NewStoryNeeds;
  private readonly extension: vscode.Uri;
  private readonly panels = new Map<string, StoryPanel>();
  private readonly newStories = new Map<string, NewStoryPanel>();
  private readonly texts = panelTexts(vscode);
  private readonly comparison = new TextComparison();

  constructor(needs: Omit<PanelNeeds, 'comparison'> & NewStoryNeeds, extension: vscode.Uri) {
    this.needs = { ...needs, comparison: this.comparison };
    this.extension = extension;
  }

  /** Shows the story, in the tab that it already has. */
  open({ key, story }: FoundStory): void {
    const shows = { ...key, storyId: story.id };
    const known = this.panels.get(nameOf(shows));
    if (known) {
      known.reveal();
      return;
    }
    const panel = vscode.window.createWebviewPanel(PANEL_TYPE, `#${story.id}`, vscode.ViewColumn.Active, {
      ...this.options(),
      enableFindWidget: true,
    });
    this.fill(panel, shows);
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
      PANEL_TYPE,
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
    else this.fill(panel, story);
  }

  dispose(): void {
    for (const panel of this.panels.values()) panel.dispose();
    this.panels.clear();
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
      this.fill(panel, story);
    });
    this.newStories.set(keyText(key), written);
    panel.onDidDispose(end);
    panel.webview.html = this.page(panel.webview);
    return written;
  }

  private fill(panel: vscode.WebviewPanel, shows: PanelStory): void {
    const filled = new StoryPanel(this.needs, panel, shows, this.texts);
    this.panels.set(nameOf(shows), filled);
    panel.onDidDispose(() => {
      filled.dispose();
      if (this.panels.get(nameOf(shows)) === filled) this.panels.delete(nameOf(shows));
    });
    panel.webview.html = this.page(panel.webview);
    void filled.load();
  }

  private options(): vscode.WebviewOptions {
    return { enableScripts: true, enableForms: true, localResourceRoots: [this.folder('dist'), this.folder('media')] };
  }

  private page(webview: vscode.Webview): string {
    const file = (folder: string, name: string) =>
      webview.asWebviewUri(vscode.Uri.joinPath(this.folder(folder), name)).toString();
    return pageShell(
      {
        script: file('dist', 'storyPage.js'),
        style: file('media', 'storyPage.css'),
        nonce: randomBytes(18).toString('base64url'),
        language: vscode.env.language,
      },
      this.texts,
    );
  }

  private folder(name: string): vscode.Uri {
    return vscode.Uri.joinPath(this.extension, name);
  }
}

function nameOf({ accountId, projectId, storyId }: PanelStory): string {
  return `${accountId}/${projectId}/${storyId}`;
}
