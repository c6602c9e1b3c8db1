import * as vscode from 'vscode';
import { TrackerError } from '../../core/errors.ts';
import type { App } from '../../host/app.ts';
import type { Caller } from '../../host/shell/commands.ts';
import { gitWords } from './storyBranches.ts';
import {
  type BranchSwitch,
  countChanges,
  type KeptParts,
  SwitchError,
  type Switched,
  type SwitchedRepository,
  switchBranch,
} from './switchBranch.ts';

interface Needs {
  readonly engine: Pick<App['engine'], 'branchFacts'>;
  readonly messages: Pick<App['messages'], 'ask'>;
}

/**
 * As `switchBranch`. What is not committed and cannot be carried along, because the branch has something else in the same places, may
 * be put away: a person is asked, who may as well stay, and a program is told. Nothing has been changed by then.
 * @throws SwitchError, TrackerError `cancelled` where the person stays.
 */
export async function switchOrStash(
  { engine: { branchFacts }, messages }: Needs,
  repository: SwitchedRepository,
  wanted: BranchSwitch,
  caller: Caller,
): Promise<Switched> {
  try {
    return await switchBranch(repository, branchFacts, wanted);
  } catch (thrown) {
    if (wanted.changes !== 'carry' || !isInTheWay(thrown)) throw thrown;
    if (caller === 'program') throw withWayOut(thrown, wanted.branch);
    const current = repository.state.HEAD?.name ?? '';
    const stash = vscode.l10n.t('Stash and Switch');
    const answer = await messages.ask(
      countChanges(repository) === 1
        ? vscode.l10n.t('Your uncommitted change cannot be carried along to {0}.', wanted.branch)
        : vscode.l10n.t('Your uncommitted changes cannot be carried along to {0}.', wanted.branch),
      [
        sentenceOf(gitWords(thrown.cause)),
        vscode.l10n.t('Nothing has been changed. Stash them to switch, or cancel to stay on {0}.', current),
      ].join('\n\n'),
      stash,
    );
    if (answer !== stash) throw new TrackerError('cancelled', vscode.l10n.t('You stayed on {0}.', current));
    return switchBranch(repository, branchFacts, { ...wanted, changes: 'stash' });
  }
}

/** Git refuses before it changes anything. */
function isInTheWay(thrown: unknown): thrown is SwitchError {
  const isRefusal = thrown instanceof SwitchError && thrown.step === 'checkout' && !thrown.switched;
  return isRefusal && /would be (?:overwritten|removed)/.test(gitWords(thrown.cause));
}

function withWayOut(thrown: SwitchError, branch: string): unknown {
  const problem = switchProblem(thrown, branch);
  if (!(problem instanceof TrackerError)) return problem;
  const way = vscode.l10n.t('Nothing has been changed. Commit your changes, or pass the changes as "stash".');
  return new TrackerError('input', `${problem.message} ${way}`, { cause: thrown });
}

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
