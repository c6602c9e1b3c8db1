import * as vscode from 'vscode';
import { TrackerError } from '../../../core/errors.ts';
import type { PatchOf } from '../../../core/ports/outgoingFiles.ts';
import type { App } from '../../../host/app.ts';
import { askedRepository, chooseRepository, repositoryName } from '../../../host/git/chooseRepository.ts';
import type { GitRepository } from '../../../host/git/gitBridge.ts';
import { isPlainObject } from '../../../host/shell/commands.ts';
import { withoutIcons } from '../../../host/shell/plainText.ts';
import { type Offered, type Ready, readyBytes, type Wishes } from './candidate.ts';
import { partName, patchName } from './newNames.ts';
import { nameOf, untitledName } from './offeredFiles.ts';

interface Source extends vscode.QuickPickItem {
  choose(): Promise<readonly Offered[]>;
}

/** Asks what to attach: what the editors hold, the changes, files or a folder. Empty when the person turned away. */
export async function chooseFiles(needs: Pick<App, 'git' | 'engine'>): Promise<readonly Offered[]> {
  const sources = [...editors(), ...changes(needs), ...onDisk()];
  const placeHolder = vscode.l10n.t('What to attach');
  return (await (await vscode.window.showQuickPick(sources, { placeHolder }))?.choose()) ?? [];
}

function editors(): readonly Source[] {
  const active = activeFile();
  const open = openFiles();
  const editor = vscode.window.activeTextEditor;
  const selected = editor && selectionOf(editor);
  return [
    ...(active
      ? [
          {
            label: `$(file) ${withoutIcons(nameOf(active))}`,
            description: vscode.l10n.t('active editor'),
            choose: async () => [active],
          },
        ]
      : []),
    ...(editor && selected
      ? [
          {
            label: `$(list-selection) ${withoutIcons(selectionName(editor))}`,
            description: vscode.l10n.t('selected text'),
            choose: async () => [selected],
          },
        ]
      : []),
    ...(open.length > 1
      ? [
          {
            label: `$(files) ${vscode.l10n.t('Open Editors…')}`,
            description: vscode.l10n.t('{0} files', open.length),
            choose: () => chooseAmong(open),
          },
        ]
      : []),
  ];
}

function changes(needs: Pick<App, 'git' | 'engine'>): readonly Source[] {
  if (!vscode.workspace.isTrusted) return [];
  return [{ label: `$(diff) ${vscode.l10n.t('Changes as Patch…')}`, choose: () => chooseDiff(needs, undefined) }];
}

function onDisk(): readonly Source[] {
  return [
    { label: `$(go-to-file) ${vscode.l10n.t('Choose Files…')}`, choose: () => browse(false) },
    { label: `$(folder-opened) ${vscode.l10n.t('Choose a Folder…')}`, choose: () => browse(true) },
  ];
}

async function browse(isFolder: boolean): Promise<readonly vscode.Uri[]> {
  const chosen = await vscode.window.showOpenDialog({
    canSelectMany: true,
    canSelectFolders: isFolder,
    canSelectFiles: !isFolder,
    openLabel: vscode.l10n.t('Attach'),
    title: isFolder ? vscode.l10n.t('Attach a Folder') : vscode.l10n.t('Attach Files'),
  });
  return chosen ?? [];
}

/** Lets a person tick which of the open editors' files to attach; all are ticked at first. */
export async function chooseAmong(uris: readonly vscode.Uri[]): Promise<readonly vscode.Uri[]> {
  const items = uris.map((uri) => ({
    label: withoutIcons(nameOf(uri)),
    description: withoutIcons(vscode.workspace.asRelativePath(uri)),
    picked: true,
    uri,
  }));
  const placeHolder = vscode.l10n.t('Open editors to attach');
  const chosen = await vscode.window.showQuickPick(items, { placeHolder, canPickMany: true });
  return (chosen ?? []).map(({ uri }) => uri);
}

/** The files of the open editors, in the order of their tabs, each once. */
export function openFiles(): readonly vscode.Uri[] {
  const uris = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.flatMap(fileOf));
  return [...new Map(uris.map((uri) => [uri.toString(), uri])).values()];
}

function activeFile(): vscode.Uri | undefined {
  const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
  return tab && fileOf(tab)[0];
}

function fileOf({ input }: vscode.Tab): vscode.Uri[] {
  if (input instanceof vscode.TabInputText) return [input.uri];
  if (input instanceof vscode.TabInputCustom) return [input.uri];
  if (input instanceof vscode.TabInputNotebook) return [input.uri];
  if (input instanceof vscode.TabInputTextDiff) return [input.modified];
  return [];
}

