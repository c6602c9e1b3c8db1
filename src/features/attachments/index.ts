import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import type { App } from '../../host/app.ts';
import { namesStory } from './fileArguments.ts';
import { fileDrops } from './fileDrops.ts';

type Needs = Pick<App, 'commands' | 'backlogs' | 'messages' | 'storyArgument' | 'drops' | 'log'>;

/** Files on stories: attach them, open and save them. */
export function register(app: Needs): vscode.Disposable {
  app.drops.register(fileDrops(app));
  const attaching = () => import('./attachFiles.ts');
  return vscode.Disposable.from(
    app.commands.command(
      commandIds.attachFiles,
      async (...args) => (await attaching()).attachFiles(app, ...args),
      namesStory,
    ),
    app.commands.command(commandIds.attachOpenEditors, async (story) =>
      (await attaching()).attachOpenEditors(app, story),
    ),
    app.commands.command(commandIds.openAttachment, async (attachment) =>
      (await import('./openAttachment.ts')).openAttachment(app, attachment),
    ),
    app.commands.command(commandIds.saveAttachment, async (attachment) =>
      (await import('./saveAttachment.ts')).saveAttachment(app, attachment),
    ),
  );
}
