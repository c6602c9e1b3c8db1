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
  if (estimate !== undefined) return { state, estimate };
  if (!needsEstimate(story.type, state, story.estimate, project)) return { state };
  const chosen = await askEstimate(story, project);
  return chosen === undefined ? undefined : { state, estimate: chosen };
}

/** Points by the project's scale; `undefined` when the person turned away. */
async function askEstimate(story: Story, project: Pick<Project, 'pointScale'>): Promise<number | undefined> {
  const items = project.pointScale.map((points) => ({
    label: points === 1 ? vscode.l10n.t('1 point') : vscode.l10n.t('{0} points', points),
    points,
  }));
  const placeHolder = vscode.l10n.t('Story #{0} needs an estimate first.', story.id);
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
