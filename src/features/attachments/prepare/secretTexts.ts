import * as vscode from 'vscode';
import type { SecretFinding, SecretKind } from '../../../core/ports/secretLines.ts';

/** "private key in line 3 (-----BEGIN PRIVATE KEY-----…)". */
export function secretText({ kind, line, masked }: SecretFinding): string {
  const what = kindText(kind);
  if (line === undefined) return what;
  return vscode.l10n.t('{0} in line {1} ({2})', what, line, masked ?? '');
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
    secretFile: vscode.l10n.t('files of this name hold secrets'),
  };
  return texts[kind];
}
