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
  const load = () => import('./commands.ts');
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
  return vscode.Disposable.from(
    { dispose: () => void loading?.then((uploads) => uploads.close()) },
    attachmentFileSystem(app),
    app.commands.command(
      commandIds.attachFiles,
      async (...args) => (await load()).attachFiles(needs, ...args),
      namesStory,
    ),
    app.commands.command(commandIds.attachOpenEditors, async (story) => (await load()).attachOpenEditors(needs, story)),
    app.commands.command(commandIds.attachSelection, async (story) => (await load()).attachSelection(needs, story)),
    app.commands.command(commandIds.attachDiff, async (story) => (await load()).attachDiff(needs, story)),
    app.commands.command(commandIds.attachPasted, async (story, files) =>
      (await load()).attachPasted(needs, story, files),
    ),
    app.commands.command(commandIds.openAttachment, async (attachment, selected) =>
      (await load()).openAttachment(app, attachment, selected),
    ),
    app.commands.command(commandIds.saveAttachment, async (attachment, selected) =>
      (await load()).saveAttachment(app, attachment, selected),
    ),
    app.commands.command(commandIds.saveAllAttachments, async (story) => (await load()).saveAllAttachments(app, story)),
  );
}
