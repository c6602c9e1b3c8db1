import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import type { App } from '../../host/app.ts';
import { programArguments } from '../../host/shell/commands.ts';
import { BY_KEY, DetailNode } from '../../host/tree/nodes.ts';
import type { FieldNeeds } from './fieldEditing.ts';
import type { StoryPanels } from './storyPanels.ts';

type Needs = FieldNeeds &
  Pick<
    App,
    | 'accounts'
    | 'backlogs'
    | 'commands'
    | 'engine'
    | 'log'
    | 'messages'
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
  return vscode.Disposable.from(
    { dispose: () => void opened?.then((all) => all.dispose()) },
    vscode.window.registerWebviewPanelSerializer('storyTracker.story', {
      deserializeWebviewPanel: async (panel, state: unknown) => (await panels()).revive(panel, state),
    }),
    app.commands.command(commandIds.openStory, async (argument) => {
      if (argument === BY_KEY && isAttachmentSelected(app)) {
        await vscode.commands.executeCommand(commandIds.openAttachment);
        return;
      }
      const found = await app.storyArgument.ofSelection(argument, vscode.l10n.t('Which story do you want to open?'));
      if (found) (await panels()).open(found);
    }),
    app.commands.command(commandIds.newStoryInTab, async (row, ...others) => {
      const { placeFrom, projectFor } = await import('../../host/story/wantedPlace.ts');
      const from = row ?? app.storiesView.selection()[0];
      const project = await projectFor(app.backlogs, from);
      const { text } = programArguments([row, ...others]);
      const begun = typeof text === 'string' ? { text } : {};
      if (project) await (await panels()).openNew(project.key, { place: placeFrom(from), ...begun });
    }),
  );
}

function isAttachmentSelected({ storiesView }: Pick<App, 'storiesView'>): boolean {
  const [row] = storiesView.selection();
  return row instanceof DetailNode && row.kind === 'attachment';
}
