import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import { isPendingStory } from '../../core/intents/editedStory.ts';
import { keyText } from '../../core/story/projectKey.ts';
import type { App } from '../../host/app.ts';
import { BY_KEY, DetailNode, StoryNode } from '../../host/tree/nodes.ts';
import type { FieldNeeds } from './fieldEditing.ts';
import type { ActionNeeds } from './panelActions.ts';
import { RowClicks } from './rowClicks.ts';
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
    opened ??= import('./storyPanels.ts').then((module) => new module.StoryPanels(app, extension));
    return opened;
  };
  const clicks = new RowClicks();
  return vscode.Disposable.from(
    { dispose: () => void opened?.then((all) => all.dispose()) },
    vscode.window.registerWebviewPanelSerializer('storyTracker.story', {
      deserializeWebviewPanel: async (panel, state: unknown) => (await panels()).revive(panel, state),
    }),
    app.commands.command(commandIds.openStory, async (argument, ...others) => {
      if (argument === BY_KEY && isAttachmentSelected(app)) {
        await vscode.commands.executeCommand(commandIds.openAttachment);
        return;
      }
      const found = await app.storyArgument.ofSelection(argument, vscode.l10n.t('Which story do you want to open?'));
      if (found) (await panels()).open(found, ...others);
    }),
    app.commands.command(commandIds.previewStory, async (argument) => {
      if (argument !== undefined) {
        const found = await app.storyArgument.of(argument, vscode.l10n.t('Which story do you want to preview?'));
        if (found) (await panels()).preview(found);
        return;
      }
      // At once: the next click may come before anything that is waited for.
      const row = clickedRow(app);
      if (!row) return;
      const isDouble = clicks.isDouble(`${keyText(row.key)}/${row.story.id}`, performance.now());
      (await panels()).click(row, isDouble);
    }),
    app.commands.command(commandIds.newStoryInTab, async (...args) =>
      (await panels()).writeNew(app.storiesView.selection()[0], ...args),
    ),
  );
}

function isAttachmentSelected({ storiesView }: Pick<App, 'storiesView'>): boolean {
  const [row] = storiesView.selection();
  return row instanceof DetailNode && row.kind === 'attachment';
}

/** VS Code runs a row's command when it alone is selected, which it has said by then. */
function clickedRow({ storiesView }: Pick<App, 'storiesView'>): StoryNode | undefined {
  const [row] = storiesView.selection();
  return row instanceof StoryNode && !isPendingStory(row.story) ? row : undefined;
}
