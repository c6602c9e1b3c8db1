import { setTimeout as pause } from 'node:timers/promises';
import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import { stateWord } from '../../core/backlog/stateWords.ts';
import { messageOf } from '../../core/errors.ts';
import { commentMarks } from '../../core/mentions/commentMarks.ts';
import { mentionsInComments, mentionsInMarkdown, mentionsInMessage } from '../../core/mentions/mentionsInText.ts';
import { type StoryMention, storyMentions } from '../../core/mentions/storyMentions.ts';
import { visibleLine } from '../../core/text.ts';
import type { App } from '../../host/app.ts';
import { likelyRepository, repositoryAround } from '../../host/git/chooseRepository.ts';
import { rangeIn } from '../../host/git/commitDocument.ts';
import { todoWords } from '../../host/shell/featureSettings.ts';
import { plainLine, withoutIcons } from '../../host/shell/plainText.ts';
import { mentionedStories, readBacklogs } from '../../host/story/mentionedStories.ts';
import { storyLabel } from '../../host/story/storyLabel.ts';
import { areOnOneServer, linkText, shortStoryLink, storyCards, storyLink } from '../../host/story/storyLink.ts';
import type { FoundStory } from '../../host/tree/nodes.ts';

type DocumentNeeds = Pick<App, 'activeStories' | 'backlogs' | 'git' | 'log'>;

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
    const link = new vscode.DocumentLink(range, vscode.Uri.parse(storyLink(id, [first, ...others])));
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

export type MentionNeeds = DocumentNeeds & HostNeeds;

/** A number in a commit message, and the stories that it may mean. */
export interface CommitMention {
  readonly mention: StoryMention;
  readonly found: readonly [FoundStory, ...FoundStory[]];
}

/** The stories that a commit message mentions, in the order of the text, as far as they are known here. */
export async function storiesOfMessage(
  needs: MentionNeeds,
  repository: vscode.Uri,
  message: string,
): Promise<readonly CommitMention[]> {
  const mentions = mentionsInMessage(message);
  const ids = mentions.map(({ id }) => id);
  const stories = await mentionedStories(needs, ids, repository);
  const known: CommitMention[] = [];
  for (const mention of mentions) {
    const [first, ...others] = stories.get(mention.id) ?? [];
    if (first && !(await isPullRequest(needs, mention, repository))) known.push({ mention, found: [first, ...others] });
  }
  return known;
}

/** A history is not held up longer than this by backlogs that are still read. */
const PATIENCE_MS = 1500;
/** Backlogs that could not be read are asked for again after so long. */
const READ_AGAIN_MS = 60_000;

/** What VS Code is told of commits while it shows them, hundreds at a time. */
export class CommitLinks {
  private readonly needs: MentionNeeds;
  private reading: { readonly done: Promise<unknown>; readonly until: number } | undefined;
  private isOnlyServer = true;
  /** Reading took too long once, so it is no longer waited for. */
  private isLate = false;

  constructor(needs: MentionNeeds) {
    this.needs = needs;
  }

  /** The message with its numbers as links; `undefined` where none of them is of a story that is known here. */
  async linkedMessage(repository: vscode.Uri, message: string): Promise<string | undefined> {
    await this.ready();
    const known = await storiesOfMessage(this.needs, repository, message);
    if (known.length === 0) return undefined;
    let [text, from] = ['', 0];
    for (const { mention, found } of known) {
      const { start, end } = mention.range;
      text += `${message.slice(from, start)}[${message.slice(start, end)}](${this.addressOf(mention.id, found)})`;
      from = end;
    }
    return text + message.slice(from);
  }

  private addressOf(number: number, found: CommitMention['found']): string {
    const { backlogs } = this.needs;
    const address = shortStoryLink(backlogs, number, found);
    if (this.isOnlyServer) return address;
    const title = withoutIcons(linkText(backlogs, found, false)).replace(/["\\]/g, '\\$&');
    return `${address} "${title}"`;
  }

  /** Waits a moment for what is read for the first time; what comes later is there for those who ask later. */
  private async ready(): Promise<void> {
    if (!this.reading || this.reading.until < Date.now())
      this.reading = { done: this.read(), until: Date.now() + READ_AGAIN_MS };
    if (this.isLate) return;
    const { done } = this.reading;
    const inTime = await Promise.race([done.then(() => true), pause(PATIENCE_MS, false)]);
    this.isLate = !inTime;
  }

  private async read(): Promise<void> {
    try {
      this.isOnlyServer = areOnOneServer(await readBacklogs(this.needs));
    } catch (thrown) {
      this.needs.log.warn(messageOf(thrown));
    }
  }
}

/** A button below every commit: VS Code asks for those of a repository, not of a commit. */
export function commitCommands(repository: vscode.Uri): vscode.Command[] {
  const argument = { repository: repository.toString() };
  const tooltip = vscode.l10n.t('Open the Story That This Commit Mentions');
  const title = `$(tasklist) ${vscode.l10n.t('Open Story')}`;
  return [{ title, tooltip, command: commandIds.openMentionedStory, arguments: [argument] }];
}

/** A number in a terminal with the stories that it may mean. */
export interface StoryTerminalLink extends vscode.TerminalLink {
  readonly number: number;
  readonly found: readonly [FoundStory, ...FoundStory[]];
}

const LONGEST_TOOLTIP = 200;

/** Links from the numbers in a line of a terminal to the stories that are known here. */
export async function terminalLinks(
  needs: MentionNeeds,
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
    const tooltip = tooltipOf(needs, found, isOnlyServer);
    links.push({ startIndex: start, length: end - start, number: mention.id, found, tooltip });
  }
  return token.isCancellationRequested ? [] : links;
}

/** VS Code says below it which key opens it. */
function tooltipOf({ backlogs }: MentionNeeds, found: StoryTerminalLink['found'], isOnlyServer: boolean): string {
  const [{ key, story }, ...others] = found;
  if (others.length > 0) return linkText(backlogs, found, isOnlyServer);
  const parts = [
    storyLabel(story),
    stateWord(story.state),
    ...(isOnlyServer ? [] : [plainLine(backlogs.signInOf(key))]),
  ];
  return visibleLine(parts.filter((part) => part !== '').join(' · '), LONGEST_TOOLTIP);
}

async function isOther(needs: MentionNeeds, mention: StoryMention, folder: vscode.Uri | undefined): Promise<boolean> {
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

type HostNeeds = Pick<App, 'history' | 'log'>;

/** Any commit: only whether a host has pages of commits is asked, and no host. */
const ANY_HASH = '0'.repeat(40);
/** So long a repository is taken to have the remotes that it had. */
const VALID_MS = 60_000;

interface Answer {
  readonly isHost: Promise<boolean>;
  readonly until: number;
}

const answers = new Map<string, Answer>();

/** Whether a number in a commit of a repository is that of a pull request: it looks so, and the remote is on a host that has some. */
async function isPullRequest(
  { history, log }: HostNeeds,
  { isLikePullRequest }: StoryMention,
  repository: vscode.Uri | undefined,
): Promise<boolean> {
  if (!isLikePullRequest || !repository) return false;
  const root = repository.fsPath;
  const known = answers.get(root);
  if (known && known.until > Date.now()) return known.isHost;
  const isHost = history.commitUrl(root, ANY_HASH).then(
    (page) => page !== undefined,
    (thrown: unknown) => {
      log.debug(`remotes of ${root}: ${messageOf(thrown)}`);
      return false;
    },
  );
  answers.set(root, { isHost, until: Date.now() + VALID_MS });
  return isHost;
}
