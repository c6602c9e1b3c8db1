import { arch, platform, release } from 'node:os';
import * as vscode from 'vscode';
import type { Replica } from '../../core/replica/replica.ts';
import { replicaAccount } from '../../host/accounts/accounts.ts';
import type { App } from '../../host/app.ts';
import type { ProjectEntry } from '../../host/projects/projectList.ts';
import { openAddress } from '../../host/shell/messages.ts';
import type { RememberingLog } from '../../host/shell/rememberingLog.ts';
import {
  type DeclaredSetting,
  type DiagnosticFacts,
  diagnosticsText,
  issueAddress,
  issueText,
  type ProjectCopy,
} from './diagnosticsText.ts';

export type DiagnosticNeeds = Pick<App, 'accounts' | 'backlogs' | 'engine' | 'git' | 'messages'>;
type Extension = vscode.Extension<unknown>;

/** Copies what a report of a fault needs. Asks no server. */
export async function copyDiagnostics(
  needs: DiagnosticNeeds,
  log: RememberingLog,
  extension: Extension,
): Promise<void> {
  await vscode.env.clipboard.writeText(diagnosticsText(await factsOf(needs, log, extension)));
  needs.messages.status(vscode.l10n.t('Copied the diagnostics. They contain no names, addresses, paths or tokens.'));
}

const REPORTER = 'workbench.action.openIssueReporter';

/**
 * Opens a report with the diagnostics in it: in VS Code's own issue reporter, which needs to know where issues go; else it is copied,
 * and the page for issues opened where the package names one.
 */
export async function reportIssue(needs: DiagnosticNeeds, log: RememberingLog, extension: Extension): Promise<void> {
  const done = vscode.l10n.t('What I did');
  const expected = vscode.l10n.t('What I expected, and what happened instead');
  const text = issueText({ done, expected }, diagnosticsText(await factsOf(needs, log, extension)));
  const address = issueAddress(extension.packageJSON);
  if (address !== undefined && (await vscode.commands.getCommands(true)).includes(REPORTER)) {
    await vscode.commands.executeCommand(REPORTER, { extensionId: extension.id, issueBody: text });
    return;
  }
  await vscode.env.clipboard.writeText(text);
  if (address === undefined) {
    void needs.messages.info(
      vscode.l10n.t(
        'Copied a report to fill in. This version names no page for issues: send it to whoever gave you the extension.',
      ),
    );
    return;
  }
  needs.messages.status(vscode.l10n.t('Copied a report to fill in. Paste it into the page.'));
  await openAddress(address);
}

async function factsOf(needs: DiagnosticNeeds, log: RememberingLog, extension: Extension): Promise<DiagnosticFacts> {
  const { accounts, backlogs, engine, git } = needs;
  const gitExtension = vscode.extensions.getExtension('vscode.git');
  const declaredSettings = declaredBy(extension.packageJSON);
  return {
    now: Date.now(),
    versions: { extension: extension.packageJSON.version, vscode: vscode.version, node: process.versions.node },
    system: { platform: platform(), arch: arch(), release: release() },
    language: vscode.env.language,
    isWeb: vscode.env.uiKind === vscode.UIKind.Web,
    remoteName: vscode.env.remoteName,
    isTrusted: vscode.workspace.isTrusted,
    rootSchemes: (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.scheme),
    git: {
      version: gitExtension?.packageJSON.version,
      isActive: gitExtension?.isActive === true,
      repositories: gitExtension?.isActive ? (await git.repositories()).length : 0,
    },
    accounts: await accounts.list().catch(() => []),
    projects: await projectCopies(engine.replica, await backlogs.knownProjects().catch(() => [])),
    failures: backlogs.failures,
    unsent: await accounts.outbox.entries().catch(() => []),
    declaredSettings,
    settings: Object.fromEntries(
      Object.keys(declaredSettings).map((name) => [name, vscode.workspace.getConfiguration().get(name)]),
    ),
    problems: log.problems,
    translations: vscode.l10n.bundle ?? {},
  };
}

/** One after the other, in portions: they may be long. */
async function projectCopies(replica: Replica, entries: readonly ProjectEntry[]): Promise<readonly ProjectCopy[]> {
  const copies: ProjectCopy[] = [];
  for (const { account, key } of entries) {
    let stories = 0;
    const project = { ...replicaAccount(account), projectId: key.projectId };
    const onStories = (portion: readonly unknown[]) => {
      stories += portion.length;
    };
    const read = await replica.backlog(project, { onStories, onLists: () => undefined }).catch(() => undefined);
    copies.push({
      account,
      projectId: key.projectId,
      ...(read && { copy: { stories: stories + read.stories.length, readAt: read.readAt } }),
    });
  }
  return copies;
}

/** The settings that `package.json` declares. */
function declaredBy(manifest: {
  readonly contributes?: {
    readonly configuration?: { readonly properties?: Readonly<Record<string, DeclaredSetting>> };
  };
}): Readonly<Record<string, DeclaredSetting>> {
  return manifest.contributes?.configuration?.properties ?? {};
}
