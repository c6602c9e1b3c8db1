import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import {
  type EditorSet,
  type Editors,
  KEPT_TABS,
  type KeptInput,
  type KeptTab,
  missingTabs,
  nameOfInput,
} from './storyEditors.ts';

/** Milliseconds for which VS Code is waited for to tell of tabs that were closed or opened. */
const PATIENCE_MS = 2000;
const LOOK_MS = 20;

interface OpenTab {
  readonly tab: vscode.Tab;
  readonly kept: KeptTab;
}

/**
 * The editors of this window that VS Code can open again: of files, whatever shows them, and comparisons of files. Untitled ones, web
 * pages (those of stories among them, in which someone may be writing about any story), terminals and the like always stay.
 */
export class EditorTabs implements Editors {
  private readonly places: () => readonly string[];

  /** `places`: the roots of the repositories, as addresses. With a single one all editors are its, else those of its files. */
  constructor(places: () => readonly string[]) {
    this.places = places;
  }

  async openAt(place: string): Promise<EditorSet> {
    const { all, activeTabGroup } = vscode.window.tabGroups;
    const layout: unknown = all.length > 1 ? await vscode.commands.executeCommand('vscode.getEditorLayout') : undefined;
    return {
      tabs: this.tabsOf(place).map(({ kept }) => kept),
      activeColumn: activeTabGroup.viewColumn,
      ...(typeof layout === 'object' && layout !== null && { layout }),
    };
  }

  async close(place: string, tabs: readonly KeptTab[]): Promise<void> {
    const names = new Set(tabs.map(({ input }) => nameOfInput(input)));
    const closing = this.tabsOf(place)
      .filter(({ tab, kept }) => !tab.isDirty && names.has(nameOfInput(kept.input)))
      .map(({ tab }) => tab);
    if (closing.length === 0) return;
    await vscode.window.tabGroups.close(closing, true);
    const areGone = () => !closing.some((tab) => tab.group.tabs.includes(tab) && groups().includes(tab.group));
    await until(areGone);
  }

  async open(set: EditorSet, areWanted: () => boolean): Promise<boolean> {
    const missing = missingTabs(
      set.tabs,
      openTabs().map(({ kept }) => kept),
    );
    if (missing.length > 0) await restoreLayout(set.layout);
    const opened: KeptTab[] = [];
    for (const tab of inOrderOfOpening(missing)) {
      if (!areWanted()) return false;
      if (!(await isThere(tab.input))) continue;
      await openTab(tab);
      opened.push(tab);
    }
    // The shown one of each group, and last of all the one that had the focus.
    const isLast = ({ column }: KeptTab) => column === set.activeColumn;
    const shown = opened
      .filter(({ isActive }) => isActive)
      .toSorted((one, other) => Number(isLast(one)) - Number(isLast(other)));
    for (const tab of shown) {
      if (!areWanted()) return false;
      await showTab(tab);
    }
    return true;
  }

  /** At most as many as are remembered. */
  private tabsOf(place: string): readonly OpenTab[] {
    return openTabs()
      .filter(({ kept }) => this.isAt(place, kept.input))
      .slice(0, KEPT_TABS);
  }

  private isAt(place: string, input: KeptInput): boolean {
    const places = this.places();
    if (places.length < 2) return true;
    const { path } = vscode.Uri.parse(input.kind === 'diff' ? input.modified : input.uri);
    const roots = places.filter((root) => path.startsWith(`${vscode.Uri.parse(root).path.replace(/\/$/, '')}/`));
    const nearest = roots.toSorted((one, other) => other.length - one.length)[0];
    return nearest === place;
  }
}

const groups = () => vscode.window.tabGroups.all;

function openTabs(): readonly OpenTab[] {
  return groups().flatMap(({ tabs, viewColumn }) =>
    tabs.flatMap((tab) => {
      const input = keptInput(tab);
      if (!input) return [];
      const { isActive, isPinned, isPreview } = tab;
      return { tab, kept: { input, column: viewColumn, isActive, isPinned, isPreview } };
    }),
  );
}

