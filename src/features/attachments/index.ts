import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import type { App } from '../../host/app.ts';
import { attachmentFileSystem } from './attachmentFileSystem.ts';
import { fileDrops } from './fileDrops.ts';
import { namesStory } from './namesStory.ts';
import { AT_ONCE, Places } from './places.ts';
import { UPLOADS } from './uploadsName.ts';
import type { UploadsUnderWay } from './uploadsUnderWay.ts';

type Needs = Pick<
  App,
  | 'commands'
  | 'backlogs'
  | 'messages'
  | 'storyArgument'
  | 'storiesView'
  | 'drops'
  | 'log'
  | 'engine'
  | 'git'
  | 'workspaceMemory'
>;

/** Files on stories: attach them, open and save them. */
export function register(app: Needs): vscode.Disposable {
  const { workspaceMemory } = app;
  let loading: Promise<UploadsUnderWay> | undefined;
  const underWay = () => {
    loading ??= import('./uploadsUnderWay.ts').then((module) => new module.UploadsUnderWay(workspaceMemory));
    return loading;
  };
  const needs = { ...app, places: new Places(AT_ONCE), underWay };
  if (workspaceMemory.get(UPLOADS) !== undefined) void import('./tellOfLeft.ts').then((it) => it.tellOfLeft(needs));
  app.drops.register(fileDrops(needs));
  const attaching = () => import('./attachFiles.ts');
  return vscode.Disposable.from(
    { dispose: () => void loading?.then((uploads) => uploads.close()) },
    attachmentFileSystem(app),
    app.commands.command(
      commandIds.attachFiles,
      async (...args) => (await attaching()).attachFiles(needs, ...args),
      namesStory,
    ),
    app.commands.command(commandIds.attachOpenEditors, async (story) =>
      (await attaching()).attachOpenEditors(needs, story),
    ),
    app.commands.command(commandIds.attachSelection, async (story) =>
      (await import('./attachSelection.ts')).attachSelection(needs, story),
    ),
    app.commands.command(commandIds.attachDiff, async (story) =>
      (await import('./attachDiff.ts')).attachDiff(needs, story),
    ),
    app.commands.command(commandIds.attachPasted, async (story, files) =>
      (await import('./attachPasted.ts')).attachPasted(needs, story, files),
    ),
    app.commands.command(commandIds.openAttachment, async (attachment, selected) =>
      (await import('./openAttachment.ts')).openAttachment(app, attachment, selected),
    ),
    app.commands.command(commandIds.saveAttachment, async (attachment, selected) =>
      (await import('./saveAttachment.ts')).saveAttachment(app, attachment, selected),
    ),
    app.commands.command(commandIds.saveAllAttachments, async (story) =>
      (await import('./saveAllAttachments.ts')).saveAllAttachments(app, story),
    ),
  );
}
