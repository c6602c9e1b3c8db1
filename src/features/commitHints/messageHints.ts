import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import { messageOf } from '../../core/errors.ts';
import type { CommitHint, HintFix, HintKind } from '../../core/marker/commitHints.ts';
import { withStoryReplaced } from '../../core/marker/withoutMarker.ts';
import { commentCharOf, rangeIn, rootOf, workspaceEdit } from '../../host/git/commitDocument.ts';
import { type LikelyNeeds, likelyStories } from '../../host/story/likelyStories.ts';
import { pickStory } from '../../host/story/pickStory.ts';
import { type HintNeeds, MessageFinder } from './messageFinder.ts';

/** A person who types is not told about what is half typed. */
const PAUSE_MS = 400;
/** Hints whose fixes are offered at once: a person may select a whole message. */
const MOST_MENDED = 100;

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
      .slice(0, MOST_MENDED)
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

  /** What is found out too late, the text having changed in the meantime, is not told. */
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

const { Warning, Information } = vscode.DiagnosticSeverity;
const severities: Readonly<Record<HintKind, vscode.DiagnosticSeverity>> = {
  notInBrackets: Warning,
  unreadBrackets: Warning,
  droppedLine: Warning,
  unknownStory: Warning,
  acceptedStory: Information,
  duplicate: Information,
  activeStory: Information,
};

/** A hint as VS Code underlines it and lists it among the problems. */
function diagnosticOf(hint: CommitHint, document: vscode.TextDocument): vscode.Diagnostic {
  const range = rangeIn(document, hint.range);
  const text = document.getText(range);
  // A number without a verb may be there for other reasons.
  const severity =
    (hint.kind === 'notInBrackets' || hint.kind === 'unreadBrackets') && text.startsWith('#')
      ? Information
      : severities[hint.kind];
  const diagnostic = new vscode.Diagnostic(range, textOf(hint, text), severity);
  diagnostic.source = 'Story Tracker';
  diagnostic.code = hint.kind;
  if (hint.kind === 'duplicate') diagnostic.tags = [vscode.DiagnosticTag.Unnecessary];
  return diagnostic;
}

function textOf({ kind, storyIds }: CommitHint, text: string): string {
  const id = storyIds[0] ?? 0;
  switch (kind) {
    case 'notInBrackets':
      return vscode.l10n.t('"{0}" is not in brackets, so the commit is not linked to the story.', text);
    case 'unreadBrackets':
      return vscode.l10n.t('These brackets are not a valid marker, so the commit is not linked to story #{0}.', id);
    case 'droppedLine':
      return vscode.l10n.t('This line starts with "#", so Git drops it as a comment.');
    case 'unknownStory':
      return vscode.l10n.t('Story #{0} is not in any of your projects.', id);
    case 'acceptedStory':
      return vscode.l10n.t('Story #{0} is already accepted.', id);
    case 'duplicate':
      return vscode.l10n.t('This marker mentions story #{0} more than once.', id);
    case 'activeStory':
      return vscode.l10n.t('The active story #{0} is not mentioned, so the commit is not linked to it.', id);
  }
}

/** The quick fixes of a hint; those of `diagnostics` that are about it are marked as mended. */
function quickFixesOf(
  hint: CommitHint,
  document: vscode.TextDocument,
  diagnostics: readonly vscode.Diagnostic[],
): vscode.CodeAction[] {
  const range = rangeIn(document, hint.range);
  const mended = diagnostics.filter(({ code, range: shown }) => code === hint.kind && shown.isEqual(range));
  const actions = hint.fixes.map((fix, index) => {
    const action = new vscode.CodeAction(titleOf(fix, hint), vscode.CodeActionKind.QuickFix);
    action.edit = workspaceEdit(document, fix.edits);
    // Taking a story away is not always what is meant.
    action.isPreferred = index === 0 && (fix.kind !== 'remove' || hint.kind === 'duplicate');
    action.diagnostics = mended;
    return action;
  });
  const isReplaceable = hint.kind === 'unknownStory' || hint.kind === 'acceptedStory';
  return isReplaceable ? [...actions, replacing(hint, document, mended)] : actions;
}

function replacing(
  { storyIds }: CommitHint,
  document: vscode.TextDocument,
  mended: vscode.Diagnostic[],
): vscode.CodeAction {
  const title = vscode.l10n.t('Choose Another Story…');
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.command = { command: commandIds.replaceMarkedStory, title, arguments: [document.uri, storyIds[0]] };
  action.diagnostics = mended;
  return action;
}

function titleOf({ kind, edits }: HintFix, { storyIds }: CommitHint): string {
  const written = edits.map(({ text }) => text.trim()).join('');
  switch (kind) {
    case 'bracket':
      return vscode.l10n.t(
        'Change to {0}',
        `${/^\[/.test(written) ? '' : '['}${written}${/\]$/.test(written) ? '' : ']'}`,
      );
    case 'add':
      return vscode.l10n.t('Add {0}', written);
    case 'moveToEnd':
      return vscode.l10n.t('Move to End of Line as Marker');
    case 'remove':
      return vscode.l10n.t('Remove #{0}', storyIds[0] ?? 0);
  }
}

/** Asks which story a commit message means instead of one, and names that one. */
export async function replaceMarkedStory(needs: LikelyNeeds, ...[uri, storyId]: readonly unknown[]): Promise<void> {
  const isMeant = ({ uri: one }: vscode.TextDocument) => uri instanceof vscode.Uri && one.toString() === uri.toString();
  const document = vscode.workspace.textDocuments.find(isMeant);
  if (!document || typeof storyId !== 'number') return;
  const order = rootOf(document).then((root) => likelyStories(needs, root));
  const picked = await pickStory(needs.backlogs, vscode.l10n.t('Story to mention instead of #{0}', storyId), order);
  if (!picked) return;
  const { edits } = withStoryReplaced(document.getText(), storyId, picked.story.id, commentCharOf(document));
  if (edits.length > 0 && !(await vscode.workspace.applyEdit(workspaceEdit(document, edits)))) {
    throw new Error(vscode.l10n.t('Could not change the commit message. Try again.'));
  }
}
