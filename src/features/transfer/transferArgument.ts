import * as vscode from 'vscode';
import { failureMeans, kindOf, retold, TrackerError } from '../../core/errors.ts';
import { isSameProject } from '../../core/story/projectKey.ts';
import type { Account } from '../../host/accounts/account.ts';
import type { App } from '../../host/app.ts';
import type { ProjectEntry } from '../../host/projects/projectList.ts';
import { isPlainObject } from '../../host/shell/commands.ts';
import { withoutIcons } from '../../host/shell/plainText.ts';
import { projectNamed } from '../../host/story/askedProject.ts';
import { ProjectNode } from '../../host/tree/nodes.ts';

/** A file or folder of this machine, as a program names it: a path, the text of an address, or a `Uri`. */
export function pathOf(value: unknown, what: string): string | undefined {
  if (value === undefined) return undefined;
  const uri = typeof value === 'string' && value.startsWith('file:') ? vscode.Uri.parse(value, true) : value;
  if (uri instanceof vscode.Uri) {
    if (uri.scheme === 'file') return uri.fsPath;
    throw new TrackerError('input', vscode.l10n.t('Only files of the machine on which VS Code runs can be used.'));
  }
  if (typeof uri === 'string' && uri !== '') return uri;
  throw new TrackerError('input', vscode.l10n.t('Pass {0} as a path.', what));
}

/** The project of a row, or the one that a program names; `undefined` where neither says one. */
export async function namedProject(
  { backlogs }: Pick<App, 'backlogs'>,
  asked: unknown,
): Promise<ProjectEntry | undefined> {
  if (asked instanceof ProjectNode)
    return (await backlogs.requireProjects()).find(({ key }) => isSameProject(key, asked.key));
  if (!isPlainObject(asked) || asked.projectId === undefined) return undefined;
  return projectNamed(await backlogs.requireProjects(), asked);
}

export async function pickProject(
  { backlogs }: Pick<App, 'backlogs'>,
  placeHolder: string,
): Promise<ProjectEntry | undefined> {
  const items = (await backlogs.requireProjects()).map((entry) => ({
    label: withoutIcons(entry.project.name),
    description: backlogs.signInAmongSeveral(entry.key) ?? '',
    entry,
  }));
  if (items.length === 1) return items[0]?.entry;
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.entry;
}

/** The account that a program names, the only one, or the one that a person picks. */
export async function accountFor({ accounts }: Pick<App, 'accounts'>, asked: unknown): Promise<Account | undefined> {
  await accounts.requireAny();
  const all = await accounts.list();
  if (isPlainObject(asked) && asked.accountId !== undefined) return all.find(({ id }) => id === asked.accountId);
  if (all.length === 1 || isPlainObject(asked)) return all[0];
  const items = all.map((account) => ({ label: account.label, account }));
  const placeHolder = vscode.l10n.t('Import to which server?');
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.account;
}

/** The same failure, in one line where the server has nothing of the kind. */
export function explained(thrown: unknown, host: string): unknown {
  if (!(thrown instanceof TrackerError) || thrown.status === undefined) return thrown;
  if (!failureMeans(kindOf(thrown), 'notOffered') && thrown.status !== 405) return thrown;
  return retold(thrown, vscode.l10n.t('{0} does not import or export projects.', host));
}

type Report = (progress: { readonly message?: string; readonly increment?: number }) => void;

/** Does work that a person can cancel. */
export function withCancel<T>(title: string, work: (signal: AbortSignal, report: Report) => Promise<T>): Thenable<T> {
  const options = { location: vscode.ProgressLocation.Notification, cancellable: true, title };
  return vscode.window.withProgress(options, (progress, cancel) => {
    const controller = new AbortController();
    cancel.onCancellationRequested(() => controller.abort());
    return work(controller.signal, (told) => progress.report(told));
  });
}
