import * as vscode from 'vscode';
import { storyTypes } from '../../../core/backlog/workflow.ts';
import { isSameProject } from '../../../core/story/projectKey.ts';
import type { Account } from '../../../host/accounts/account.ts';
import type { App } from '../../../host/app.ts';
import type { ProjectEntry } from '../../../host/projects/projectList.ts';
import { withoutIcons } from '../../../host/shell/plainText.ts';
import { iconOfType } from '../../../host/story/storyLabel.ts';
import { submitIntents } from '../../../host/story/submitIntents.ts';
import { IterationNode, ProjectNode, StoryNode } from '../../../host/tree/nodes.ts';

type Needs = Pick<App, 'backlogs' | 'messages' | 'storiesView' | 'workspaceMemory'>;

/** What was typed and is not safe yet. */
const DRAFT = 'storyTracker.draft.newStory';

/**
 * Asks for name and type and puts the story where it was asked from: a scheduled group, else the icebox. Without its server
 * it waits in the outbox; a name that is refused, or given no type, is offered again.
 */
export async function newStory(needs: Needs, from: unknown): Promise<void> {
  const { storiesView, workspaceMemory } = needs;
  const entry = await projectFor(needs, from ?? storiesView.selection()[0]);
  const name = entry && (await askName(entry.project.name, workspaceMemory.get<string>(DRAFT)));
  if (!name) return;
  await workspaceMemory.update(DRAFT, name);
  const type = await askType();
  if (!type) return;
  const { key } = entry;
  const intent = { kind: 'newStory', storyId: pendingId(), story: { name, type, state: stateFor(from) } } as const;
  const { created, waiting } = await submitIntents(needs, key, [intent]);
  await workspaceMemory.update(DRAFT, undefined);
  const [id] = waiting ? [intent.storyId] : (created ?? []);
  if (id === undefined) return;
  await storiesView.reveal(id, key.projectId, { focus: true, accountId: key.accountId });
  if (!waiting) needs.messages.status(vscode.l10n.t('Created story #{0}.', id));
}

/** Any that no other new story of these days has. */
function pendingId(): number {
  return -1 - Math.floor(Math.random() * 2 ** 48);
}

async function projectFor({ backlogs }: Needs, from: unknown): Promise<ProjectEntry | undefined> {
  const isNode = from instanceof ProjectNode || from instanceof IterationNode || from instanceof StoryNode;
  const entries = await backlogs.requireProjects();
  const asked = isNode ? entries.find(({ key }) => isSameProject(key, from.key)) : undefined;
  return asked ?? pickProject(entries, vscode.l10n.t('Create the story in which project?'));
}

function stateFor(from: unknown): string {
  const isScheduled = from instanceof IterationNode && (from.group === 'current' || from.group === 'backlog');
  return isScheduled ? 'unstarted' : 'unscheduled';
}

function askName(project: string, value = ''): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: vscode.l10n.t('New Story in {0}', project),
    prompt: vscode.l10n.t('What should be possible, or what is wrong?'),
    value,
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === '' ? vscode.l10n.t('Enter a story name.') : undefined),
  });
}

async function askType(): Promise<string | undefined> {
  const items = storyTypes.map((type) => ({ label: `$(${iconOfType(type)}) ${type}`, type }));
  const placeHolder = vscode.l10n.t('Story type');
  return (await vscode.window.showQuickPick(items, { placeHolder, ignoreFocusOut: true }))?.type;
}

/** The only project, or the one picked. `undefined` when the person turned away. */
async function pickProject(entries: readonly ProjectEntry[], placeHolder: string): Promise<ProjectEntry | undefined> {
  if (entries.length === 1) return entries[0];
  const items = entries.map((entry) => ({
    label: withoutIcons(entry.project.name),
    description: withoutIcons(entry.account.label),
    entry,
  }));
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.entry;
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
