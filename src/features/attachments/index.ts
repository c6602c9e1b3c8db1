import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import type { App } from '../../host/app.ts';
import { attachFiles, attachOpenEditors } from './attachFiles.ts';
import { namesStory } from './fileArguments.ts';
import { fileDrops } from './fileDrops.ts';
import { openAttachment } from './openAttachment.ts';
import { saveAttachment } from './saveAttachment.ts';

type Needs = Pick<App, 'commands' | 'backlogs' | 'messages' | 'storyArgument' | 'drops' | 'log'>;

/** Files on stories: attach them, open and save them. */
export function register(app: Needs): vscode.Disposable {
  app.drops.register(fileDrops(app));
  return vscode.Disposable.from(
    app.commands.command(commandIds.attachFiles, (...args) => attachFiles(app, ...args), namesStory),
    app.commands.command(commandIds.attachOpenEditors, (story) => attachOpenEditors(app, story)),
    app.commands.command(commandIds.openAttachment, (attachment) => openAttachment(app, attachment)),
    app.commands.command(commandIds.saveAttachment, (attachment) => saveAttachment(app, attachment)),
  );
}
