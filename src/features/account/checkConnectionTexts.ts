import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import type { CheckStep, CheckStepName } from '../../core/ports/connection.ts';
import type { Messages } from '../../host/shell/messages.ts';

/** What a step is called. */
export function stepTitle(name: CheckStepName): string {
  const titles: Readonly<Record<CheckStepName, string>> = {
    address: vscode.l10n.t('address'),
    dns: vscode.l10n.t('name (DNS)'),
    tcp: vscode.l10n.t('port (TCP)'),
    proxy: vscode.l10n.t('proxy'),
    tls: vscode.l10n.t('certificate (TLS)'),
    token: vscode.l10n.t('token'),
    projects: vscode.l10n.t('projects'),
  };
  return titles[name];
}

/** A line for the log. */
export function outcomeText({ name, outcome, detail }: CheckStep): string {
  const title = stepTitle(name);
  if (outcome === 'passed') return vscode.l10n.t('{0}: passed. {1}', title, detail);
  return outcome === 'skipped'
    ? vscode.l10n.t('{0}: not checked. {1}', title, detail)
    : vscode.l10n.t('{0}: failed. {1}', title, detail);
}

/** One message: that all is well, or the step that failed with what mends it. */
export async function tellOutcome(messages: Messages, label: string, steps: readonly CheckStep[]): Promise<void> {
  const showLog = vscode.l10n.t('Show Log');
  const last = steps.at(-1);
  if (last?.outcome !== 'failed') {
    const text = vscode.l10n.t('The connection to {0} works. {1}', label, last?.detail ?? '');
    if ((await messages.info(text, showLog)) === showLog) messages.openLog();
    return;
  }
  const mend = mendOf(last);
  const chosen = await messages.offer(failureText(label, last), ...(mend ? [mend.label] : []), showLog);
  if (chosen === showLog) messages.openLog();
  else if (chosen !== undefined) await mend?.run();
}

function failureText(label: string, { name, detail, mend }: CheckStep): string {
  const text = vscode.l10n.t('The connection to {0} fails at this step: {1}. {2}', label, stepTitle(name), detail);
  if (mend === undefined || mend === 'signIn' || detail.includes(mend)) return text;
  return `${text} ${vscode.l10n.t('See the setting {0}.', mend)}`;
}

function mendOf({ mend }: CheckStep) {
  if (mend === undefined) return undefined;
  if (mend === 'signIn') {
    return { label: vscode.l10n.t('Sign In…'), run: () => vscode.commands.executeCommand(commandIds.signIn) };
  }
  const open = () => vscode.commands.executeCommand('workbench.action.openSettings', `@id:${mend}`);
  return { label: vscode.l10n.t('Open Setting'), run: open };
}
