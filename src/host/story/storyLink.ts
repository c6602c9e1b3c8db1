import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import type { Backlogs } from '../projects/backlogs.ts';
import { plainMarkdown } from '../shell/html.ts';
import { plainLine } from '../shell/plainText.ts';
import type { FoundStory } from '../tree/nodes.ts';
import { AccountLinks } from './accountLinks.ts';
import { storyHover } from './storyHover.ts';

type Known = Pick<Backlogs, 'baseUrlOf' | 'keysOfAccount' | 'peekSome' | 'signInOf'>;

type Found = readonly [FoundStory, ...FoundStory[]];

/** The address of the command that opens the story that a text calls by a number; where several may be meant, it asks which. */
export function storyLink(number: number, [{ story, key }, ...others]: Found): string {
  return commandLink(others.length === 0 ? { storyId: story.id, ...key } : number);
}

/** As `storyLink`, by the number alone where that is enough: for texts that people may copy with the link. */
export function shortStoryLink(backlogs: Pick<Backlogs, 'peekStories'>, number: number, found: Found): string {
  return backlogs.peekStories(number).length === found.length ? commandLink(number) : storyLink(number, found);
}

function commandLink(argument: object | number): string {
  const query = typeof argument === 'number' ? String(argument) : encodeURIComponent(JSON.stringify([argument]));
  return `command:${commandIds.openMentionedStory}?${query}`;
}

/** What a link to a story does, with its server where that is not the only one. */
export function linkText(
  backlogs: Pick<Backlogs, 'signInOf'>,
  found: readonly FoundStory[],
  isOnlyServer: boolean,
): string {
  if (isOnlyServer) return found.length > 1 ? vscode.l10n.t('Open Story…') : vscode.l10n.t('Open Story');
  const hosts = [...new Set(found.map(({ key }) => plainLine(backlogs.signInOf(key))))].join(' / ');
  return found.length === 1 ? vscode.l10n.t('Open Story on {0}', hosts) : vscode.l10n.t('Open Story on {0}…', hosts);
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
    return [new vscode.MarkdownString(`*${plainMarkdown(plainLine(backlogs.signInOf(key)))}*`), card];
  });
}

/** Whether all projects are on one server. */
export function areOnOneServer(keys: readonly { readonly accountId: string }[]): boolean {
  return new Set(keys.map(({ accountId }) => accountId)).size < 2;
}
