import * as vscode from 'vscode';
import type { ActiveStory } from '../../core/activeStory/storyBinding.ts';
import { messageOf } from '../../core/errors.ts';
import {
  activeStoryHint,
  type CommitHint,
  commitHints,
  type HintOptions,
  namedStories,
  type StoryFact,
} from '../../core/marker/commitHints.ts';
import { keptMarkers, readCommitMessage } from '../../core/marker/commitMessage.ts';
import type { MarkedId } from '../../core/marker/markerSyntax.ts';
import { keyText } from '../../core/story/projectKey.ts';
import type { App } from '../../host/app.ts';
import type { ActiveStoryView } from '../../host/git/activeStoryHolder.ts';
import { commentCharOf, rangeIn, rootOf } from '../../host/git/commitDocument.ts';
import { markerOptions } from '../../host/git/commitLinkSettings.ts';
import { areHintsWished, commitVerb, insertActive } from '../../host/shell/featureSettings.ts';
import { AccountLinks } from '../../host/story/accountLinks.ts';
import type { HoverLinks } from '../../host/story/hoverMarkdown.ts';
import { readBacklogs, storiesOfId } from '../../host/story/mentionedStories.ts';
import { storyHover } from '../../host/story/storyHover.ts';
import { areOnOneServer, linkText, storyLink } from '../../host/story/storyLink.ts';
import type { FoundStory } from '../../host/tree/nodes.ts';

export type HintNeeds = Pick<App, 'activeStories' | 'backlogs' | 'log'>;

/** Finds out what there is to tell about commit messages. */
export class MessageFinder implements vscode.Disposable {
  private readonly app: HintNeeds;
  private readonly facts: MessageFacts;
  private readonly activeChanged = new vscode.EventEmitter<void>();
  private following: vscode.Disposable | undefined;

  /** Another story is worked on somewhere. */
  readonly onDidChangeActive = this.activeChanged.event;

  constructor(app: HintNeeds) {
    this.app = app;
    this.facts = new MessageFacts(app);
  }

  async isWished(document: vscode.TextDocument): Promise<boolean> {
    return areHintsWished(await rootOf(document));
  }

  /** The story that a message means by an id; `undefined` while it cannot be told. */
  async story(document: vscode.TextDocument, id: number): Promise<FoundStory | undefined> {
    return this.facts.story(id, (await this.activeAt(await rootOf(document)))?.accountId);
  }

  /** Where the card of a story leads. */
  linksOf({ key }: FoundStory): HoverLinks {
    return new AccountLinks(this.app.backlogs, key);
  }

  /** What a link to a story does. */
  linkTextOf(found: FoundStory): string {
    return linkText(this.app.backlogs, [found], this.facts.isOnOneServer);
  }

  /** Speaks of the text as it is when this is called. */
  async hints(document: vscode.TextDocument): Promise<readonly CommitHint[]> {
    const [text, commentChar] = [document.getText(), commentCharOf(document)];
    const root = await rootOf(document);
    if (!areHintsWished(root)) return [];
    const active = await this.activeAt(root);
    const facts = await this.facts.of(text, commentChar, active?.accountId);
    const options = { ...markerOptions(root, commentChar), verb: commitVerb(root) };
    const isKept = insertActive(root) === 'always' && document.languageId === 'scminput';
    const missing = active && !isKept ? await this.missing(text, active, options) : [];
    return [...commitHints(text, facts, options), ...missing];
  }

  dispose(): void {
    this.following?.dispose();
    this.activeChanged.dispose();
  }

  /** In a commit box that the marker is always put into, who takes it out means it; this is not asked there. */
  private async missing(
    text: string,
    { storyId, accountId }: ActiveStory,
    options: HintOptions,
  ): Promise<readonly CommitHint[]> {
    const hint = activeStoryHint(text, storyId, options);
    const found = hint && (await this.facts.story(storyId, accountId));
    return hint && found?.story.state !== 'accepted' ? [hint] : [];
  }

  /** None where active stories are not wished for. */
  private async activeAt(root: vscode.Uri): Promise<ActiveStory | undefined> {
    return insertActive(root) === 'never' ? undefined : (await this.activeStories())?.at(root);
  }

  private async activeStories(): Promise<ActiveStoryView | undefined> {
    const stories = await this.app.activeStories.likelyView();
    if (stories) this.following ??= stories.onDidChange(() => this.activeChanged.fire());
    return stories;
  }
}

/** The card of the story whose id is at a place of a message. */
export async function cardAt(
  finder: MessageFinder,
  document: vscode.TextDocument,
  position: vscode.Position,
  token: vscode.CancellationToken,
): Promise<vscode.Hover | undefined> {
  const marked = markedIds(document).find(({ range }) => rangeIn(document, range).contains(position));
  const range = marked && rangeIn(document, marked.range);
  if (!marked || !(await finder.isWished(document))) return undefined;
  const found = await finder.story(document, marked.id);
  if (!found || token.isCancellationRequested) return undefined;
  return new vscode.Hover(storyHover(found.story, finder.linksOf(found)), range);
}

