import * as vscode from 'vscode';
import { needsEstimate } from '../../core/backlog/workflow.ts';
import type { Project } from '../../core/story/project.ts';
import { type Story, type StoryEdit, UNESTIMATED } from '../../core/story/story.ts';

type StateEdit = StoryEdit & { readonly state: string };

/**
 * The edit that moves a story to `state`, with the estimate that the state needs: the one given, else the one asked for.
 * `undefined` when the person turned away.
 */
export async function estimatedEdit(
  state: string,
  estimate: number | undefined,
  story: Story,
  project: Project,
): Promise<StateEdit | undefined> {
  return (await estimatedEdits(state, estimate, [story], project))?.[0];
}

/** As `estimatedEdit`, of each of several stories; one estimate is asked for, for all that need one. */
export async function estimatedEdits(
  state: string,
  estimate: number | undefined,
  stories: readonly Story[],
  project: Project,
): Promise<readonly StateEdit[] | undefined> {
  if (estimate !== undefined) return stories.map(() => ({ state, estimate }));
  const isWithout = (story: Story) => needsEstimate(story.type, state, story.estimate, project);
  const [first, ...others] = stories.filter(isWithout);
  if (!first) return stories.map(() => ({ state }));
  const question =
    others.length === 0
      ? vscode.l10n.t('Story #{0} needs an estimate first.', first.id)
      : vscode.l10n.t('{0} stories need an estimate first.', others.length + 1);
  const chosen = await askEstimate(question, project);
  if (chosen === undefined) return undefined;
  return stories.map((story) => (isWithout(story) ? { state, estimate: chosen } : { state }));
}

/** Points by the project's scale; `undefined` when the person turned away. */
async function askEstimate(
  placeHolder: string,
  { pointScale }: Pick<Project, 'pointScale'>,
): Promise<number | undefined> {
  const items = pointScale.map((points) => ({ label: countedPoints(points), points }));
  return (await vscode.window.showQuickPick(items, { placeHolder, ignoreFocusOut: true }))?.points;
}

export function countedPoints(count: number): string {
  return count === 1 ? vscode.l10n.t('1 point') : vscode.l10n.t('{0} points', count);
}

/** "3 points", "unestimated", or nothing for what is never estimated. */
export function estimateText({ estimate }: Pick<Story, 'estimate'>): string | undefined {
  if (estimate === undefined) return undefined;
  return estimate === UNESTIMATED ? vscode.l10n.t('unestimated') : countedPoints(estimate);
}
