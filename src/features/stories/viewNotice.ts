import * as vscode from 'vscode';
import { messageOf } from '../../core/errors.ts';
import type { Account } from '../../host/accounts.ts';
import type { Backlogs } from '../../host/backlogs.ts';

export interface ViewNotice {
  /** Above the rows: why they are not the newest. */
  readonly message: string | undefined;
  /** Beside the view's title. */
  readonly description: string | undefined;
}

/** What the view says about how new its rows are. */
export function viewNotice({ failures, readAt }: Backlogs, accounts: readonly Account[]): ViewNotice {
  const sentences = failures.map(({ account, error }) =>
    accounts.length > 1 ? `${account.label}: ${messageOf(error)}` : messageOf(error),
  );
  const age = readAt === undefined || accounts.length === 0 ? undefined : vscode.l10n.t('as of {0}', clock(readAt));
  // VS Code leaves the description out while this is the only view of its container.
  const shown = age === undefined || failures.length < accounts.length ? [] : [vscode.l10n.t('Shown {0}.', age)];
  return {
    message: sentences.length > 0 ? [...new Set(sentences), ...shown].join('\n') : undefined,
    description: age,
  };
}

function clock(time: number): string {
  return new Intl.DateTimeFormat(vscode.env.language, { hour: '2-digit', minute: '2-digit' }).format(time);
}
