import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import { TrackerError } from '../../core/errors.ts';
import type { Access } from '../../core/ports/connection.ts';
import { type CheckStep, type CheckStepName, checkStepNames } from '../../core/ports/connection.ts';
import type { Account } from '../../host/accounts/account.ts';
import type { App } from '../../host/app.ts';
import { isPlainObject } from '../../host/shell/commands.ts';
import { askPassphrase, askText } from './askText.ts';
import { isNamed, serverAddressOf } from './serverAddress.ts';

type Needs = Pick<App, 'accounts' | 'engine' | 'log' | 'messages'>;

interface CheckedServer {
  readonly label: string;
  readonly access: () => Promise<Pick<Access, 'baseUrl'> & Partial<Access>>;
}

/**
 * Walks from the address of a server to its projects and tells the first step that fails, with what mends it; the log has all of
 * them. Called with an account, as for signing out, or with the address of another server, it gives the steps and tells nothing.
 * `undefined` when the person turned away.
 */
export async function checkConnection(needs: Needs, argument: unknown): Promise<readonly CheckStep[] | undefined> {
  const byProgram = isPlainObject(argument);
  const server = byProgram ? await serverNamed(needs, argument) : await serverAsked(needs);
  if (!server) return undefined;
  const steps = await walked(needs, server);
  for (const step of steps) needs.log.info(`${server.label}: ${outcomeText(step)}`);
  if (!byProgram) void tellOutcome(needs, server, steps);
  return steps;
}

function walked({ engine }: Needs, { label, access }: CheckedServer): Promise<readonly CheckStep[]> {
  const title = vscode.l10n.t('Checking the connection to {0}', label);
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return Promise.resolve(
    vscode.window.withProgress(options, async (progress, cancelling) => {
      const controller = new AbortController();
      // Whoever cancels does not wait for what cannot be aborted, such as a service that is just starting.
      const cancelled = new Promise<never>((_resolve, reject) => {
        cancelling.onCancellationRequested(() => {
          controller.abort();
          reject(new TrackerError('cancelled', vscode.l10n.t('Canceled.')));
        });
      });
      const onStep = ({ name }: CheckStep) => {
        const next = checkStepNames[checkStepNames.indexOf(name) + 1];
        if (next) progress.report({ message: stepTitle(next) });
      };
      const walking = async () => engine.checkConnection(await access(), { onStep, signal: controller.signal });
      return Promise.race([walking(), cancelled]);
    }),
  );
}

async function serverNamed(needs: Needs, argument: Readonly<Record<string, unknown>>): Promise<CheckedServer> {
  const account = (await needs.accounts.list()).find((each) => isNamed(each, argument));
  if (account) return serverOf(needs, account);
  const { baseUrl } = argument;
  if (typeof baseUrl === 'string') return { label: baseUrl, access: async () => ({ baseUrl }) };
  throw new TrackerError(
    'input',
    vscode.l10n.t('Pass nothing, { builtIn: true } or { baseUrl } to check a connection.'),
  );
}

async function serverAsked(needs: Needs): Promise<CheckedServer | undefined> {
  const servers = (await needs.accounts.list()).map((account) => serverOf(needs, account));
  if (servers.length <= 1) return servers[0] ?? askServer();
  const another = { label: vscode.l10n.t('$(globe) Another Address…'), server: undefined };
  const items = [...servers.map((server) => ({ label: server.label, server })), another];
  const placeHolder = vscode.l10n.t('Check which server?');
  const picked = await vscode.window.showQuickPick(items, { placeHolder });
  return picked && (picked.server ?? askServer());
}

/** For those who cannot sign in because they do not get through. */
async function askServer(): Promise<CheckedServer | undefined> {
  const answer = await askText<CheckedServer>({
    title: vscode.l10n.t('Check Connection'),
    prompt: vscode.l10n.t('Server address, including the port and path if it has them'),
    placeholder: 'https://tracker.example.com',
    accept: async (typed) => {
      const address = serverAddressOf(typed);
      if (address) return { label: address.name, access: async () => ({ baseUrl: address.baseUrl }) };
      throw new TrackerError('input', vscode.l10n.t('Enter an address like https://tracker.example.com.'));
    },
  });
  return answer?.kind === 'accepted' ? answer.value : undefined;
}

function serverOf({ accounts }: Needs, { id, label }: Account): CheckedServer {
  return { label, access: () => accounts.access(id) };
}

/** What a step is called. */
function stepTitle(name: CheckStepName): string {
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
function outcomeText({ name, outcome, detail }: CheckStep): string {
  const title = stepTitle(name);
  if (outcome === 'passed') return vscode.l10n.t('{0}: passed. {1}', title, detail);
  return outcome === 'skipped'
    ? vscode.l10n.t('{0}: not checked. {1}', title, detail)
    : vscode.l10n.t('{0}: failed. {1}', title, detail);
}

/** One message: that all is well, or the step that failed with what mends it. */
async function tellOutcome(needs: Needs, server: CheckedServer, steps: readonly CheckStep[]): Promise<void> {
  const { messages } = needs;
  const { label } = server;
  const showLog = vscode.l10n.t('Show Log');
  const last = steps.at(-1);
  if (last?.outcome !== 'failed') {
    const text = vscode.l10n.t('The connection to {0} works. {1}', label, last?.detail ?? '');
    if ((await messages.info(text, showLog)) === showLog) messages.openLog();
    return;
  }
  const mend = mendOf(needs, server, last);
  const chosen = await messages.offer(failureText(label, last), ...(mend ? [mend.label] : []), showLog);
  if (chosen === showLog) messages.openLog();
  else if (chosen !== undefined) await mend?.run();
}

function failureText(label: string, { name, detail, mend }: CheckStep): string {
  const text = vscode.l10n.t('The connection to {0} failed at this step: {1}. {2}', label, stepTitle(name), detail);
  if (mend === undefined || mend === 'signIn' || mend === 'passphrase' || detail.includes(mend)) return text;
  return `${text} ${vscode.l10n.t('See the setting {0}.', mend)}`;
}

function mendOf(needs: Needs, { access }: CheckedServer, { mend }: CheckStep) {
  if (mend === undefined) return undefined;
  if (mend === 'passphrase') {
    const run = async () => void (await askPassphrase(needs, (await access()).baseUrl));
    return { label: vscode.l10n.t('Enter Passphrase…'), run };
  }
  if (mend === 'signIn') {
    return { label: vscode.l10n.t('Sign In…'), run: () => vscode.commands.executeCommand(commandIds.signIn) };
  }
  const open = () => vscode.commands.executeCommand('workbench.action.openSettings', `@id:${mend}`);
  return { label: vscode.l10n.t('Open Setting'), run: open };
}
