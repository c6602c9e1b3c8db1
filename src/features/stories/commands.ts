import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import { TrackerError } from '../../core/errors.ts';
import { isPendingStory } from '../../core/intents/edit.ts';
import { isPendingTask } from '../../core/intents/newTask.ts';
import { markerText } from '../../core/marker/markerSyntax.ts';
import type { Story } from '../../core/story/story.ts';
import { visibleLine } from '../../core/text.ts';
import type { App } from '../../host/app.ts';
import { isPlainObject } from '../../host/shell/commands.ts';
import { commitVerb } from '../../host/shell/featureSettings.ts';
import { plainLine } from '../../host/shell/plainText.ts';
import { pickServerOf } from '../../host/story/pickServer.ts';
import { unsentStoryText } from '../../host/story/unsentStoryText.ts';
import { BY_KEY, DetailNode, type FoundStory, SavedFilterNode, StoryNode } from '../../host/tree/nodes.ts';
import { linkedStory } from './find/storySearch.ts';
import { detailOf, noteLook } from './tree/rowFacts.ts';
import type { ShownStories } from './tree/shownStories.ts';
import { type GroupBy, groupings } from './tree/treeShape.ts';
import { groupingLabel } from './tree/treeTexts.ts';

export { duplicateStory } from './create/createStories.ts';
export { newStory } from './create/newStory.ts';
export { editFilter, filterStories, removeFilter, renameFilter, saveFilter } from './filter/filterCommands.ts';
export { findStory } from './find/storyQuickPick.ts';
export {
  chooseWorkspaceProjects,
  hideProject,
  newProject,
  pinProject,
  showHiddenProjects,
  unpinProject,
} from './projectCommands.ts';

/** *Get Started*, at our page. */
export async function openWalkthrough(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openWalkthrough', 'story-tracker.story-tracker#start', false);
}

type Needs = Pick<App, 'messages' | 'storiesView' | 'storyArgument'>;

export function copyTitle(needs: Needs, ...args: readonly unknown[]): Promise<void> {
  return copy(needs, args, vscode.l10n.t('Copy the title of which story?'), (stories) =>
    stories.map(({ name }) => plainLine(name)).join('\n'),
  );
}

export function copyId(needs: Needs, ...args: readonly unknown[]): Promise<void> {
  return copy(needs, args, vscode.l10n.t('Copy the ID of which story?'), (stories) => stories.map(idOf).join('\n'));
}

export function copyLink(needs: Needs, ...args: readonly unknown[]): Promise<void> {
  return copy(needs, args, vscode.l10n.t('Copy the link of which story?'), (stories) => stories.map(pageOf).join('\n'));
}

/** Several stories are in one bracket. */
export function copyMarker(needs: Needs, ...args: readonly unknown[]): Promise<void> {
  const textOf = (stories: readonly Story[]) => markerText(stories.map(idOf), commitVerb());
  return copy(needs, args, vscode.l10n.t('Copy the marker of which story?'), textOf);
}

/** @throws TrackerError `input` for a story that no server has yet. */
function idOf(story: Story): number {
  if (!isPendingStory(story)) return story.id;
  throw new TrackerError('input', unsentStoryText(vscode));
}

/** Characters of what was copied that are told. */
const TOLD = 80;

/** Of the rows clicked or selected, or the story that is named or picked; several in their order, line by line. */
async function copy(
  { messages, storiesView, storyArgument }: Needs,
  args: readonly unknown[],
  placeHolder: string,
  textOf: (stories: readonly Story[]) => string,
): Promise<void> {
  const [argument, ...others] = args;
  const [row] = storiesView.selection();
  const asked = argument === undefined && row instanceof DetailNode ? row : argument;
  const found = await storyArgument.several([asked, ...others], placeHolder, { selectionOf: 'person' });
  if (found.length === 0) return;
  const text = textOf(found.map(({ story }) => story));
  await vscode.env.clipboard.writeText(text);
  messages.status(
    found.length === 1
      ? vscode.l10n.t('Copied {0}', visibleLine(text, TOLD))
      : vscode.l10n.t('Copied {0} stories', found.length),
  );
}

/** Opens the page of a story, or the link in a comment's row. */
export async function openInBrowser({ storyArgument }: Pick<App, 'storyArgument'>, argument: unknown): Promise<void> {
  if (argument instanceof DetailNode) return openLink(linkIn(argument));
  const found = await storyArgument.ofSelection(argument, vscode.l10n.t('Which story do you want to open?'));
  if (found) await openLink(pageOf(found.story));
}

/** @throws TrackerError when the server gave none. */
function pageOf(story: Story): string {
  if (story.url) return story.url;
  const id = idOf(story);
  throw new TrackerError('notFound', vscode.l10n.t('The server has no link for story #{0}.', id));
}

function linkIn(node: DetailNode): string {
  const detail = detailOf(node);
  const link = detail?.kind === 'note' ? noteLook(detail.note).link : undefined;
  if (link) return link;
  throw new TrackerError('notFound', vscode.l10n.t('This row has no link.'));
}

/** Only web pages: what a server names must not start other programs. */
async function openLink(link: string): Promise<void> {
  const uri = vscode.Uri.parse(link);
  if (uri.scheme !== 'http' && uri.scheme !== 'https') {
    throw new TrackerError('refused', vscode.l10n.t('The link of this story is not a web page: {0}', link));
  }
  await vscode.env.openExternal(uri);
}

type LinkNeeds = Pick<App, 'accounts' | 'backlogs' | 'messages' | 'storiesView'>;

