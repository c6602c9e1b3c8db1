import * as vscode from 'vscode';
import { TrackerError } from '../../core/errors.ts';
import type { Account } from '../../host/accounts/account.ts';
import type { App } from '../../host/app.ts';
import type { ProjectEntry } from '../../host/projects/projectList.ts';
import { isNamed, orderedProjects, projectReference } from '../../host/projects/projectOrder.ts';
import { isPlainObject } from '../../host/shell/commands.ts';
import { askedProject, projectItem } from '../../host/story/askedProject.ts';
import { projectWishes, wishProject, writeWishes } from '../../host/story/projectWishes.ts';

type Needs = Pick<App, 'backlogs' | 'messages'>;

/** Hides a project in the tree, everywhere or, where the workspace has a list of its own, in this workspace. */
export async function hideProject(needs: Needs, argument: unknown): Promise<void> {
  const entry = await askedProject(needs.backlogs, argument, { placeHolder: vscode.l10n.t('Hide which project?') });
  if (!entry) return;
  const isHere = isNamed(entry, projectWishes().workspace);
  const hide = (isWanted: boolean) => wishProject('hidden', entry, { isWanted, isHere });
  await hide(true);
  if (isPlainObject(argument)) return;
  const undo = vscode.l10n.t('Undo');
  void needs.messages.info(vscode.l10n.t('Project {0} is hidden.', entry.project.name), undo).then(async (answer) => {
    if (answer === undo) await hide(false);
  });
}

/** Puts a project above the others. */
export async function pinProject(needs: Needs, argument: unknown): Promise<void> {
  const entry = await askedProject(needs.backlogs, argument, { placeHolder: vscode.l10n.t('Pin which project?') });
  if (entry) await wishProject('pinned', entry, { isWanted: true });
}

export async function unpinProject(needs: Needs, argument: unknown): Promise<void> {
  const isPinned = (entry: ProjectEntry) => isNamed(entry, projectWishes().pinned);
  const entry = await askedProject(needs.backlogs, argument, {
    placeHolder: vscode.l10n.t('Unpin which project?'),
    isOffered: isPinned,
    noneOffered: vscode.l10n.t('No project is pinned.'),
  });
  if (entry) await wishProject('pinned', entry, { isWanted: false });
}

/** Binds the workspace to the projects that are picked; to none in particular when all are, or none. */
export async function chooseWorkspaceProjects({ backlogs }: Needs): Promise<void> {
  const entries = await backlogs.requireProjects();
  if (!vscode.workspace.name) {
    throw new TrackerError('input', vscode.l10n.t('Open a folder or workspace to choose its projects.'));
  }
  const { shown } = orderedProjects(entries, projectWishes());
  const items = entries.map((entry) => ({ ...projectItem(entry), picked: shown.includes(entry) }));
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Projects of This Workspace'),
    placeHolder: vscode.l10n.t('Projects to show while this workspace is open'),
    canPickMany: true,
  });
  if (!picked) return;
  const isAll = picked.length === entries.length;
  await writeWishes('workspace', isAll ? [] : picked.map(({ entry }) => projectReference(entry)));
  for (const { entry } of picked) await showAgain(entry, { isBound: !isAll });
}

/** A workspace that is about some projects shows them unless they are hidden there. */
async function showAgain(entry: ProjectEntry, { isBound }: { readonly isBound: boolean }): Promise<void> {
  const { hidden, hiddenHere } = projectWishes();
  if (isNamed(entry, isBound ? hiddenHere : hidden)) await wishProject('hidden', entry, { isWanted: false });
}

/** Shows projects again that are hidden; where none is, those that are not of this workspace. */
export async function showHiddenProjects({ backlogs }: Needs): Promise<void> {
  const entries = await backlogs.requireProjects();
  const projects = orderedProjects(entries, projectWishes());
  const others = projects.hidden.length > 0 ? projects.hidden : projects.others;
  if (others.length === 0) throw new TrackerError('notFound', vscode.l10n.t('All projects are shown.'));
  const picked = await vscode.window.showQuickPick(others.map(projectItem), {
    title: vscode.l10n.t('Show Hidden Projects'),
    placeHolder: vscode.l10n.t('Projects to show again'),
    canPickMany: true,
  });
  for (const { entry } of picked ?? []) {
    const { workspace } = projectWishes();
    const isBound = entries.some((one) => isNamed(one, workspace));
    await showAgain(entry, { isBound });
    if (isBound && !isNamed(entry, workspace)) await wishProject('workspace', entry, { isWanted: true });
  }
}

type ProjectNeeds = Pick<App, 'accounts' | 'backlogs' | 'messages'>;

/** Asks for a name and creates a project that the person owns (api-v3.md, Endpoints, rule 3). */
export async function newProject({ accounts, backlogs, messages }: ProjectNeeds): Promise<void> {
  await accounts.requireAny();
  const account = await pickAccount(await accounts.list());
  const name = account && (await askProjectName(account));
  if (!name) return;
  await accounts.tracker(account.id).createProject({ name: name.trim() });
  await backlogs.refresh();
  messages.status(vscode.l10n.t('Created project {0}.', name.trim()));
}

async function pickAccount(all: readonly Account[]): Promise<Account | undefined> {
  if (all.length === 1) return all[0];
  const items = all.map((account) => ({ label: account.label, account }));
  const placeHolder = vscode.l10n.t('Where do you want to create the project?');
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.account;
}

function askProjectName({ label }: Account): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: vscode.l10n.t('New Project on {0}', label),
    prompt: vscode.l10n.t('Project name'),
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === '' ? vscode.l10n.t('Enter a project name.') : undefined),
  });
}
