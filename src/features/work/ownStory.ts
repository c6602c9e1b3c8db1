import * as vscode from 'vscode';
import { TrackerError } from '../../core/errors.ts';
import type { Membership } from '../../core/story/project.ts';
import type { ProjectKey } from '../../core/story/projectKey.ts';
import { folded } from '../../core/text.ts';
import { ownNames, rememberName } from '../../host/accounts/ownNames.ts';
import { programArguments } from '../../host/shell/commands.ts';
import { withoutIcons } from '../../host/shell/plainText.ts';
import type { StoriesOfProject } from '../../host/story/storyArgument.ts';
import { applyEdits, chosenStories, nameOfStories, storiesInSentence, type WorkNeeds } from './applyEdits.ts';

/** Makes stories those of whoever asks. */
export async function ownStory(needs: WorkNeeds, ...args: readonly unknown[]): Promise<void> {
  const chosen = await chosenStories(needs, args, vscode.l10n.t('Assign which story to yourself?'));
  if (!chosen) return;
  const me = await myName(needs, chosen.key);
  if (me !== undefined) await own(needs, chosen, me);
}

/** Leaves stories without an owner. */
export async function giveStoryUp(needs: WorkNeeds, ...args: readonly unknown[]): Promise<void> {
  const chosen = await chosenStories(needs, args, vscode.l10n.t('Unassign which story?'));
  if (chosen) await own(needs, chosen, null);
}

/** Gives stories to the member named by `owner`, `null` for nobody, else to the one picked. */
export async function assignStory(needs: WorkNeeds, ...args: readonly unknown[]): Promise<void> {
  const chosen = await chosenStories(needs, args, vscode.l10n.t('Assign which story?'));
  if (!chosen) return;
  const wanted = wish(args);
  const owner = wanted === undefined ? await askOwner(needs, chosen) : wanted;
  if (owner !== undefined) await own(needs, chosen, owner);
}

async function own(needs: WorkNeeds, { key, stories }: StoriesOfProject, ownedBy: string | null): Promise<void> {
  const edits = stories
    .filter((story) => (story.ownedBy ?? null) !== ownedBy)
    .map((story) => ({ story, intent: { kind: 'edit', storyId: story.id, edit: { ownedBy } } as const }));
  const done =
    ownedBy === null
      ? vscode.l10n.t('{0}: unassigned.', nameOfStories(stories))
      : vscode.l10n.t('{0}: assigned to {1}.', nameOfStories(stories), ownedBy);
  if (edits.length === 0) needs.messages.status(done);
  else await applyEdits(needs, key, edits, done);
}

/** Told by no endpoint: what was found out or remembered, else asked for once. */
async function myName(needs: WorkNeeds, key: ProjectKey): Promise<string | undefined> {
  const known = (await ownNames(needs))[key.accountId];
  if (known !== undefined) return known;
  const picked = await askMember(await membersOf(needs, key), vscode.l10n.t('Which member are you?'));
  const account = await needs.accounts.find(key.accountId);
  if (picked !== undefined && account) await rememberName(needs.workspaceMemory, account, picked);
  return picked;
}

interface OwnerItem extends vscode.QuickPickItem {
  readonly owner: string | null;
}

async function askOwner(needs: WorkNeeds, { key, stories }: StoriesOfProject): Promise<string | null | undefined> {
  const members = await membersOf(needs, key);
  const isOwner = (name: string) => stories.every(({ ownedBy }) => ownedBy === name);
  const people = members.map((member): OwnerItem => {
    const item = memberItem(member);
    return isOwner(item.owner) ? { ...item, description: vscode.l10n.t('now') } : item;
  });
  const nobody: OwnerItem = { label: vscode.l10n.t('Nobody'), owner: null };
  const items = stories.some(({ ownedBy }) => ownedBy !== undefined) ? [...people, nobody] : people;
  const placeHolder = vscode.l10n.t('Who should own it? ({0})', storiesInSentence(stories));
  return (await vscode.window.showQuickPick(items, { placeHolder, matchOnDescription: true }))?.owner;
}

async function askMember(members: readonly Membership[], placeHolder: string): Promise<string | undefined> {
  return (await vscode.window.showQuickPick(members.map(memberItem), { placeHolder }))?.owner;
}

function memberItem({ person }: Membership) {
  return { label: withoutIcons(person.name), description: withoutIcons(person.initials ?? ''), owner: person.name };
}

/** As the project told them, else asked for: some servers list projects without their members. */
async function membersOf({ backlogs }: WorkNeeds, key: ProjectKey): Promise<readonly Membership[]> {
  const { project } = await backlogs.backlog(key);
  const told = project.memberships.length > 0;
  const members = told ? project.memberships : await backlogs.tracker(key).listMemberships(key.projectId);
  const named = members.filter(({ person }) => person.name !== '');
  const sortedBy = ({ person }: Membership) => folded(person.name);
  if (named.length > 0) return named.toSorted((one, other) => sortedBy(one).localeCompare(sortedBy(other)));
  throw new TrackerError('notFound', vscode.l10n.t('The server lists no members for this project.'));
}

function wish(args: readonly unknown[]): string | null | undefined {
  const { owner } = programArguments(args);
  if (owner === undefined || owner === null || (typeof owner === 'string' && owner !== '')) return owner;
  throw new TrackerError('input', vscode.l10n.t('Pass the owner as { owner: string | null }.'));
}
