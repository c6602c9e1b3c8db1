import * as vscode from 'vscode';
import { commentMarks } from '../../core/mentions/commentMarks.ts';
import { mentionsInComments, mentionsInMarkdown } from '../../core/mentions/mentionsInText.ts';
import type { StoryMention } from '../../core/mentions/storyMentions.ts';
import type { App } from '../../host/app.ts';
import { rangeIn } from '../../host/git/commitDocument.ts';
import { todoWords } from '../../host/shell/featureSettings.ts';
import { mentionedStories, readBacklogs } from '../../host/story/mentionedStories.ts';
import { areOnOneServer, linkText, storyCards, storyLink } from '../../host/story/storyLink.ts';
import type { FoundStory } from '../../host/tree/nodes.ts';

export type DocumentNeeds = Pick<App, 'activeStories' | 'backlogs' | 'git' | 'log'>;

/** Links from numbers in a document to the stories that are known here. */
export async function documentLinks(
  needs: DocumentNeeds,
  document: vscode.TextDocument,
  token: vscode.CancellationToken,
): Promise<vscode.DocumentLink[]> {
  const mentions = mentionsIn(document);
  const ranges = mentions.map(({ range }) => rangeIn(document, range));
  const { found, isOnlyServer } = await storiesOf(needs, document, mentions);
  if (token.isCancellationRequested) return [];
  return mentions.flatMap(({ id }, index) => {
    const [first, ...others] = found.get(id) ?? [];
    const range = ranges[index];
    if (!first || !range) return [];
    const link = new vscode.DocumentLink(range, vscode.Uri.parse(storyLink([first, ...others])));
    link.tooltip = linkText(needs.backlogs, [first, ...others], isOnlyServer);
    return [link];
  });
}

/** The card of the story whose number is at a place of a document; where several servers have one, the card of each. */
export async function cardAt(
  needs: DocumentNeeds,
  document: vscode.TextDocument,
  position: vscode.Position,
  token: vscode.CancellationToken,
): Promise<vscode.Hover | undefined> {
  const offset = document.offsetAt(position);
  const mention = mentionsIn(document).find(({ range }) => range.start <= offset && offset <= range.end);
  if (!mention) return undefined;
  const range = rangeIn(document, mention.range);
  const { found, isOnlyServer } = await storiesOf(needs, document, [mention]);
  const stories = found.get(mention.id);
  if (!stories || token.isCancellationRequested) return undefined;
  return new vscode.Hover(storyCards(needs.backlogs, stories, isOnlyServer), range);
}

/** Lines by which a language is guessed. */
const LOOKED_AT = 500;

function mentionsIn(document: vscode.TextDocument): readonly StoryMention[] {
  const { languageId, uri } = document;
  const text = document.getText();
  if (languageId === 'markdown') return mentionsInMarkdown(text);
  const count = Math.min(document.lineCount, LOOKED_AT);
  const lines = Array.from({ length: count }, (_, line) => document.lineAt(line).text);
  return mentionsInComments(text, { marks: commentMarks(languageId, lines), words: todoWords(uri) });
}

/** No server is asked about a number that may be of anything; backlogs are read where a document has one at all. */
async function storiesOf(
  needs: DocumentNeeds,
  { uri }: vscode.TextDocument,
  mentions: readonly StoryMention[],
): Promise<{ readonly found: ReadonlyMap<number, readonly FoundStory[]>; readonly isOnlyServer: boolean }> {
  if (mentions.length === 0) return { found: new Map(), isOnlyServer: true };
  const projects = await readBacklogs(needs);
  const ids = mentions.map(({ id }) => id);
  return { found: await mentionedStories(needs, ids, uri), isOnlyServer: areOnOneServer(projects) };
}
