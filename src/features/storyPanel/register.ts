import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import { keyText } from '../../core/story/projectKey.ts';
import type { App } from '../../host/app.ts';
import { StoryNode } from '../../host/tree/nodes.ts';
import type { FieldNeeds } from './fieldEditing.ts';
import { RowClicks } from './rowClicks.ts';
import type { ActionNeeds } from './storyDeeds.ts';
import type { StoryPanels } from './storyPanels.ts';

type Needs = ActionNeeds &
  FieldNeeds &
  Pick<
    App,
    | 'accounts'
    | 'backlogs'
    | 'commands'
    | 'engine'
    | 'log'
    | 'messages'
    | 'openDrafts'
    | 'restoredStories'
    | 'storiesView'
    | 'storyArgument'
    | 'undoHistory'
    | 'workspaceMemory'
  >;

/** A story in an editor tab. What draws it is read when the first is opened. */
export function register(app: Needs, extension: vscode.Uri): vscode.Disposable {
  let opened: Promise<StoryPanels> | undefined;
  const panels = () => {
    opened ??= Promise.all([import('./storyPanels.ts'), app.openDrafts()]).then(
      ([module, drafts]) => new module.StoryPanels({ ...app, drafts }, extension),
    );
    return opened;
  };
  const clicks = new RowClicks();
  return vscode.Disposable.from(
    { dispose: () => void opened?.then((all) => all.dispose()) },
    vscode.window.registerWebviewPanelSerializer('storyTracker.story', {
      deserializeWebviewPanel: async (panel, state: unknown) => (await panels()).revive(panel, state),
    }),
    // Which rows are selected is asked at once: the next click or key may come before anything that is waited for.
    app.commands.command(commandIds.openStory, async (...args) => {
      const selected = app.storiesView.selection();
      return (await panels()).openMeant(selected, ...args);
    }),
    app.commands.command(commandIds.previewStory, async (argument) => {
      const selected = app.storiesView.selection();
      if (argument !== undefined) return (await panels()).previewMeant(selected, argument);
      const [row] = selected;
      if (!(row instanceof StoryNode)) return;
      const isDouble = clicks.isDouble(`${keyText(row.key)}/${row.story.id}`, performance.now());
      (await panels()).click(row, isDouble);
    }),
    app.commands.command(commandIds.newStoryInTab, async (...args) => {
      const [row] = app.storiesView.selection();
      return (await panels()).writeNew(row, ...args);
    }),
  );
}
