import * as vscode from 'vscode';
import { storyDetails, storySummary } from '../../core/agents/agentAnswer.ts';
import { filteredStories } from '../../host/story/filteredStories.ts';
import { storyByNumber } from '../../host/story/storyByNumber.ts';
import type { FoundStory } from '../../host/tree/nodes.ts';
import { type Answer, placeOf, type ToolInputs, type ToolNeeds, type ToolRun } from './agentTool.ts';

const FOUND_AT_ONCE = 20;

type ReadTools = {
  readonly [N in 'findStories' | 'getStory' | 'getActiveStory']: ToolRun<ToolInputs[N]>;
};

/** The tools that change nothing, and ask no one. */
export const readTools: ReadTools = {
  findStories: { progress: () => vscode.l10n.t('Finding stories…'), run: findStories },
  getStory: {
    progress: () => vscode.l10n.t('Reading a story…'),
    run: async (needs, input) => ({ story: await detailsOf(needs, await storyByNumber(needs, input)) }),
  },
  getActiveStory: { progress: () => vscode.l10n.t('Reading the active story…'), run: getActiveStory },
};

async function findStories(
  needs: ToolNeeds,
  { filter, limit = FOUND_AT_ONCE, skip = 0 }: ToolInputs['findStories'],
  signal: AbortSignal,
): Promise<Answer> {
  const { stories, unread } = await filteredStories(needs, filter, signal);
  const shown = stories.slice(skip, skip + limit);
  const left = stories.length - skip - shown.length;
  return {
    found: stories.length,
    ...(left > 0 && { more: `${left} more; pass skip: ${skip + shown.length} to read on.` }),
    ...(unread.length > 0 && { incomplete: `${unread.length} projects could not be searched completely.` }),
    stories: await Promise.all(shown.map(async (found) => storySummary(found.story, await placeOf(needs, found)))),
  };
}

async function getActiveStory(needs: ToolNeeds): Promise<Answer> {
  await needs.backlogs.requireProjects();
  const [active] = (await needs.activeStories.view())?.active ?? [];
  const found = active && (await needs.backlogs.story(active.storyId, active));
  if (found) return { story: await detailsOf(needs, found) };
  return {
    story: null,
    hint: 'No story is active in this window. The person starts one with "Story Tracker: Start Story…".',
  };
}

async function detailsOf(needs: ToolNeeds, found: FoundStory): Promise<Answer> {
  return storyDetails(found.story, await placeOf(needs, found));
}
