import * as vscode from 'vscode';
import { isEstimatable, isStarted } from '../../core/backlog/workflow.ts';
import { TrackerError } from '../../core/errors.ts';
import type { Project } from '../../core/story/project.ts';
import type { Story } from '../../core/story/story.ts';
import { programArguments } from '../../host/shell/commands.ts';
import { countedPoints } from '../../host/story/estimatedEdit.ts';
import type { StoriesOfProject } from '../../host/story/storyArgument.ts';
import { applyEdits } from './applyEdits.ts';
import { chosenStories, nameOfStories } from './chosenStories.ts';
import type { WorkNeeds } from './editsMade.ts';

/** Gives stories the points named by `estimate`, `null` for none, else those picked from the project's scale. */
export async function estimateStory(needs: WorkNeeds, ...args: readonly unknown[]): Promise<void> {
  const chosen = await chosenStories(needs, args, vscode.l10n.t('Estimate which story?'));
  if (!chosen) return;
  const { project } = await needs.backlogs.backlog(chosen.key);
  const stories = estimatable(chosen.stories, project);
  const wanted = wish(args);
  const estimate = wanted === undefined ? await askPoints(stories, project) : wanted;
  if (estimate === undefined) return;
  const edits = stories.map((story) => ({
    story,
    intent: { kind: 'edit', storyId: story.id, edit: { estimate } } as const,
  }));
  const points = estimate === null ? vscode.l10n.t('unestimated') : countedPoints(estimate);
  await applyEdits(needs, chosen.key, edits, vscode.l10n.t('{0}: {1}.', nameOfStories(stories), points));
}

/** Those that are estimated in this project. @throws TrackerError `input` when there is none. */
function estimatable(stories: readonly Story[], project: Project): StoriesOfProject['stories'] {
  const [first, ...others] = stories.filter(({ type }) => isEstimatable(type, project));
  if (first) return [first, ...others];
  const type = stories[0]?.type ?? '';
  throw new TrackerError('input', vscode.l10n.t('Stories of type {0} are not estimated in this project.', type));
}

interface PointsItem extends vscode.QuickPickItem {
  readonly points: number | null;
}

async function askPoints(
  stories: StoriesOfProject['stories'],
  { pointScale }: Project,
): Promise<number | null | undefined> {
  const [{ estimate: now }] = stories;
  const current = (points: number) => (stories.every(({ estimate }) => estimate === points) ? isNow : {});
  const isNow = { description: vscode.l10n.t('now') };
  const scale = pointScale.map((points): PointsItem => ({ label: countedPoints(points), points, ...current(points) }));
  // Work that has begun has to have one.
  const mayGo = stories.every(({ state }) => !isStarted(state)) && now !== undefined && now >= 0;
  const none: PointsItem = { label: vscode.l10n.t('No Estimate'), points: null };
  const items = mayGo ? [...scale, none] : scale;
  const placeHolder = vscode.l10n.t('How big is it? ({0})', nameOfStories(stories));
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.points;
}

function wish(args: readonly unknown[]): number | null | undefined {
  const { estimate } = programArguments(args);
  if (estimate === undefined || estimate === null || (typeof estimate === 'number' && estimate >= 0)) return estimate;
  throw new TrackerError('input', vscode.l10n.t('Pass the estimate as { estimate: number | null }.'));
}
