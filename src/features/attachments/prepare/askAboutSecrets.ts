import * as vscode from 'vscode';
import type { SecretFinding } from '../../../core/ports/secretLines.ts';
import type { Messages } from '../../../host/shell/messages.ts';
import { withoutIcons } from '../../../host/shell/plainText.ts';
import type { Ready } from './candidate.ts';
import { secretText } from './secretTexts.ts';

export interface Suspect {
  readonly file: Ready;
  readonly findings: readonly SecretFinding[];
}

/** Which of the suspects to attach all the same; `undefined`: nothing is to be attached at all. */
export async function askAboutSecrets(
  messages: Messages,
  suspects: readonly Suspect[],
): Promise<readonly Suspect[] | undefined> {
  const [only, ...others] = suspects;
  return only && others.length === 0 ? askAboutOne(messages, only) : askAboutSeveral(suspects);
}

async function askAboutOne(messages: Messages, suspect: Suspect): Promise<readonly Suspect[] | undefined> {
  const attach = vscode.l10n.t('Attach Anyway');
  const leaveOut = vscode.l10n.t('Leave Out');
  const question = vscode.l10n.t('“{0}” seems to hold a secret.', suspect.file.filename);
  const detail = [...suspect.findings.map(secretText), '', everybody()].join('\n');
  const answer = await messages.ask(question, detail, leaveOut, attach);
  if (answer === attach) return [suspect];
  return answer === leaveOut ? [] : undefined;
}

async function askAboutSeveral(suspects: readonly Suspect[]): Promise<readonly Suspect[] | undefined> {
  const items = suspects.map((suspect) => ({
    label: withoutIcons(suspect.file.filename),
    detail: withoutIcons(suspect.findings.map(secretText).join(' · ')),
    suspect,
  }));
  const title = vscode.l10n.t('{0} files seem to hold secrets. {1}', suspects.length, everybody());
  const placeHolder = vscode.l10n.t('Tick those to attach anyway; the others are left out');
  const chosen = await vscode.window.showQuickPick(items, {
    ...{ title, placeHolder, canPickMany: true, ignoreFocusOut: true },
  });
  return chosen?.map(({ suspect }) => suspect);
}

function everybody(): string {
  return vscode.l10n.t('Everybody who sees the story can read its attachments.');
}
