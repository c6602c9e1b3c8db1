import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import type { Account } from '../../host/accounts/account.ts';
import type { App } from '../../host/app.ts';
import { builtInAccount } from './sessions.ts';

type Needs = Pick<App, 'accounts' | 'engine'>;

export interface BuiltInNeeds extends Needs {
  readonly service: {
    /** Makes the demo project in the data of the built-in service, once. */
    addDemoProject(): Promise<void>;
  };
}

/** Signs in to the built-in service. */
export async function signInBuiltIn(needs: Needs): Promise<Account> {
  await builtInProjects(needs);
  return addAccount(needs);
}

/**
 * The same for a person, who chooses what to begin with where there is no project yet: that is made before the view shows what there
 * is. Who turns away from the choice is signed in without a project.
 */
export async function useBuiltIn(needs: BuiltInNeeds): Promise<Account> {
  const projects = await withProgress(() => builtInProjects(needs));
  const first = projects.length === 0 ? await askFirstProject(needs) : undefined;
  const account = await withProgress(async () => {
    await first?.make?.();
    return addAccount(needs);
  });
  if (first?.isImport) void vscode.commands.executeCommand(commandIds.importStories);
  return account;
}

async function addAccount({ accounts }: Needs): Promise<Account> {
  const account = builtInAccount();
  await accounts.add(account);
  return account;
}

async function builtInProjects({ accounts, engine }: Needs) {
  return engine.trial(await accounts.builtInAccess(), (tracker) => tracker.listProjects());
}

/** What a person chose to begin with. */
interface First {
  readonly make?: () => Promise<unknown>;
  /** Whether that comes from a file, which is asked for by whom the service knows already. */
  readonly isImport?: true;
}

async function askFirstProject(needs: BuiltInNeeds): Promise<First | undefined> {
  const items: readonly (vscode.QuickPickItem & { readonly choose: () => Promise<First | undefined> })[] = [
    {
      label: vscode.l10n.t('$(beaker) Demo Project'),
      detail: vscode.l10n.t('With stories, iterations and people to try things out.'),
      choose: async () => ({ make: () => needs.service.addDemoProject() }),
    },
    {
      label: vscode.l10n.t('$(project) Empty Project…'),
      detail: vscode.l10n.t('With the name that you enter, and no stories.'),
      choose: () => askEmptyProject(needs),
    },
    {
      label: vscode.l10n.t('$(cloud-upload) Import Stories…'),
      detail: vscode.l10n.t('From a CSV or XML file, with their attached files if you have them.'),
      choose: async () => ({ isImport: true }),
    },
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Use the Built-in Service'),
    placeHolder: vscode.l10n.t('What do you want to start with?'),
    ignoreFocusOut: true,
  });
  return picked?.choose();
}

async function askEmptyProject({ accounts, engine }: Needs): Promise<First | undefined> {
  const typed = await vscode.window.showInputBox({
    title: vscode.l10n.t('Empty Project'),
    prompt: vscode.l10n.t('Project name'),
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === '' ? vscode.l10n.t('Enter a project name.') : undefined),
  });
  const name = typed?.trim();
  if (!name) return undefined;
  const make = async () => engine.trial(await accounts.builtInAccess(), (tracker) => tracker.createProject({ name }));
  return { make };
}

function withProgress<T>(run: () => Promise<T>): Thenable<T> {
  return vscode.window.withProgress({ location: { viewId: 'storyTracker.stories' } }, run);
}
