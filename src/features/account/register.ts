import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import type { App } from '../../host/app.ts';
import { setContext } from '../../host/shell/commands.ts';
import { builtInSettings } from '../../host/shell/settings.ts';
import { builtInAccount, Sessions } from './sessions.ts';
import type { BuiltInNeeds } from './useBuiltIn.ts';

type Needs = BuiltInNeeds & Pick<App, 'backlogs' | 'commands' | 'log' | 'messages'>;

/** Signing in and out, checking the way to a server, and VS Code's Accounts menu. */
export function register(needs: Needs): vscode.Disposable {
  const load = () => import('./commands.ts');
  const { accounts, commands, log } = needs;
  const signIn = async (argument: unknown) => (await load()).signIn(needs, argument);
  const signOutOf = async (accountId: string) => (await load()).signOutOf(needs, accountId);
  const sessions = new Sessions(accounts, () => signIn(undefined), signOutOf);
  const tell = () => tellWhoIsSignedIn(needs).catch((thrown: unknown) => log.error(String(thrown)));
  void signInByItself(needs).then(tell, tell);
  return vscode.Disposable.from(
    sessions,
    vscode.authentication.registerAuthenticationProvider('storyTracker', 'Story Tracker', sessions, {
      supportsMultipleAccounts: true,
    }),
    accounts.onDidChange(tell),
    commands.command(commandIds.signIn, async (argument) => void (await signIn(argument))),
    commands.command(commandIds.signOut, async (argument) => (await load()).signOut(needs, argument)),
    commands.command(commandIds.checkConnection, async (argument) => (await load()).checkConnection(needs, argument)),
  );
}

/** Signs in to the built-in service when the settings say so and nobody is signed in; the service starts on first use. */
async function signInByItself({ accounts }: Needs): Promise<void> {
  if (!builtInSettings().automaticSignIn || (await accounts.list()).length > 0) return;
  await accounts.add(builtInAccount());
}

async function tellWhoIsSignedIn({ accounts }: Needs): Promise<void> {
  await setContext('storyTracker.isForgotten', await accounts.isForgotten());
  const all = await accounts.list();
  await setContext(
    'storyTracker.hasBuiltIn',
    all.some(({ kind }) => kind === 'builtIn'),
  );
  await setContext('storyTracker.signedIn', all.length > 0);
  await setContext('storyTracker.accountsKnown', true);
}
