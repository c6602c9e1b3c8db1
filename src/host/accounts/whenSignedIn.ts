import * as vscode from 'vscode';
import { messageOf } from '../../core/errors.ts';
import type { App } from '../app.ts';

/** What is offered while one types in code or in commit messages is read from disk only then. */
export async function isAnyoneSignedIn({ accounts }: Pick<App, 'accounts'>): Promise<boolean> {
  return (await accounts.list()).length > 0;
}

/** Runs once, as soon as someone is signed in, in this window or another, and disposes what that gives. */
export function whenSignedIn(
  { accounts, log }: Pick<App, 'accounts' | 'log'>,
  run: () => Promise<vscode.Disposable>,
): vscode.Disposable {
  let made: Promise<vscode.Disposable> | undefined;
  let isDisposed = false;
  const look = async () => {
    if ((await isAnyoneSignedIn({ accounts })) && !isDisposed) made ??= run();
    await made;
  };
  const warn = (thrown: unknown) => log.warn(messageOf(thrown));
  const listening = accounts.onDidChange(() => void look().catch(warn));
  void look().catch(warn);
  return new vscode.Disposable(() => {
    isDisposed = true;
    listening.dispose();
    made?.then((one) => one.dispose()).catch(warn);
  });
}
