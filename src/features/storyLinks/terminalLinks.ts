import * as vscode from 'vscode';
import { type StoryMention, storyMentions } from '../../core/mentions/storyMentions.ts';
import { visibleLine } from '../../core/shownText.ts';
import { likelyRepository, repositoryAround } from '../../host/git/chooseRepository.ts';
import { plainLine } from '../../host/shell/plainText.ts';
import { mentionedStories, readBacklogs } from '../../host/story/mentionedStories.ts';
import { storyLabel } from '../../host/story/storyLabel.ts';
import { areOnOneServer, linkText } from '../../host/story/storyLink.ts';
import type { FoundStory } from '../../host/tree/nodes.ts';
import { isPullRequest } from './codeHosts.ts';
import { type OpenNeeds, openOneOf } from './commands.ts';

/** A number in a terminal with the stories that it may mean. */
export interface StoryTerminalLink extends vscode.TerminalLink {
  readonly found: readonly [FoundStory, ...FoundStory[]];
}

const LONGEST_TOOLTIP = 200;

/** Links from the numbers in a line of a terminal to the stories that are known here. */
export async function terminalLinks(
  needs: OpenNeeds,
  { line, terminal }: vscode.TerminalLinkContext,
  token: vscode.CancellationToken,
): Promise<StoryTerminalLink[]> {
  const mentions = storyMentions(line, 'terminal');
  if (mentions.length === 0) return [];
  const projects = await readBacklogs(needs);
  const isOnlyServer = areOnOneServer(projects);
  const folder = folderOf(terminal);
  const ids = mentions.map(({ id }) => id);
  const stories = await mentionedStories(needs, ids, folder ?? 'anywhere');
  const links: StoryTerminalLink[] = [];
  for (const mention of mentions) {
    const [first, ...others] = stories.get(mention.id) ?? [];
    if (!first || (await isOther(needs, mention, folder))) continue;
    const { start, end } = mention.range;
    const found = [first, ...others] as const;
    links.push({ startIndex: start, length: end - start, found, tooltip: tooltipOf(needs, found, isOnlyServer) });
  }
  return token.isCancellationRequested ? [] : links;
}

/** VS Code says below it which key opens it. */
function tooltipOf({ backlogs }: OpenNeeds, found: StoryTerminalLink['found'], isOnlyServer: boolean): string {
  const [{ key, story }, ...others] = found;
  if (others.length > 0) return linkText(backlogs, found, isOnlyServer);
  const parts = [storyLabel(story), story.state, ...(isOnlyServer ? [] : [plainLine(backlogs.hostOf(key))])];
  return visibleLine(parts.filter((part) => part !== '').join(' · '), LONGEST_TOOLTIP);
}

async function isOther(needs: OpenNeeds, mention: StoryMention, folder: vscode.Uri | undefined): Promise<boolean> {
  if (!mention.isLikePullRequest) return false;
  const repositories = await needs.git.repositories();
  const repository = folder ? repositoryAround(repositories, folder) : likelyRepository(repositories);
  return isPullRequest(needs, mention, repository?.rootUri);
}

/** Where the shell is, as far as it tells; else where it began. */
function folderOf({ shellIntegration, creationOptions }: vscode.Terminal): vscode.Uri | undefined {
  if (shellIntegration?.cwd) return shellIntegration.cwd;
  const cwd = 'cwd' in creationOptions ? creationOptions.cwd : undefined;
  return typeof cwd === 'string' ? vscode.Uri.file(cwd) : cwd;
}

export async function openTerminalLink(needs: OpenNeeds, { found }: StoryTerminalLink): Promise<void> {
  await openOneOf(needs, found);
}