/** Links from the ids of a message to their stories. */
export async function messageLinks(
  finder: MessageFinder,
  document: vscode.TextDocument,
  token: vscode.CancellationToken,
): Promise<vscode.DocumentLink[]> {
  const links = markedIds(document).map(({ id, range }) => ({
    id,
    link: new vscode.DocumentLink(rangeIn(document, range)),
  }));
  if (!(await finder.isWished(document))) return [];
  const stories = new Map<number, ReturnType<MessageFinder['story']>>();
  const leading = links.map(async ({ id, link }) => {
    const finding = stories.get(id) ?? finder.story(document, id);
    stories.set(id, finding);
    const found = await finding;
    if (!found) return [];
    link.target = vscode.Uri.parse(storyLink(id, [found]));
    link.tooltip = finder.linkTextOf(found);
    return [link];
  });
  const all = (await Promise.all(leading)).flat();
  return token.isCancellationRequested ? [] : all;
}

function markedIds(document: vscode.TextDocument): readonly MarkedId[] {
  const text = document.getText();
  return keptMarkers(text, readCommitMessage(text, commentCharOf(document))).flatMap(({ ids }) => ids);
}

/** What a server said of a story that is not loaded is taken for true so long. */
const VALID_MS = 60_000;

type Answer = FoundStory | 'unknown';

/** Finds out about the stories that commit messages name. Where it cannot, it tells nothing rather than a guess. */
class MessageFacts {
  private readonly app: Pick<App, 'backlogs' | 'log'>;
  private readonly answers = new Map<
    string,
    { readonly answer: Promise<Answer | undefined>; readonly until: number }
  >();
  private askedOf = '';

  /** Whether all projects are on one server. */
  isOnOneServer = true;

  constructor(app: Pick<App, 'backlogs' | 'log'>) {
    this.app = app;
  }

  /**
   * Servers are asked only about stories in markers: a number elsewhere is not always a story's. Ids are unique on a server
   * only; where several have one, the story of `accountId` is meant.
   */
  async of(message: string, commentChar: string, accountId?: string): Promise<ReadonlyMap<number, StoryFact>> {
    const { marked, mentioned } = namedStories(message, commentChar);
    if (marked.size + mentioned.size === 0 || !(await this.isReady())) return new Map();
    const facts = new Map<number, StoryFact>();
    for (const id of mentioned) {
      const found = this.loaded(id, accountId);
      if (found) facts.set(id, found.story);
    }
    const told = [...marked].map(async (id) => {
      const answer = await this.find(id, accountId);
      if (answer) facts.set(id, answer === 'unknown' ? answer : answer.story);
    });
    await Promise.all(told);
    return facts;
  }

  /** `undefined` while it cannot be told; `accountId` as for `of`. */
  async story(id: number, accountId?: string): Promise<FoundStory | undefined> {
    const answer = (await this.isReady()) ? await this.find(id, accountId) : undefined;
    return answer === 'unknown' ? undefined : answer;
  }

  /** Whether there are projects. */
  private async isReady(): Promise<boolean> {
    const projects = await readBacklogs(this.app);
    const keys = projects.map(keyText).join();
    if (keys !== this.askedOf) this.answers.clear();
    this.askedOf = keys;
    this.isOnOneServer = areOnOneServer(projects);
    return projects.length > 0;
  }

  private loaded(id: number, accountId: string | undefined): FoundStory | undefined {
    return storiesOfId(this.app.backlogs, id, accountId)[0];
  }

  private async find(id: number, accountId: string | undefined): Promise<Answer | undefined> {
    const loaded = this.loaded(id, accountId);
    if (loaded) return loaded;
    const now = Date.now();
    const name = `${id} ${accountId ?? ''}`;
    const known = this.answers.get(name);
    if (known && known.until > now) return known.answer;
    const answer = this.ask(id, accountId).catch((thrown: unknown) => {
      this.app.log.debug(`#${id}: ${messageOf(thrown)}`);
      this.answers.delete(name);
      return undefined;
    });
    this.answers.set(name, { answer, until: now + VALID_MS });
    return answer;
  }

  /** That of `accountId` comes first, as among those that are loaded. */
  private async ask(id: number, accountId: string | undefined): Promise<Answer> {
    const { backlogs } = this.app;
    const near = accountId === undefined ? undefined : await backlogs.story(id, { accountId });
    return near ?? (await backlogs.story(id)) ?? 'unknown';
  }
}
