import * as vscode from 'vscode';
import { TrackerError } from '../../core/errors.ts';
import type { GitRepository } from '../../host/git/gitBridge.ts';
import { gitWords, knownBranches, localBranches } from './checkOut.ts';
import { holdsSomething, type PlacedWorktree } from './placedWorktree.ts';

/**
 * Makes the worktree unless it is there, by VS Code's own Git and so with what the person has it do after checkouts, and
 * tells its folder. A branch that is not there is made from what is checked out.
 * @throws TrackerError `input` in Git's words, with what was made all the same and how to go on.
 */
export async function makeWorktree(
  repository: GitRepository,
  branch: string,
  { folder, isThere }: PlacedWorktree,
): Promise<vscode.Uri> {
  if (isThere) return folder;
  const isOld = (await knownBranches(repository)).includes(branch);
  const wanted = isOld ? { commitish: branch } : { commitish: 'HEAD', branch };
  try {
    const made = await repository.createWorktree?.({ path: folder.fsPath, ...wanted });
    return made === undefined ? folder : vscode.Uri.file(made);
  } catch (thrown) {
    const left = await leftBehind(repository, isOld ? undefined : branch, folder);
    const failed = vscode.l10n.t('The worktree of {0} was not made whole. {1}', branch, sentenceOf(gitWords(thrown)));
    throw new TrackerError('input', [failed, ...left].join(' '), { cause: thrown });
  }
}

/** Without what Git tells of the work that went well before. */
function sentenceOf(words: string): string {
  const lines = words
    .split('\n')
    .filter((line) => !/^(?:Preparing worktree|HEAD is now at|Updating files:)/.test(line));
  return lines
    .join(' ')
    .trim()
    .replace(/([^.!?])$/, '$1.');
}

/** What a failure left; `fresh` is the branch that was not there before. */
async function leftBehind(
  repository: GitRepository,
  fresh: string | undefined,
  folder: vscode.Uri,
): Promise<readonly string[]> {
  const branches = fresh === undefined ? [] : await localBranches(repository).catch(() => []);
  const hasFolder = await holdsSomething(folder);
  return [
    ...(hasFolder
      ? [
          vscode.l10n.t(
            '{0} was left as it is: open it, or take it away with "git worktree remove --force".',
            folder.fsPath,
          ),
        ]
      : []),
    ...(fresh !== undefined && branches.includes(fresh)
      ? [
          vscode.l10n.t(
            'The branch {0} is there: start the story on it again, or take it away with "git branch -d".',
            fresh,
          ),
        ]
      : []),
  ];
}
