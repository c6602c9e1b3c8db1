import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import { activeStoryHint } from '../../core/activeStoryHint.ts';
import type { CommitHint } from '../../core/commitHint.ts';
import { commitHints } from '../../core/commitHints.ts';
import { keptMarkers, readCommitMessage } from '../../core/commitMessage.ts';
import { messageOf } from '../../core/errors.ts';
import type { MarkedId } from '../../core/markerSyntax.ts';
import type { ActiveStoryView } from '../../host/activeStoryHolder.ts';
import type { App } from '../../host/app.ts';
import { commentCharOf, rangeIn, rootOf, scopeOf } from '../../host/commitDocument.ts';
import { areHintsWished, commitVerb, insertActive } from '../../host/settings.ts';
import { storyHover } from '../../host/storyHover.ts';
import { diagnosticOf } from './diagnosticOf.ts';
import { MessageFacts } from './messageFacts.ts';
import { quickFixesOf } from './quickFixesOf.ts';

/** A person who types is not told about what is half typed. */
const PAUSE_MS = 400;

export type HintNeeds = Pick<App, 'activeStories' | 'backlogs' | 'log'>;

/** Follows the commit messages that are open and tells of each what is in it. */
export class MessageHints implements vscode.Disposable {
  private readonly app: HintNeeds;
  private readonly isMessage: (document: vscode.TextDocument) => boolean;
  private readonly facts: MessageFacts;
  private readonly diagnostics = vscode.languages.createDiagnosticCollection('storyTracker');
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private readonly listening: vscode.Disposable;
  private following: vscode.Disposable | undefined;

  constructor(app: HintNeeds, isMessage: (document: vscode.TextDocument) => boolean) {
    this.app = app;
    this.isMessage = isMessage;
    this.facts = new MessageFacts(app);
    this.listening = vscode.Disposable.from(
      vscode.workspace.onDidOpenTextDocument((document) => this.soon(document)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.soon(document)),
      vscode.workspace.onDidCloseTextDocument((document) => this.forget(document)),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('storyTracker.commit')) this.allSoon();
      }),
      app.backlogs.onDidChange(() => this.allSoon()),
    );
    this.allSoon();
  }

  async hover(
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
  ): Promise<vscode.Hover | undefined> {
    const marked = markedIds(document).find(({ range }) => rangeIn(document, range).contains(position));
    if (!marked || !areHintsWished(scopeOf(document))) return undefined;
    const range = rangeIn(document, marked.range);
    const found = await this.facts.story(marked.id);
    return found && !token.isCancellationRequested ? new vscode.Hover(storyHover(found.story), range) : undefined;
  }

  async links(document: vscode.TextDocument, token: vscode.CancellationToken): Promise<vscode.DocumentLink[]> {
    if (!areHintsWished(scopeOf(document))) return [];
    const links = markedIds(document).map(async ({ id, range }) => {
      const link = new vscode.DocumentLink(rangeIn(document, range));
      const found = await this.facts.story(id);
      return found ? [linkTo(link, id, found.key.projectId)] : [];
    });
    const found = (await Promise.all(links)).flat();
    return token.isCancellationRequested ? [] : found;
  }

  async quickFixes(
    document: vscode.TextDocument,
    range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
    token: vscode.CancellationToken,
  ): Promise<vscode.CodeAction[]> {
    const { version } = document;
    const hints = await this.hintsOn(document);
    if (token.isCancellationRequested || document.version !== version) return [];
    return hints
      .filter((hint) => rangeIn(document, hint.range).intersection(range))
      .flatMap((hint) => quickFixesOf(hint, document, diagnostics));
  }

  dispose(): void {
    this.listening.dispose();
    this.following?.dispose();
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.diagnostics.dispose();
  }

  private allSoon(): void {
    for (const document of vscode.workspace.textDocuments) this.soon(document);
  }

  private soon(document: vscode.TextDocument): void {
    if (!this.isMessage(document)) return;
    const key = document.uri.toString();
    clearTimeout(this.timers.get(key));
    this.timers.set(
      key,
      setTimeout(() => void this.tell(document, key), PAUSE_MS),
    );
  }

  /** What is found out too late, the text having changed meanwhile, is not told. */
  private async tell(document: vscode.TextDocument, key: string): Promise<void> {
    const timer = this.timers.get(key);
    const { version } = document;
    try {
      const hints = await this.hintsOn(document);
      if (this.timers.get(key) !== timer || document.version !== version || document.isClosed) return;
      this.diagnostics.set(
        document.uri,
        hints.map((hint) => diagnosticOf(hint, document)),
      );
    } catch (thrown) {
      this.app.log.warn(messageOf(thrown));
    }
  }

  private async hintsOn(document: vscode.TextDocument): Promise<readonly CommitHint[]> {
    const scope = scopeOf(document);
    if (!areHintsWished(scope)) return [];
    const text = document.getText();
    const commentChar = commentCharOf(document);
    const facts = await this.facts.of(text, commentChar);
    const options = { commentChar, verb: commitVerb(scope) };
    const missing = await this.missing(document, (storyId) => activeStoryHint(text, storyId, options));
    return [...commitHints(text, facts, options), ...(missing ? [missing] : [])];
  }

  /** Not where the marker is never wished; nor in a commit box that it is always put into: who takes it out there means it. */
  private async missing(
    document: vscode.TextDocument,
    hintOn: (storyId: number) => CommitHint | undefined,
  ): Promise<CommitHint | undefined> {
    const wish = insertActive(scopeOf(document));
    if (wish === 'never' || (wish === 'always' && document.languageId === 'scminput')) return undefined;
    const worked = (await this.activeStories())?.at(rootOf(document));
    const hint = worked && hintOn(worked.storyId);
    if (!worked || !hint) return undefined;
    const found = await this.facts.story(worked.storyId);
    return found?.story.state === 'accepted' ? undefined : hint;
  }

  private async activeStories(): Promise<ActiveStoryView | undefined> {
    const stories = await this.app.activeStories.likelyView();
    if (stories) this.following ??= stories.onDidChange(() => this.allSoon());
    return stories;
  }

  private forget(document: vscode.TextDocument): void {
    const key = document.uri.toString();
    clearTimeout(this.timers.get(key));
    this.timers.delete(key);
    this.diagnostics.delete(document.uri);
  }
}

function markedIds(document: vscode.TextDocument): readonly MarkedId[] {
  const text = document.getText();
  return keptMarkers(text, readCommitMessage(text, commentCharOf(document))).flatMap(({ ids }) => ids);
}

function linkTo(link: vscode.DocumentLink, storyId: number, projectId: number): vscode.DocumentLink {
  const argument = encodeURIComponent(JSON.stringify([{ storyId, projectId }]));
  link.target = vscode.Uri.parse(`command:${commandIds.openStory}?${argument}`);
  link.tooltip = vscode.l10n.t('Open Story');
  return link;
}
