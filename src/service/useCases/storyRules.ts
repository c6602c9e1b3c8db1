import { isEstimatable, isStoryType, needsEstimate, statesOf, storyTypes } from '../../core/backlog/workflow.ts';
import { MAX_STORY_NAME } from '../../core/limits.ts';
import type { Change } from '../auth/projectAccess.ts';
import { notFound, type Refusal, unprocessable } from '../ground/errors.ts';
import { type AddedContent, fullStory } from '../input/fieldLimits.ts';
import type { Tx } from '../store/database.ts';
import { type ProjectRow, rulesOf, scaleOf } from '../store/projects/projects.ts';
import { storyContent } from '../store/stories/storyContent.ts';
import { type StoryRow, storyRow } from '../store/stories/storyRows.ts';

/** The fields that depend on each other. */
type RuledFields = Pick<StoryRow, 'name' | 'type' | 'state' | 'estimate' | 'deadline'>;

/**
 * Throws `Refusal` 422 with all that is wrong with a story as it would become. What stays as it was `before` is not judged again:
 * it may be from a time when the project was set otherwise.
 */
export function refuseWrongStory(story: RuledFields, project: ProjectRow, before?: RuledFields): void {
  const isSame = (...fields: (keyof RuledFields)[]) =>
    before && fields.every((field) => story[field] === before[field]);
  const sentences = [...wrongName(story), ...wrongType(story)];
  if (sentences.length === 0) {
    if (!isSame('type', 'state', 'estimate')) sentences.push(...wrongState(story, project));
    if (!isSame('type', 'estimate')) sentences.push(...wrongEstimate(story, project));
    sentences.push(...wrongDeadline(story));
  }
  if (sentences.length > 0) throw unprocessable(sentences);
}

function wrongName({ name }: RuledFields): string[] {
  if (name.trim() === '') return ['A story needs a name.'];
  return name.length > MAX_STORY_NAME
    ? [`The name of a story has at most ${MAX_STORY_NAME.toLocaleString('en')} characters.`]
    : [];
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

function wrongEstimate({ type, estimate }: RuledFields, project: ProjectRow): string[] {
  const fault = estimateFault({ type, estimate }, project);
  if (fault === 'type') return [`A ${type} is not estimated in this project.`];
  return fault === 'scale' ? [`An estimate in this project is one of ${scaleOf(project).join(', ')}.`] : [];
}

/** What is wrong with an estimate: stories of the type have none in the project, or it is not on its scale. */
export function estimateFault(
  { type, estimate }: Pick<RuledFields, 'type' | 'estimate'>,
  project: ProjectRow,
): 'type' | 'scale' | undefined {
  if (estimate === null) return undefined;
  if (!isEstimatable(type, rulesOf(project))) return 'type';
  return scaleOf(project).includes(estimate) ? undefined : 'scale';
}

function wrongDeadline({ type, deadline }: RuledFields): string[] {
  return deadline !== null && type !== 'release' ? ['Only a release has a deadline.'] : [];
}

/** The row of a story that the caller's path names; 404 when it is not in this project. */
export async function theStory(tx: Tx, projectId: number, storyId: number): Promise<StoryRow> {
  const row = await storyRow(tx, projectId, storyId);
  if (!row) throw noStory(storyId);
  return row;
}

export function noStory(storyId: number): Error {
  return notFound(`There is no story ${storyId} in this project.`);
}

/** The same inside a change. */
export function changedStory({ tx, project }: Change, storyId: number): Promise<StoryRow> {
  return theStory(tx, project.id, storyId);
}

/** Throws `Refusal` 422 when a story cannot take what is added to it. */
export async function refuseFullStory(change: Pick<Change, 'tx'>, storyId: number, added: AddedContent): Promise<void> {
  const refusal = await noRoom(change, storyId, added);
  if (refusal) throw refusal;
}

/** The refusal of a story that cannot take what is added to it. */
export async function noRoom(
  { tx }: Pick<Change, 'tx'>,
  storyId: number,
  added: AddedContent,
): Promise<Refusal | undefined> {
  return fullStory(await storyContent(tx, storyId), added);
}
