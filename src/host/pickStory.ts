import * as vscode from 'vscode';
import type { Backlogs, FoundStory } from './backlogs.ts';
import { iconOfType } from './storyIcon.ts';

interface StoryItem extends vscode.QuickPickItem {
  readonly found: FoundStory;
}

/** Lets a person choose one of the stories that are not done, by id or words. */
export async function pickStory(backlogs: Backlogs, placeHolder: string): Promise<FoundStory | undefined> {
  const picked = await vscode.window.showQuickPick(storyItems(backlogs), {
    placeHolder,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return picked?.found;
}

async function storyItems(backlogs: Backlogs): Promise<readonly StoryItem[]> {
  const projects = await backlogs.all();
  return projects.flatMap(({ key, backlog }) =>
    [...backlog.iterations.flatMap(({ stories }) => stories), ...backlog.icebox].map((story) => ({
      label: `$(${iconOfType(story.type)}) ${story.name}`,
      description: `#${story.id} · ${story.state}`,
      ...(projects.length > 1 ? { detail: backlog.project.name } : {}),
      found: { key, story },
    })),
  );
}
