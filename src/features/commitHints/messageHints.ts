import * as vscode from 'vscode';
import { messageOf } from '../../core/errors.ts';
import { rangeIn } from '../../host/git/commitDocument.ts';
import { diagnosticOf } from './diagnosticOf.ts';
import { type HintNeeds, MessageFinder } from './messageFinder.ts';
import { quickFixesOf } from './quickFixesOf.ts';

/** A person who types is not told about what is half typed. */
const PAUSE_MS = 400;

/** Follows the commit messages that are open and tells of each what will not do what its writer means. */
export class MessageHints implements vscode.Disposable {
  readonly finder: MessageFinder;
  private readonly log: HintNeeds['log'];
  private readonly isMessage: (document: vscode.TextDocument) => boolean;
  private readonly diagnostics = vscode.languages.createDiagnosticCollection('storyTracker');
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private readonly listening: vscode.Disposable;

  constructor(app: HintNeeds, isMessage: (document: vscode.TextDocument) => boolean) {
    this.log = app.log;
    this.isMessage = isMessage;
    this.finder = new MessageFinder(app);
    this.listening = vscode.Disposable.from(
      vscode.workspace.onDidOpenTextDocument((document) => this.soon(document)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.soon(document)),
      vscode.workspace.onDidCloseTextDocument((document) => this.forget(document)),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('storyTracker.commit')) this.allSoon();
      }),
      app.backlogs.onDidChange(() => this.allSoon()),
      this.finder.onDidChangeActive(() => this.allSoon()),
    );
    this.allSoon();
  }

  async quickFixes(
    document: vscode.TextDocument,
    range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
    token: vscode.CancellationToken,
  ): Promise<vscode.CodeAction[]> {
    const { version } = document;
    const hints = await this.finder.hints(document);
    if (token.isCancellationRequested || document.version !== version) return [];
    return hints
      .filter((hint) => rangeIn(document, hint.range).intersection(range))
      .flatMap((hint) => quickFixesOf(hint, document, diagnostics));
  }

  dispose(): void {
    this.listening.dispose();
    this.finder.dispose();
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
      const hints = await this.finder.hints(document);
      if (this.timers.get(key) !== timer || document.version !== version || document.isClosed) return;
      this.diagnostics.set(
        document.uri,
        hints.map((hint) => diagnosticOf(hint, document)),
      );
    } catch (thrown) {
      this.log.warn(messageOf(thrown));
    }
  }

  private forget(document: vscode.TextDocument): void {
    const key = document.uri.toString();
    clearTimeout(this.timers.get(key));
    this.timers.delete(key);
    this.diagnostics.delete(document.uri);
  }
}
