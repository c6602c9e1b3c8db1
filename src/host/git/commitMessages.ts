import type * as vscode from 'vscode';

/** Where commit messages are written: the commit box and the file that `git commit` waits for. */
export const commitMessages: vscode.DocumentSelector = [{ language: 'scminput' }, { language: 'git-commit' }];
