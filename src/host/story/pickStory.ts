import * as vscode from 'vscode';
import type { Backlog } from '../../core/backlog/backlog.ts';
import { TrackerError } from '../../core/errors.ts';
import { isPendingStory } from '../../core/intents/edit.ts';
import type { Project } from '../../core/story/project.ts';
import type { ProjectKey } from '../../core/story/projectKey.ts';
import type { Story } from '../../core/story/story.ts';
import type { Backlogs } from '../projects/backlogs.ts';
import { withoutIcons } from '../shell/plainText.ts';
import type { FoundStory } from '../tree/nodes.ts';
import { type PickOrder, pickRank } from './pickOrder.ts';
import { storyPickItem } from './storyLabel.ts';

interface StoryItem extends vscode.QuickPickItem {
  readonly found: FoundStory;
}

/** Lets a person choose a story by id or words, in the order of `pickRank`. */
export async function pickStory(
  backlogs: Backlogs,
  placeHolder: string,
  order: PickOrder | Promise<PickOrder> = {},
): Promise<FoundStory | undefined> {
  const picked = await vscode.window.showQuickPick(storyItems(backlogs, order), {
    placeHolder,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return picked?.found;
}

async function storyItems(backlogs: Backlogs, told: PickOrder | Promise<PickOrder>): Promise<readonly StoryItem[]> {
  const [projects, order] = await Promise.all([readable(backlogs), told]);
  const items = projects.flatMap(({ key, backlog }) =>
    known([...backlog.iterations.flatMap(({ stories }) => stories), ...backlog.icebox]).map((story) => ({
      ...itemOf({ key, story }, order),
      ...(projects.length > 1 ? { detail: projectDetail(backlogs, key, backlog.project) } : {}),
      found: { key, story },
    })),
  );
  if (items.length === 0) {
    throw new TrackerError('notFound', vscode.l10n.t('You have no stories yet. Run "Story Tracker: New Story…".'));
  }
  return items.toSorted((one, other) => pickRank(one.found, order) - pickRank(other.found, order));
}

/** The project of a story in a list to pick from, with its server where that is not the only one. */
export function projectDetail(
  backlogs: Pick<Backlogs, 'signInAmongSeveral'>,
  key: ProjectKey,
  project: Pick<Project, 'name'>,
): string {
  const parts = [project.name, backlogs.signInAmongSeveral(key)].filter((part) => part !== undefined);
  return withoutIcons(parts.join(' · '));
}

/** Those that a server has. */
const known = (stories: readonly Story[]) => stories.filter((story) => !isPendingStory(story));

function itemOf(found: FoundStory, order: PickOrder): vscode.QuickPickItem {
  const item = storyPickItem(found.story);
  if (pickRank(found, order) >= 0) return item;
  return { ...item, description: `${item.description} · ${vscode.l10n.t('active')}` };
}

/** The backlogs that can be had: one server that does not answer hides no story of another. */
async function readable(
  backlogs: Backlogs,
): Promise<readonly { readonly key: ProjectKey; readonly backlog: Backlog }[]> {
  const projects = await backlogs.requireProjects();
  const read = projects.map(async ({ key }) => ({ key, backlog: await backlogs.backlog(key) }));
  const answers = await Promise.allSettled(read);
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  const failures = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
  const [error] = [...failures, ...backlogs.failures.map((failure) => failure.error)];
  if (found.length === 0 && error) throw error;
  return found;
}
