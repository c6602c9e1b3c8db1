import * as vscode from 'vscode';
import type { App } from '../../../host/app.ts';
import { StoryQuickPick } from './storyQuickPick.ts';

/** Lets a person look for a story in all projects and shows its row. */
export async function findStory({ backlogs, log, storiesView }: Pick<App, 'backlogs' | 'log' | 'storiesView'>) {
  const pick = new StoryQuickPick({ backlogs, log }, await backlogs.someProjects());
  try {
    const found = await pick.ask();
    if (!found) return;
    const { accountId, projectId } = found.key;
    await vscode.commands.executeCommand('storyTracker.stories.focus');
    await storiesView.reveal(found.story.id, projectId, { focus: true, accountId });
  } finally {
    pick.dispose();
  }
}
