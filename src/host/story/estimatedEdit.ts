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
  return withEstimates(
    stories.map((story) => ({ story, edit: { state } })),
    project,
  );
}

/**
 * Edits with the estimates that stories need for the type and the state which they have then; one is asked for, for all that have
 * none. `undefined` when the person turned away.
 */
export async function withEstimates<E extends StoryEdit>(
  wanted: readonly { readonly story: Story; readonly edit: E }[],
  project: Project,
): Promise<readonly E[] | undefined> {
  const isWithout = ({ story, edit }: (typeof wanted)[number]) => {
    const { type, state, estimate } = { ...story, ...edit };
    return needsEstimate(type, state, estimate, project);
  };
  const edits = wanted.map(({ edit }) => edit);
  const [first, ...others] = wanted.filter(isWithout);
  if (!first) return edits;
  const question =
    others.length === 0
      ? vscode.l10n.t('Story #{0} needs an estimate first.', first.story.id)
      : vscode.l10n.t('{0} stories need an estimate first.', others.length + 1);
  const estimate = await askEstimate(question, project);
  if (estimate === undefined) return undefined;
  return wanted.map((one) => (isWithout(one) ? { ...one.edit, estimate } : one.edit));
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
