import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { keyText, type ProjectKey } from '../../core/story/projectKey.ts';
import { isolatedInTitle } from '../../host/shell/plainText.ts';
import { askedProject } from '../../host/story/askedProject.ts';
import { pageState } from './settingsMessages.ts';
import { type SettingsNeeds, SettingsPanel } from './settingsPanel.ts';
import { settingsShell } from './settingsShell.ts';
import { settingsPanelTexts } from './settingsTexts.ts';

const TAB_TYPE = 'storyTracker.projectSettings';

/** The open tabs: one for each project. */
export class SettingsPanels implements vscode.Disposable {
  private readonly needs: SettingsNeeds;
  private readonly extension: vscode.Uri;
  private readonly panels = new Map<string, SettingsPanel>();
  private readonly texts = settingsPanelTexts(vscode);
  private files: { readonly script: string; readonly style: string } | undefined;

  constructor(needs: SettingsNeeds, extension: vscode.Uri) {
    this.needs = needs;
    this.extension = extension;
  }

  /** Opens the settings of the project of a row, the one that a program names, or the one picked. */
  async openMeant(argument: unknown): Promise<void> {
    const placeHolder = vscode.l10n.t('Show the settings of which project?');
    const entry = await askedProject(this.needs.backlogs, argument, { placeHolder, takesOnlyOne: true });
    if (!entry) return;
    const known = this.panels.get(keyText(entry.key));
    if (known) {
      known.reveal();
      return;
    }
    const title = isolatedInTitle(this.texts.title(entry.project.name));
    const panel = vscode.window.createWebviewPanel(TAB_TYPE, title, vscode.ViewColumn.Active, this.options());
    this.fill(panel, entry.key);
  }

  /** Fills a tab that VS Code kept over a reload. */
  revive(panel: vscode.WebviewPanel, state: unknown): void {
    const key = pageState(state);
    if (!key || this.panels.has(keyText(key))) {
      panel.dispose();
      return;
    }
    panel.webview.options = this.options();
    this.fill(panel, key);
  }

  dispose(): void {
    for (const panel of [...this.panels.values()]) panel.dispose();
  }

  private fill(panel: vscode.WebviewPanel, key: ProjectKey): void {
    const name = keyText(key);
    this.panels.set(name, new SettingsPanel(this.needs, panel, key, this.texts));
    panel.onDidDispose(() => this.panels.delete(name));
    panel.webview.html = this.page(key);
  }

  private options(): vscode.WebviewOptions & vscode.WebviewPanelOptions {
    return { enableScripts: true, enableForms: true, enableFindWidget: true, localResourceRoots: [] };
  }

  private page({ accountId, projectId }: ProjectKey): string {
    this.files ??= {
      script: this.textOf('dist', 'settingsPage.js'),
      style: this.textOf('media', 'storyPage.css') + this.textOf('media', 'projectSettings.css'),
    };
    const nonce = randomBytes(18).toString('base64url');
    const project = { accountId, projectId };
    return settingsShell({ ...this.files, nonce, language: vscode.env.language, project }, this.texts);
  }

  private textOf(folder: string, name: string): string {
    return readFileSync(vscode.Uri.joinPath(this.extension, folder, name).fsPath, 'utf8');
  }
}
