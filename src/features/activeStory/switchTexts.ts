import * as vscode from 'vscode';
import { TrackerError } from '../../core/errors.ts';
import { gitWords } from './storyBranches.ts';
import { type KeptParts, SwitchError } from './switchBranch.ts';

/** Why a branch was not checked out, in Git's words, and what is left to do; other errors as they are. */
export function switchProblem(thrown: unknown, branch: string): unknown {
  if (!(thrown instanceof SwitchError)) return thrown;
  const words = sentenceOf(gitWords(thrown.cause));
  const failed =
    thrown.step === 'stash'
      ? vscode.l10n.t('Could not stash your changes. {0}', words)
      : thrown.switched
        ? vscode.l10n.t('Checked out {0}, but a hook failed. {1}', branch, words)
        : vscode.l10n.t('Could not check out {0}. {1}', branch, words);
  const kept = thrown.keptStash === undefined ? [] : [stashText(thrown.keptStash)];
  return new TrackerError('input', [failed, ...kept].join(' '), { cause: thrown });
}

function stashText(name: string): string {
  return vscode.l10n.t('Your changes are in the stash "{0}". Apply it with "Git: Apply Stash…".', name);
}

/** What is told of parts that could not be taken back: where uncommitted work is comes as a warning. */
export function keptTexts({ branch, stash }: KeptParts): {
  readonly texts: readonly string[];
  readonly warning?: string;
} {
  return {
    texts: branch === undefined ? [] : [vscode.l10n.t('The branch {0} stays because it has commits.', branch)],
    ...(stash !== undefined && { warning: stashText(stash) }),
  };
}

/** Git's words on one line, as a sentence, without what it tells of the work that went well before. */
export function sentenceOf(words: string): string {
  const lines = words
    .split('\n')
    .filter((line) => !/^(?:Preparing worktree|HEAD is now at|Updating files:)/.test(line));
  return lines
    .map((line) => line.replace(/^(?:error|fatal): /, '').trim())
    .join(' ')
    .trim()
    .replace(/([^.!?])$/, '$1.');
}
