import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import { TrackerError } from '../../core/errors.ts';
import type { App } from '../../host/app.ts';
import { type Caller, isPlainObject } from '../../host/shell/commands.ts';
import { ATTACHMENT_SCHEME } from '../../host/story/attachmentScheme.ts';
import { storyOfRow, type TreeNode } from '../../host/tree/nodes.ts';
import { type DropHandler, SYSTEM_FILES } from '../../host/tree/treeDrops.ts';
import type { Offered } from './prepare/candidate.ts';
import type { AttachNeeds } from './send/attach.ts';
import type { UploadsUnderWay } from './send/uploadsUnderWay.ts';
import type { AttachmentContents } from './show/openAttachment.ts';

type Needs = Pick<
  App,
  | 'accounts'
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

/** Under which a workspace remembers the uploads that are under way. */
const UPLOADS = 'storyTracker.uploads';

/** Files on stories: attach them, open and save them. */
export function register(app: Needs): vscode.Disposable {
  const load = () => import('./commands.ts');
  const { workspaceMemory } = app;
  let loading: Promise<UploadsUnderWay> | undefined;
  const underWay = () => {
    loading ??= import('./send/uploadsUnderWay.ts').then(
      (module) => new module.UploadsUnderWay(workspaceMemory, UPLOADS),
    );
    return loading;
  };
  const needs = { ...app, underWay };
  if (workspaceMemory.get(UPLOADS) !== undefined)
    void import('./send/attach.ts').then((it) => it.offerInterruptedUploads(needs));
  app.drops.register(fileDrops(needs));
  return vscode.Disposable.from(
    { dispose: () => void loading?.then((uploads) => uploads.close()) },
    attachmentFileSystem(app),
    app.commands.command(
      commandIds.attachFiles,
      async (...args) => (await load()).attachFiles(needs, callerOfAttachFiles(args), ...args),
      callerOfAttachFiles,
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

/** Menus pass plain objects too: who names a story in the third argument of `attachFiles` is a program. */
function callerOfAttachFiles(args: readonly unknown[]): Caller {
  const third = args[2];
  return isPlainObject(third) && 'storyId' in third ? 'program' : 'person';
}

const URI_LIST = 'text/uri-list';

/** Files dropped on a story, from the Explorer, an editor tab or the system, are attached to it. */
function fileDrops(needs: AttachNeeds): DropHandler {
  return {
    mimeTypes: [URI_LIST, SYSTEM_FILES],
    /** VS Code shows nothing of what a drop throws. */
    async drop(target, data) {
      await drop(needs, target, data).catch((thrown) => needs.messages.error(thrown));
    },
  };
}

async function drop(needs: AttachNeeds, target: TreeNode | undefined, data: vscode.DataTransfer): Promise<void> {
  // What was dropped is there only while the drop lasts, so nothing comes before it is read.
  const offered = await droppedFiles(data);
  if (offered.length === 0) return;
  const row = storyOfRow(target);
  if (!row) throw new TrackerError('input', vscode.l10n.t('Drop files onto a story to attach them.'));
  const [{ attach }, { sentStory }] = await Promise.all([
    import('./send/attach.ts'),
    import('../../host/story/storyArgument.ts'),
  ]);
  await attach(needs, sentStory(row), offered, 'person');
}

/** Files of the system come with their address where the window and the extension share a machine, else only as bytes. */
async function droppedFiles(data: vscode.DataTransfer): Promise<readonly Offered[]> {
  const uris = urisIn((await data.get(URI_LIST)?.asString()) ?? '');
  if (uris.length > 0) return uris;
  const files = [...data].flatMap(([, item]) => item.asFile() ?? []);
  return (await import('./prepare/offeredFiles.ts')).droppedBytes(files);
}

/** The lines of a uri-list (RFC 2483): CR LF between them, `#` begins a comment. */
function urisIn(list: string): readonly vscode.Uri[] {
  const lines = list.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => vscode.Uri.parse(line, true));
}

/** Attachments as files that can be read, so that editors, comparisons and the Explorer take them. */
function attachmentFileSystem(needs: Pick<App, 'backlogs' | 'engine'>): vscode.Disposable {
  let loading: Promise<AttachmentContents> | undefined;
  const contents = () => {
    loading ??= import('./show/openAttachment.ts').then(({ AttachmentContents: Contents }) => new Contents(needs));
    return loading;
  };
  const refuse = (uri: vscode.Uri) => {
    throw vscode.FileSystemError.NoPermissions(uri);
  };
  const never = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  const provider: vscode.FileSystemProvider = {
    onDidChangeFile: never.event,
    watch: () => new vscode.Disposable(() => undefined),
    stat: async (uri) => (await contents()).stat(uri),
    readFile: async (uri) => (await contents()).read(uri),
    readDirectory: () => [],
    createDirectory: refuse,
    writeFile: refuse,
    delete: refuse,
    rename: refuse,
  };
  const options = { isCaseSensitive: true, isReadonly: true };
  return vscode.Disposable.from(
    never,
    vscode.workspace.registerFileSystemProvider(ATTACHMENT_SCHEME, provider, options),
  );
}
