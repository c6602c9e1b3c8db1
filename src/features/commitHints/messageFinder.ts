import * as vscode from 'vscode';
import type { ActiveStory } from '../../core/activeStory/storyBinding.ts';
import { activeStoryHint, type CommitHint, commitHints, type HintOptions } from '../../core/marker/commitHints.ts';
import type { App } from '../../host/app.ts';
import type { ActiveStoryView } from '../../host/git/activeStoryHolder.ts';
import { commentCharOf, rootOf } from '../../host/git/commitDocument.ts';
import { markerOptions } from '../../host/git/commitLinkSettings.ts';
import { areHintsWished, commitVerb, insertActive } from '../../host/shell/settings.ts';
import type { FoundStory } from '../../host/tree/nodes.ts';
import { MessageFacts } from './messageFacts.ts';

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
