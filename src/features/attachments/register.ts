import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import type { App } from '../../host/app.ts';
import { fileDrops } from './send/fileDrops.ts';
import { namesStory } from './send/namesStory.ts';
import { AT_ONCE, Semaphore } from './send/semaphore.ts';
import { UPLOADS } from './send/uploadsName.ts';
import type { UploadsUnderWay } from './send/uploadsUnderWay.ts';
import { attachmentFileSystem } from './show/attachmentFileSystem.ts';

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
    loading ??= import('./send/uploadsUnderWay.ts').then((module) => new module.UploadsUnderWay(workspaceMemory));
    return loading;
  };
  const needs = { ...app, places: new Semaphore(AT_ONCE), underWay };
  if (workspaceMemory.get(UPLOADS) !== undefined)
    void import('./send/offerInterruptedUploads.ts').then((it) => it.offerInterruptedUploads(needs));
  app.drops.register(fileDrops(needs));
  const attaching = () => import('./send/attachFiles.ts');
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
      (await import('./send/attachFiles.ts')).attachSelection(needs, story),
    ),
    app.commands.command(commandIds.attachDiff, async (story) =>
      (await import('./send/attachFiles.ts')).attachDiff(needs, story),
    ),
    app.commands.command(commandIds.attachPasted, async (story, files) =>
      (await import('./send/attachFiles.ts')).attachPasted(needs, story, files),
    ),
    app.commands.command(commandIds.openAttachment, async (attachment, selected) =>
      (await import('./show/openAttachment.ts')).openAttachment(app, attachment, selected),
    ),
    app.commands.command(commandIds.saveAttachment, async (attachment, selected) =>
      (await import('./show/saveAttachment.ts')).saveAttachment(app, attachment, selected),
    ),
    app.commands.command(commandIds.saveAllAttachments, async (story) =>
      (await import('./show/saveAllAttachments.ts')).saveAllAttachments(app, story),
    ),
  );
}
