import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import type { Backlogs } from '../projects/backlogs.ts';
import { plainMarkdown } from '../shell/plainMarkdown.ts';
import { plainLine } from '../shell/plainText.ts';
import type { FoundStory } from '../tree/nodes.ts';
import { AccountLinks } from './accountLinks.ts';
import { storyHover } from './storyHover.ts';

type Known = Pick<Backlogs, 'baseUrlOf' | 'hostOf' | 'keysOfAccount' | 'peekSome'>;

type Found = readonly [FoundStory, ...FoundStory[]];

/** The address of the command that opens a story; where several servers have one of its number, it asks which. */
export function storyLink([{ story, key }, ...others]: Found): string {
  return commandLink(others.length === 0 ? { storyId: story.id, ...key } : story.id);
}

/** As `storyLink`, by the number alone where that is enough: for texts that people may copy with the link. */
export function shortStoryLink(backlogs: Pick<Backlogs, 'peekStories'>, found: Found): string {
  const [{ story }] = found;
  return backlogs.peekStories(story.id).length === found.length ? commandLink(story.id) : storyLink(found);
}

function commandLink(argument: object | number): string {
  const query = typeof argument === 'number' ? String(argument) : encodeURIComponent(JSON.stringify([argument]));
  return `command:${commandIds.openMentionedStory}?${query}`;
}

/** What a link to a story does, with its server where that is not the only one. */
export function linkText(
  backlogs: Pick<Backlogs, 'hostOf'>,
  found: readonly FoundStory[],
  isOnlyServer: boolean,
): string {
  if (isOnlyServer) return vscode.l10n.t('Open Story');
  const hosts = found.map(({ key }) => plainLine(backlogs.hostOf(key)));
  return hosts.length === 1
    ? vscode.l10n.t('Open Story on {0}', hosts.join())
    : vscode.l10n.t('Open Story on {0}…', hosts.join(' / '));
}

/** The cards of stories with one number, each with its server where that is not the only one. */
export function storyCards(
  backlogs: Known,
  found: readonly FoundStory[],
  isOnlyServer: boolean,
): vscode.MarkdownString[] {
  return found.flatMap(({ key, story }) => {
    const card = storyHover(story, new AccountLinks(backlogs, key));
    if (isOnlyServer) return [card];
    return [new vscode.MarkdownString(`*${plainMarkdown(plainLine(backlogs.hostOf(key)))}*`), card];
  });
}

/** Whether all projects are on one server. */
export function areOnOneServer(keys: readonly { readonly accountId: string }[]): boolean {
  return new Set(keys.map(({ accountId }) => accountId)).size < 2;
}