/**
 * The files that a menu, a key or a program names: changes or a group of them in Source Control, else the several ones of the
 * second argument when there are any, else the one; each once.
 */
export function namedFiles(args: readonly unknown[]): readonly vscode.Uri[] {
  const [uri, uris] = args;
  const changes = args.flatMap(changedFiles);
  const several = Array.isArray(uris) ? uris.flatMap(asUri) : [];
  const named = changes.length > 0 ? changes : several.length > 0 ? several : asUri(uri);
  return [...new Map(named.map((one) => [one.toString(), one])).values()];
}

/** What Source Control passes is of the Git extension: a change, or a group of them. */
function changedFiles(value: unknown): readonly vscode.Uri[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('resourceUri' in value) return value.resourceUri instanceof vscode.Uri ? [value.resourceUri] : [];
  return 'resourceStates' in value && Array.isArray(value.resourceStates)
    ? value.resourceStates.flatMap(changedFiles)
    : [];
}

function asUri(value: unknown): vscode.Uri[] {
  if (value instanceof vscode.Uri) return [value];
  if (typeof value === 'string' && value !== '') {
    return [/^[a-z][a-z\d+.-]+:/i.test(value) ? vscode.Uri.parse(value) : vscode.Uri.file(value)];
  }
  // What is left of a `Uri` after it went through JSON.
  if (isPlainObject(value) && typeof value.scheme === 'string' && typeof value.path === 'string') {
    const { scheme, path } = value;
    return [
      vscode.Uri.from({ scheme, path, ...(typeof value.authority === 'string' ? { authority: value.authority } : {}) }),
    ];
  }
  return [];
}

/** What else the argument that names the story says. */
export function wishesIn(argument: unknown): Wishes {
  if (!isPlainObject(argument)) return {};
  const { folders, evenSecrets } = argument;
  return {
    ...(folders === 'zip' || folders === 'files' ? { folders } : {}),
    ...(evenSecrets === true ? { evenSecrets } : {}),
  };
}

/** What is selected in an editor, as a file named after the document and the lines; `undefined` when nothing is. */
export function selectionOf(editor: vscode.TextEditor): Ready | undefined {
  const selected = chosenParts(editor);
  if (selected.length === 0) return undefined;
  const text = selected.map((one) => editor.document.getText(one)).join('\n');
  return readyBytes(selectionName(editor), new TextEncoder().encode(text));
}

function selectionName(editor: vscode.TextEditor): string {
  return partName(untitledName(editor.document), chosenParts(editor).map(linesOf));
}

function chosenParts({ selections }: vscode.TextEditor): readonly vscode.Selection[] {
  return selections.filter(({ isEmpty }) => !isEmpty).toSorted((one, other) => one.start.compareTo(other.start));
}

/** From 1. A line with only its beginning selected does not count. */
function linesOf({ start, end }: vscode.Selection): readonly [number, number] {
  const last = end.character === 0 && end.line > start.line ? end.line : end.line + 1;
  return [start.line + 1, last];
}

type DiffNeeds = Pick<App, 'git' | 'engine'>;

/** A repository's changes as a patch: those that `wish` names, or that the person chooses. Empty when they turned away. */
export async function chooseDiff(needs: DiffNeeds, argument: unknown, wish?: PatchOf): Promise<readonly Ready[]> {
  const repository = await chooseRepository(needs.git, askedRepository(argument).repository);
  const of = repository && (wish ?? (await chooseWhat()));
  return repository && of ? [await patchOf(needs, repository, of)] : [];
}

async function chooseWhat(): Promise<PatchOf | undefined> {
  const items: readonly (vscode.QuickPickItem & { readonly of: PatchOf })[] = [
    { label: vscode.l10n.t('All Changes'), description: vscode.l10n.t('since the last commit'), of: 'all' },
    { label: vscode.l10n.t('Staged Changes'), of: 'staged' },
    { label: vscode.l10n.t('Unstaged Changes'), of: 'unstaged' },
  ];
  const placeHolder = vscode.l10n.t('Attach which changes? Untracked files are not included.');
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.of;
}

/** @throws TrackerError `input` when there are no such changes. */
async function patchOf({ engine }: DiffNeeds, repository: GitRepository, of: PatchOf): Promise<Ready> {
  const { path, size } = await engine.patches.patch(repository.rootUri.fsPath, of);
  const discard = () => engine.patches.discard(path);
  if (size === 0) {
    await discard();
    throw new TrackerError('input', vscode.l10n.t('No such changes in tracked files.'));
  }
  const filename = patchName(repositoryName(repository), repository.state.HEAD?.name, of);
  return { kind: 'ready', filename, size, open: async () => ({ kind: 'file', path, filename }), discard };
}
