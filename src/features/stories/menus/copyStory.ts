import * as vscode from 'vscode';
import { markerText } from '../../../core/marker/markerSyntax.ts';
import type { Story } from '../../../core/story/story.ts';
import type { App } from '../../../host/app.ts';
import { commitVerb } from '../../../host/shell/settings.ts';
import { pageOf } from './openInBrowser.ts';

type Needs = Pick<App, 'messages' | 'storyArgument'>;

export function copyId(needs: Needs, argument: unknown): Promise<void> {
  return copy(needs, argument, vscode.l10n.t('Copy the id of which story?'), ({ id }) => String(id));
}

export function copyLink(needs: Needs, argument: unknown): Promise<void> {
  return copy(needs, argument, vscode.l10n.t('Copy the link of which story?'), pageOf);
}

export function copyMarker(needs: Needs, argument: unknown): Promise<void> {
  const textOf = ({ id }: Story) => markerText([id], commitVerb());
  return copy(needs, argument, vscode.l10n.t('Copy the marker of which story?'), textOf);
}

async function copy(
  { messages, storyArgument }: Needs,
  argument: unknown,
  placeHolder: string,
  textOf: (story: Story) => string,
): Promise<void> {
  const found = await storyArgument.ofSelection(argument, placeHolder);
  if (!found) return;
  const text = textOf(found.story);
  await vscode.env.clipboard.writeText(text);
  messages.status(vscode.l10n.t('Copied {0}', text));
}
