import * as vscode from 'vscode';
import type { Backlog } from '../core/backlog.ts';
import { TrackerError } from '../core/errors.ts';
import type { Story } from '../core/story.ts';
import { isInProgress } from '../core/workflow.ts';
import type { Backlogs } from './backlogs.ts';
import type { FoundStory } from './foundStory.ts';
import type { ProjectKey } from './nodes.ts';
import { withoutIcons } from './plainText.ts';
import { storyPickItem } from './storyLabel.ts';

interface StoryItem extends vscode.QuickPickItem {
  readonly found: FoundStory;
}

/**
 * Lets a person choose a story by id or words: the `selected` ones first, then what is in progress, then the others in
 * their order, accepted ones last.
 */
export async function pickStory(
  backlogs: Backlogs,
  placeHolder: string,
  selected: readonly number[] = [],
): Promise<FoundStory | undefined> {
  const picked = await vscode.window.showQuickPick(storyItems(backlogs, selected), {
    placeHolder,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return picked?.found;
}

async function storyItems(backlogs: Backlogs, selected: readonly number[]): Promise<readonly StoryItem[]> {
  const projects = await readable(backlogs);
  const items = projects.flatMap(({ key, backlog }) =>
    [...backlog.iterations.flatMap(({ stories }) => stories), ...backlog.icebox].map((story) => ({
      ...storyPickItem(story),
      ...(projects.length > 1 ? { detail: withoutIcons(backlog.project.name) } : {}),
      found: { key, story },
    })),
  );
  if (items.length === 0) {
    throw new TrackerError('notFound', vscode.l10n.t('There is no story yet. Run "Story Tracker: New Story…".'));
  }
  return items.toSorted((one, other) => rank(one.found.story, selected) - rank(other.found.story, selected));
}

/** The backlogs that can be had: one server that does not answer hides no story of another. */
async function readable(
  backlogs: Backlogs,
): Promise<readonly { readonly key: ProjectKey; readonly backlog: Backlog }[]> {
  const projects = await backlogs.someProjects();
  const read = projects.map(async ({ key }) => ({ key, backlog: await backlogs.backlog(key) }));
  const answers = await Promise.allSettled(read);
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  const failures = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
  const [error] = [...failures, ...backlogs.failures.map((failure) => failure.error)];
  if (found.length === 0 && error) throw error;
  return found;
}

function rank({ id, state }: Story, selected: readonly number[]): number {
  if (selected.includes(id)) return 0;
  if (isInProgress(state)) return 1;
  return state === 'accepted' ? 3 : 2;
}
