import * as vscode from 'vscode';
import type { CommitHint, HintKind } from '../../core/marker/commitHints.ts';
import { rangeIn } from '../../host/git/commitDocument.ts';

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
export function diagnosticOf(hint: CommitHint, document: vscode.TextDocument): vscode.Diagnostic {
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
      return vscode.l10n.t('These brackets are not read as a marker, so the commit is not linked to story #{0}.', id);
    case 'droppedLine':
      return vscode.l10n.t('This line begins with "#", so Git takes it for a comment and drops it.');
    case 'unknownStory':
      return vscode.l10n.t('Story #{0} is in none of your projects.', id);
    case 'acceptedStory':
      return vscode.l10n.t('Story #{0} is accepted already.', id);
    case 'duplicate':
      return vscode.l10n.t('This marker names story #{0} more than once.', id);
    case 'activeStory':
      return vscode.l10n.t('Story #{0}, which you work on, is not named, so the commit is not linked to it.', id);
  }
}
