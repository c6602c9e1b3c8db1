import * as vscode from 'vscode';
import type { Log } from '../core/log.ts';
import type { Accounts } from './accounts/accounts.ts';
import { replicaAccount } from './accounts/replicaAccount.ts';
import { Backlogs } from './projects/backlogs.ts';

/** The backlogs of these accounts' projects, with the settings and in the language of VS Code. */
export function createBacklogs(accounts: Accounts, log: Log): Backlogs {
  const texts = {
    noProject: vscode.l10n.t('You have no projects yet. Run "Story Tracker: New Project…".'),
    goneProject: vscode.l10n.t('This project no longer exists.'),
    unsentStory: vscode.l10n.t('This story cannot be changed until it has been sent to the server.'),
    signedOut: vscode.l10n.t('You are not signed in to this server.'),
  };
  return new Backlogs({ accounts, replicaAccount, log, texts });
}
