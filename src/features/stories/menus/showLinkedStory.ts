import * as vscode from 'vscode';
import { commandIds } from '../../../commandIds.ts';
import { TrackerError } from '../../../core/errors.ts';
import type { App } from '../../../host/app.ts';
import { linkedStory } from './storyLink.ts';

type Needs = Pick<App, 'accounts' | 'backlogs' | 'messages' | 'storiesView'>;

/** Opens the story that a link from outside names and shows its row. A link can do nothing else. */
export async function showLinkedStory(needs: Needs, uri: vscode.Uri): Promise<void> {
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
async function signedIn({ accounts, messages }: Needs, id: number): Promise<boolean> {
  const isSignedIn = async () => (await accounts.list()).length > 0;
  if (await isSignedIn()) return true;
  const signIn = vscode.l10n.t('Sign In…');
  const answer = await messages.info(vscode.l10n.t('Sign in to open story #{0}.', id), signIn);
  if (answer !== signIn) return false;
  await vscode.commands.executeCommand(commandIds.signIn);
  return isSignedIn();
}
