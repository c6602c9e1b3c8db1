import * as vscode from 'vscode';
import type { Log } from '../core/log.ts';
import type { Accounts } from './accounts/accounts.ts';
import { replicaAccount } from './accounts/replicaAccount.ts';
import { Backlogs } from './projects/backlogs.ts';

/** The backlogs of these accounts' projects, with the settings and in the language of VS Code. */
export function createBacklogs(accounts: Accounts, log: Log): Backlogs {
  const texts = {
    noProject: vscode.l10n.t('You have no project yet. Run "Story Tracker: New Project…".'),
    goneProject: vscode.l10n.t('This project is no longer there.'),
    unsentStory: vscode.l10n.t('A story that its server does not have yet cannot be changed.'),
    signedOut: vscode.l10n.t('Nobody is signed in to this server.'),
  };
  return new Backlogs({ accounts, replicaAccount, log, texts });
}
