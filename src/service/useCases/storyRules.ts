import { isEstimatable, isStoryType, needsEstimate, statesOf, storyTypes } from '../../core/workflow.ts';
import { unprocessable } from '../refusal.ts';
import type { ProjectRow } from '../store/projects.ts';
import type { StoryRow } from '../store/storyRows.ts';
import { MAX_LINE, MAX_TEXT, tooLong } from './fieldLimits.ts';

/** The fields that depend on each other. */
export type RuledFields = Pick<
  StoryRow,
  'name' | 'type' | 'state' | 'estimate' | 'deadline' | 'description' | 'requestedBy' | 'ownedBy' | 'externalId'
>;

const MAX_NAME = 5_000;

/** Throws `Refusal` 422 with all that is wrong with a story as it would become. */
export function refuseWrongStory(story: RuledFields, project: ProjectRow): void {
  const sentences = [...wrongName(story), ...wrongType(story), ...tooLongTexts(story)];
  if (sentences.length === 0) sentences.push(...wrongState(story, project), ...wrongEstimate(story, project));
  if (sentences.length > 0) throw unprocessable(sentences);
}

function wrongName({ name }: RuledFields): string[] {
  if (name.trim() === '') return ['A story needs a name.'];
  return name.length > MAX_NAME ? [`The name of a story has at most ${MAX_NAME} characters.`] : [];
}

function tooLongTexts({ description, requestedBy, ownedBy, externalId }: RuledFields): readonly string[] {
  return [
    ...tooLong('The description of a story', description, MAX_TEXT),
    ...tooLong('The name of a requester', requestedBy, MAX_LINE),
    ...tooLong('The name of an owner', ownedBy, MAX_LINE),
    ...tooLong('The id of a ticket', externalId, MAX_LINE),
  ];
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
