import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import { TrackerError } from '../../core/errors.ts';
import { markerText } from '../../core/marker/markerSyntax.ts';
import type { Story } from '../../core/story/story.ts';
import type { App } from '../../host/app.ts';
import { commitVerb } from '../../host/shell/settings.ts';
import { DetailNode } from '../../host/tree/nodes.ts';
import { linkedStory } from './find/storySearch.ts';
import { detailOf, noteLook } from './tree/rowFacts.ts';

export { newProject, newStory } from './create/newStory.ts';
export { filterStories, groupBy } from './filter/filterStories.ts';
export { editFilter, removeFilter, renameFilter, saveFilter } from './filter/savedFilterCommands.ts';
export { findStory } from './find/storyQuickPick.ts';

type Needs = Pick<App, 'messages' | 'storyArgument'>;

export function copyId(needs: Needs, argument: unknown): Promise<void> {
  return copy(needs, argument, vscode.l10n.t('Copy the ID of which story?'), ({ id }) => String(id));
}

export function copyLink(needs: Needs, argument: unknown): Promise<void> {
  return copy(needs, argument, vscode.l10n.t('Copy the link of which story?'), pageOf);
}

export function copyMarker(needs: Needs, argument: unknown): Promise<void> {
  const textOf = ({ id }: Story) => markerText([id], commitVerb());
  return copy(needs, argument, vscode.l10n.t('Copy the marker of which story?'), textOf);
}

async function copy(
  { messages, storyArgument }: Needs,
  argument: unknown,
  placeHolder: string,
  textOf: (story: Story) => string,
): Promise<void> {
  const found = await storyArgument.ofSelection(argument, placeHolder);
  if (!found) return;
  const text = textOf(found.story);
  await vscode.env.clipboard.writeText(text);
  messages.status(vscode.l10n.t('Copied {0}', text));
}

/** Opens the page of a story, or the link in a comment's row. */
export async function openInBrowser({ storyArgument }: Pick<App, 'storyArgument'>, argument: unknown): Promise<void> {
  if (argument instanceof DetailNode) return openLink(linkIn(argument));
  const found = await storyArgument.ofSelection(argument, vscode.l10n.t('Which story do you want to open?'));
  if (found) await openLink(pageOf(found.story));
}

/** @throws TrackerError when the server gave none. */
function pageOf({ id, url }: Story): string {
  if (url) return url;
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
  const { backlogs, messages, storiesView } = needs;
  try {
    const id = linkedStory(uri);
    if (id === undefined) throw new TrackerError('input', vscode.l10n.t('This link does not point to a story.'));
    if (!(await signedIn(needs, id))) return;
    const found = await backlogs.story(id);
    if (!found) throw new TrackerError('notFound', vscode.l10n.t('Could not find story #{0} in your projects.', id));
    const { accountId, projectId } = found.key;
    await vscode.commands.executeCommand(commandIds.openStory, { storyId: id, accountId, projectId });
    await storiesView.reveal(id, projectId, { accountId });
  } catch (thrown) {
    messages.error(thrown);
  }
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
