import type { PlannedStory, PlanningRules } from '../../core/backlog/plannedIteration.ts';
import { type Plan, plan } from '../../core/backlog/planning.ts';
import { isEstimatable } from '../../core/backlog/workflow.ts';
import type { IterationOverride } from '../store/projects/projectParts.ts';
import { type ProjectRow, rulesOf } from '../store/projects/projects.ts';
import type { StoryRow } from '../store/stories/storyRows.ts';

/** The stories of a project, given in priority order, laid out by its rules as they are at a moment. */
export function projectPlan<R extends PlannedStory & Pick<StoryRow, 'type' | 'estimate'>>(
  project: ProjectRow,
  rows: readonly R[],
  overrides: readonly IterationOverride[],
  now: number,
): Plan<R> {
  return plan(estimatedRows(rows, project), planningRules(project, overrides), now);
}

/** Estimates of types that this project does not estimate any more do not count. */
function estimatedRows<R extends Pick<StoryRow, 'type' | 'estimate'>>(
  rows: readonly R[],
  project: ProjectRow,
): readonly R[] {
  const rules = rulesOf(project);
  return rows.map((row) =>
    row.estimate === null || isEstimatable(row.type, rules) ? row : { ...row, estimate: null },
  );
}

function planningRules(project: ProjectRow, overridden: readonly IterationOverride[]): PlanningRules {
  const overrides = overridden.map(
    ({ number, teamStrength, weeks }) => [number, { teamStrength, ...(weeks !== null && { length: weeks }) }] as const,
  );
  return {
    iterationLength: project.iterationLength,
    weekStartDay: project.weekStartDay,
    ...(project.startDate !== null && { startAt: project.startDate }),
    averagedIterations: project.averagedIterations,
    initialVelocity: project.initialVelocity,
    commitMode: project.commitMode === 1,
    overrides: new Map(overrides),
  };
}
