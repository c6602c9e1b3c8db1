import { isEstimatable, isStoryType, needsEstimate, statesOf, storyTypes } from '../../core/workflow.ts';
import { unprocessable } from '../refusal.ts';
import type { ProjectRow } from '../store/projects.ts';
import type { StoryRow } from '../store/storyRows.ts';

/** The fields that depend on each other. */
export type RuledFields = Pick<StoryRow, 'name' | 'type' | 'state' | 'estimate' | 'deadline'>;

const MAX_NAME = 5_000;

/** Throws `Refusal` 422 with all that is wrong with a story as it would become. */
export function refuseWrongStory(story: RuledFields, project: ProjectRow): void {
  const sentences = [...wrongName(story), ...wrongType(story)];
  if (sentences.length === 0) sentences.push(...wrongState(story, project), ...wrongEstimate(story, project));
  if (sentences.length > 0) throw unprocessable(sentences);
}

function wrongName({ name }: RuledFields): string[] {
  if (name.trim() === '') return ['A story needs a name.'];
  return name.length > MAX_NAME ? [`The name of a story has at most ${MAX_NAME} characters.`] : [];
}

function wrongType({ type }: RuledFields): string[] {
  return isStoryType(type) ? [] : [`The type of a story is one of ${storyTypes.join(', ')}.`];
}

function wrongState({ type, state, estimate }: RuledFields, project: ProjectRow): string[] {
  const states: readonly string[] = statesOf(type);
  if (!states.includes(state)) return [`A ${type} is in one of the states ${states.join(', ')}.`];
  return needsEstimate(type, state, estimate, rulesOf(project))
    ? [`Stories in the ${state} state must be estimated.`]
    : [];
}

function wrongEstimate({ type, estimate, deadline }: RuledFields, project: ProjectRow): string[] {
  const sentences: string[] = [];
  if (estimate !== null && !isEstimatable(type, rulesOf(project))) {
    sentences.push(`A ${type} is not estimated in this project.`);
  } else if (estimate !== null && !scaleOf(project).includes(estimate)) {
    sentences.push(`An estimate in this project is one of ${scaleOf(project).join(', ')}.`);
  }
  if (deadline !== null && type !== 'release') sentences.push('Only a release has a deadline.');
  return sentences;
}

export function scaleOf({ pointScale }: Pick<ProjectRow, 'pointScale'>): readonly number[] {
  return pointScale.split(',').map(Number);
}

export function rulesOf(project: ProjectRow): { readonly bugsAndChoresAreEstimatable: boolean } {
  return { bugsAndChoresAreEstimatable: project.bugsAndChoresAreEstimatable === 1 };
}
