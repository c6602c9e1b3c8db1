import * as vscode from 'vscode';
import { TrackerError } from '../../core/errors.ts';
import type { App } from '../../host/app.ts';
import { linkedStory } from './storyLink.ts';

type Needs = Pick<App, 'backlogs' | 'messages' | 'storiesView'>;

/** Shows the story that a link from outside names. A link can do nothing else. */
export async function showLinkedStory({ backlogs, messages, storiesView }: Needs, uri: vscode.Uri): Promise<void> {
  try {
    const id = linkedStory(uri);
    if (id === undefined) throw new TrackerError('input', vscode.l10n.t('This link names no story.'));
    await vscode.commands.executeCommand('storyTracker.stories.focus');
    const found = await backlogs.story(id);
    if (!found) throw new TrackerError('notFound', vscode.l10n.t('Story #{0} was not found in your projects.', id));
    await storiesView.reveal(id, found.key.projectId, { focus: true });
  } catch (thrown) {
    messages.error(thrown);
  }
}