/** `undefined` for what cannot be opened again as it is. */
function keptInput({ input, label }: vscode.Tab): KeptInput | undefined {
  if (input instanceof vscode.TabInputText) {
    return isOfFiles(input.uri) ? { kind: 'text', uri: input.uri.toString() } : undefined;
  }
  if (input instanceof vscode.TabInputCustom) {
    const { uri, viewType } = input;
    return isOfFiles(uri) ? { kind: 'custom', uri: uri.toString(), viewType } : undefined;
  }
  if (input instanceof vscode.TabInputNotebook) {
    const { uri, notebookType } = input;
    return isOfFiles(uri) ? { kind: 'custom', uri: uri.toString(), viewType: notebookType } : undefined;
  }
  if (input instanceof vscode.TabInputTextDiff || input instanceof vscode.TabInputNotebookDiff) {
    const { original, modified } = input;
    if (!isOfFiles(original) || !isOfFiles(modified)) return undefined;
    return { kind: 'diff', original: original.toString(), modified: modified.toString(), title: label };
  }
  return undefined;
}

/** Whether VS Code can look whether it is there, and read it: so it is with files and with what Git has of them, but with no untitled ones. */
function isOfFiles({ scheme }: vscode.Uri): boolean {
  return vscode.workspace.fs.isWritableFileSystem(scheme) !== undefined;
}

/** So that they come to stand in their order, wherever VS Code puts what is opened. Pinned ones come to stand behind pinned ones. */
function inOrderOfOpening(tabs: readonly KeptTab[]): readonly KeptTab[] {
  const wish = vscode.workspace.getConfiguration('workbench.editor').get<string>('openPositioning');
  const others = tabs.filter(({ isPinned }) => !isPinned);
  const isBackwards = wish === 'left' || wish === 'first';
  return [...tabs.filter(({ isPinned }) => isPinned), ...(isBackwards ? others.toReversed() : others)];
}

async function isThere(input: KeptInput): Promise<boolean> {
  const addresses = input.kind === 'diff' ? [input.original, input.modified] : [input.uri];
  const looks = addresses.map(async (address) => vscode.workspace.fs.stat(vscode.Uri.parse(address)));
  return (await Promise.allSettled(looks)).every(({ status }) => status === 'fulfilled');
}

/** As many groups as there were, in their places. Where there are more now, what is in them stays. */
async function restoreLayout(layout: object | undefined): Promise<void> {
  if (layout && groups().every(({ tabs }) => tabs.length === 0)) {
    await vscode.commands.executeCommand('vscode.setEditorLayout', layout);
  }
}

async function openTab(tab: KeptTab): Promise<void> {
  await showTab(tab, tab.isPinned);
  // It is the active editor now, which is the one that is pinned.
  if (tab.isPinned) await vscode.commands.executeCommand('workbench.action.pinEditor');
}

async function showTab({ input, column, isPreview }: KeptTab, takesFocus = false): Promise<void> {
  const options = { viewColumn: column, preview: isPreview, preserveFocus: !takesFocus };
  switch (input.kind) {
    case 'text':
      await vscode.commands.executeCommand('vscode.openWith', vscode.Uri.parse(input.uri), 'default', options);
      break;
    case 'custom':
      await vscode.commands.executeCommand('vscode.openWith', vscode.Uri.parse(input.uri), input.viewType, options);
      break;
    case 'diff': {
      const sides = [input.original, input.modified].map((side) => vscode.Uri.parse(side));
      await vscode.commands.executeCommand('vscode.diff', ...sides, input.title, options);
      break;
    }
  }
}

async function until(isSo: () => boolean): Promise<void> {
  for (let waited = 0; !isSo() && waited < PATIENCE_MS; waited += LOOK_MS) await sleep(LOOK_MS);
}
