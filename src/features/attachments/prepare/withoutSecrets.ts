import * as vscode from 'vscode';
import type { OutgoingFiles } from '../../../core/ports/outgoingFiles.ts';
import type { SecretFinding, SecretKind } from '../../../core/ports/secretLines.ts';
import type { Caller } from '../../../host/shell/commands.ts';
import type { Messages } from '../../../host/shell/messages.ts';
import { withoutIcons } from '../../../host/shell/plainText.ts';
import { withDelayedProgress } from '../send/withDelayedProgress.ts';
import { oddity, type Prepared, type PrepareNeeds, type Ready, type Wishes } from './candidate.ts';

/** A person is asked about files that seem to hold secrets; for a program they are left out unless it wishes them. */
export async function withoutSecrets(
  { messages, outgoing }: PrepareNeeds,
  now: Prepared,
  caller: Caller,
  wishes: Wishes,
): Promise<Prepared | undefined> {
  if (wishes.evenSecrets) return now;
  const { files, leftOut } = now;
  const isNew = ({ file, findings }: Suspect) => !wishes.allowed?.has(oddity(file, findings));
  const suspects = (await suspectsAmong(outgoing, files)).filter(isNew);
  if (suspects.length === 0) return now;
  const chosen = caller === 'person' ? await askAboutSecrets(messages, suspects) : [];
  if (!chosen) return undefined;
  const out = suspects.filter((one) => !chosen.includes(one));
  const sentences = out.map(({ file, findings }) =>
    vscode.l10n.t('“{0}” may contain a secret: {1}.', file.filename, findings.map(secretText).join(', ')),
  );
  return {
    ...now,
    files: files.filter((file) => !out.some((suspect) => suspect.file === file)),
    leftOut: caller === 'program' ? [...leftOut, ...sentences] : leftOut,
    allowed: new Set([...now.allowed, ...chosen.map(({ file, findings }) => oddity(file, findings))]),
  };
}

async function suspectsAmong(outgoing: OutgoingFiles, files: readonly Ready[]): Promise<readonly Suspect[]> {
  const suspects: Suspect[] = [];
  await withDelayedProgress(vscode.l10n.t('Looking for secrets…'), async (signal) => {
    for (const file of files) {
      // A file that has gone in the meantime is told of when it is sent.
      const source = await file.open().catch(() => undefined);
      const findings = source ? await outgoing.secretsIn({ ...source, filename: file.filename }, { signal }) : [];
      if (findings.length > 0) suspects.push({ file, findings });
    }
  });
  return suspects;
}

interface Suspect {
  readonly file: Ready;
  readonly findings: readonly SecretFinding[];
}

/** Which of the suspects to attach all the same; `undefined`: nothing is to be attached at all. */
async function askAboutSecrets(
  messages: Messages,
  suspects: readonly Suspect[],
): Promise<readonly Suspect[] | undefined> {
  const [only, ...others] = suspects;
  return only && others.length === 0 ? askAboutOne(messages, only) : askAboutSeveral(suspects);
}

async function askAboutOne(messages: Messages, suspect: Suspect): Promise<readonly Suspect[] | undefined> {
  const attach = vscode.l10n.t('Attach Anyway');
  const leaveOut = vscode.l10n.t('Leave Out');
  const question = vscode.l10n.t('“{0}” may contain a secret.', suspect.file.filename);
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
  const title = vscode.l10n.t('{0} files may contain secrets. {1}', suspects.length, everybody());
  const placeHolder = vscode.l10n.t('Select the files to attach anyway. The others are left out.');
  const chosen = await vscode.window.showQuickPick(items, {
    ...{ title, placeHolder, canPickMany: true, ignoreFocusOut: true },
  });
  return chosen?.map(({ suspect }) => suspect);
}

function everybody(): string {
  return vscode.l10n.t('Everyone who can see the story can read its attachments.');
}

/** "private key in line 3 (-----BEGIN PRIVATE KEY-----…)". */
function secretText({ kind, line, masked }: SecretFinding): string {
  const what = kindText(kind);
  if (line === undefined) return what;
  return vscode.l10n.t('{0} on line {1} ({2})', what, line, masked ?? '');
}

function kindText(kind: SecretKind): string {
  const texts: Readonly<Record<SecretKind, string>> = {
    privateKey: vscode.l10n.t('private key'),
    awsKey: vscode.l10n.t('AWS key'),
    githubToken: vscode.l10n.t('GitHub token'),
    gitlabToken: vscode.l10n.t('GitLab token'),
    slackToken: vscode.l10n.t('Slack token or hook'),
    npmToken: vscode.l10n.t('npm token'),
    pypiToken: vscode.l10n.t('PyPI token'),
    googleKey: vscode.l10n.t('Google API key'),
    stripeKey: vscode.l10n.t('Stripe key'),
    jwt: vscode.l10n.t('signed web token (JWT)'),
    trackerToken: vscode.l10n.t('API token of a tracking service'),
    secretFile: vscode.l10n.t('files with this name contain secrets'),
  };
  return texts[kind];
}
