import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import { TrackerError } from '../../core/errors.ts';
import { markerText } from '../../core/marker.ts';
import type { Story } from '../../core/story.ts';
import type { App } from '../../host/app.ts';
import { DetailNode } from '../../host/nodes.ts';
import { commitVerb } from '../../host/settings.ts';
import { detailOf } from './detail.ts';
import { noteLook } from './noteLook.ts';

type Needs = Pick<App, 'commands' | 'messages' | 'storyArgument'>;

/** Opening a story's page and copying what names it. */
export function registerStoryCommands({ commands, messages, storyArgument }: Needs): vscode.Disposable {
  const copy = async (argument: unknown, placeHolder: string, textOf: (story: Story) => string) => {
    const found = await storyArgument.ofSelection(argument, placeHolder);
    if (!found) return;
    const text = textOf(found.story);
    await vscode.env.clipboard.writeText(text);
    messages.status(vscode.l10n.t('Copied {0}', text));
  };
  const open = async (argument: unknown) => {
    if (argument instanceof DetailNode) return openLink(linkIn(argument));
    const found = await storyArgument.ofSelection(argument, vscode.l10n.t('Open which story?'));
    if (found) await openLink(pageOf(found.story));
  };
  return vscode.Disposable.from(
    commands.command(commandIds.openInBrowser, open),
    commands.command(commandIds.copyId, (argument) =>
      copy(argument, vscode.l10n.t('Copy the id of which story?'), ({ id }) => String(id)),
    ),
    commands.command(commandIds.copyLink, (argument) =>
      copy(argument, vscode.l10n.t('Copy the link of which story?'), pageOf),
    ),
    commands.command(commandIds.copyMarker, (argument) =>
      copy(argument, vscode.l10n.t('Copy the marker of which story?'), ({ id }) => markerText([id], commitVerb())),
    ),
  );
}

function pageOf({ id, url }: Story): string {
  if (url) return url;
  throw new TrackerError('notFound', vscode.l10n.t('The server gave no link for story #{0}.', id));
}

function linkIn(node: DetailNode): string {
  const detail = detailOf(node);
  const link = detail?.kind === 'note' ? noteLook(detail.note.text).link : undefined;
  if (link) return link;
  throw new TrackerError('notFound', vscode.l10n.t('There is no link in this row.'));
}

/** Only web pages: what a server names must not start other programs. */
async function openLink(link: string): Promise<void> {
  const uri = vscode.Uri.parse(link);
  if (uri.scheme !== 'http' && uri.scheme !== 'https') {
    throw new TrackerError('refused', vscode.l10n.t('The link of this story is no web page: {0}', link));
  }
  await vscode.env.openExternal(uri);
}