/** Opens the story that a link from outside names and shows its row. A link can do nothing else. */
export async function showLinkedStory(needs: LinkNeeds, uri: vscode.Uri): Promise<void> {
  const { messages, storiesView } = needs;
  try {
    const id = linkedStory(uri);
    if (id === undefined) throw new TrackerError('input', vscode.l10n.t('This link does not point to a story.'));
    if (!(await signedIn(needs, id))) return;
    const found = await linkedOf(needs, id);
    if (found === 'dismissed') return;
    if (!found) throw new TrackerError('notFound', vscode.l10n.t('Could not find story #{0} in your projects.', id));
    const { accountId, projectId } = found.key;
    const storyId = found.story.id;
    await vscode.commands.executeCommand(commandIds.openStory, { storyId, accountId, projectId });
    await storiesView.reveal(storyId, projectId, { accountId });
  } catch (thrown) {
    messages.error(thrown);
  }
}

/** The link does not say which server it is of, nor who is to open it: where several accounts have such a story, it asks. */
async function linkedOf({ accounts, backlogs }: LinkNeeds, id: number): Promise<FoundStory | 'dismissed' | undefined> {
  const all = await accounts.list();
  const answers = await Promise.allSettled(all.map(({ id: accountId }) => backlogs.story(id, { accountId })));
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' && answer.value ? [answer.value] : []));
  const failure = answers.find((answer) => answer.status === 'rejected');
  if (found.length === 0 && failure) throw failure.reason;
  if (found.length < 2) return found[0];
  const question = vscode.l10n.t('Several accounts have a story #{0}. Which one do you want to open?', id);
  return (await pickServerOf(accounts, found, question)) ?? 'dismissed';
}

/** Whether someone is signed in, after offering to sign in if not. The link does not say to which server. */
async function signedIn({ accounts, messages }: LinkNeeds, id: number): Promise<boolean> {
  const isSignedIn = async () => (await accounts.list()).length > 0;
  if (await isSignedIn()) return true;
  const signIn = vscode.l10n.t('Sign In…');
  const answer = await messages.info(vscode.l10n.t('Sign in to open story #{0}.', id), signIn);
  if (answer !== signIn) return false;
  await vscode.commands.executeCommand(commandIds.signIn);
  return isSignedIn();
}

// What keys do to the row that has the focus, which VS Code passes to them (package.json, `$focusedTreeItem`).

/**
 * Enter, after VS Code has done with the row what it does with every one: opens the story in a tab of its own, or the attachment.
 * A comment that has something to open is open by then.
 */
export async function openRow(row: unknown): Promise<void> {
  if (row instanceof StoryNode) await runOn(commandIds.openStory, row);
  else if (row instanceof DetailNode && row.kind === 'attachment') await runOn(commandIds.openAttachment, row);
  else if (row instanceof DetailNode && !hasCommand(row)) await runOn(commandIds.openStory, row.parent);
}

function hasCommand(row: DetailNode): boolean {
  const detail = detailOf(row);
  if (detail?.kind !== 'note') return false;
  const { commit, link } = noteLook(detail.note);
  return link !== undefined || commit?.entryId !== undefined;
}

/** Space, after VS Code has done with the row what it does with every one: ticks a task, or unticks it. */
export async function tickRow(row: unknown): Promise<void> {
  const detail = row instanceof DetailNode ? detailOf(row) : undefined;
  if (detail?.kind !== 'task' || isPendingTask(detail.task)) return;
  await runOn(detail.task.complete ? commandIds.reopenTask : commandIds.completeTask, row);
}

/** F2: renames a story or a saved filter, or edits a task. */
export async function renameRow(row: unknown): Promise<void> {
  if (row instanceof StoryNode) await runOn(commandIds.renameStory, row);
  else if (row instanceof DetailNode && row.kind === 'task') await runOn(commandIds.editTask, row);
  else if (row instanceof SavedFilterNode) await runOn(commandIds.renameFilter, row);
}

/** Delete: asks and deletes the story, with all that are selected with it, or the task; a saved filter is removed. */
export async function deleteRow({ storiesView }: Pick<App, 'storiesView'>, row: unknown): Promise<void> {
  const selected = storiesView.selection();
  if (row instanceof StoryNode) {
    await runOn(commandIds.deleteStory, row, selected.includes(row) ? selected : [row], BY_KEY);
  } else if (row instanceof DetailNode && row.kind === 'task') await runOn(commandIds.deleteTask, row, [row], BY_KEY);
  else if (row instanceof SavedFilterNode) await runOn(commandIds.removeFilter, row);
}

async function runOn(command: string, ...args: readonly unknown[]): Promise<void> {
  await vscode.commands.executeCommand(command, ...args);
}

/** Groups the stories of each project anew: as a program says with `{ by }`, or as a person picks. */
export async function groupBy(shown: ShownStories, argument: unknown): Promise<void> {
  const by = isPlainObject(argument) ? givenGroup(argument) : await pickedGroup((await shown.current()).groupBy);
  if (by) await shown.group(by);
}

function givenGroup({ by }: Readonly<Record<string, unknown>>): GroupBy {
  const known = groupings.find((one) => one === by);
  if (known) return known;
  throw new TrackerError('input', vscode.l10n.t('Stories can be grouped by: {0}.', groupings.join(', ')));
}

async function pickedGroup(current: GroupBy): Promise<GroupBy | undefined> {
  const items = groupings.map((by) => ({
    label: by === current ? `$(check) ${groupingLabel(by)}` : groupingLabel(by),
    description: by === 'iteration' ? vscode.l10n.t('in priority order') : '',
    by,
  }));
  const options = {
    title: vscode.l10n.t('Group Stories By'),
    placeHolder: vscode.l10n.t('Rows to show below each project'),
  };
  return (await vscode.window.showQuickPick(items, options))?.by;
}
