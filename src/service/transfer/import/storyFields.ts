import { isScheduled, needsEstimate } from '../../../core/workflow.ts';
import type { EditedFields } from '../../useCases/storyFields.ts';
import { fittedState, fittedType } from './fittedState.ts';
import type { ImportedStory } from './importedStory.ts';
import type { Remarking } from './remarks.ts';

/** What of a story's row a file decides; its people, ticket and place are found elsewhere. */
export type StoryFields = Pick<
  EditedFields,
  'type' | 'state' | 'name' | 'estimate' | 'description' | 'createdAt' | 'acceptedAt' | 'deadline'
> & { readonly updatedAt: number; readonly inIcebox: number };

const EARLIEST = Date.UTC(1990, 0, 1);
const LONGEST_NAME = 5_000;

/** The fields of a story as this service can keep them, over those that it has already. Undefined when it has no place here. */
export function storyFields(
  story: ImportedStory,
  before: StoryFields | undefined,
  now: number,
  remark: Remarking,
): StoryFields | undefined {
  const type = fittedType(story.type ?? before?.type ?? 'feature', remark);
  if (type === undefined) return undefined;
  const state = fittedState(type, story.state ?? before?.state ?? 'unscheduled', remark);
  const estimate = story.estimate === undefined ? (before?.estimate ?? null) : story.estimate;
  const createdAt = past(story.createdAt, 'Created at', now, remark) ?? before?.createdAt ?? now;
  if (type === 'feature' && needsEstimate(type, state, estimate, {})) {
    remark(
      'Estimate',
      '',
      `A feature that is ${state} has points here. It was kept without; set them before its state is changed.`,
    );
  }
  const fields = {
    type,
    state,
    name: nameOf(story, remark),
    estimate,
    description: story.description === undefined ? (before?.description ?? null) : story.description,
    createdAt,
    acceptedAt: state === 'accepted' ? acceptedAt(story, before, now, remark) : null,
    deadline: type === 'release' ? (story.deadline ?? before?.deadline ?? null) : null,
    inIcebox: isScheduled(state) ? 0 : 1,
  };
  return { ...fields, updatedAt: past(story.updatedAt, 'updated_at', now, remark) ?? now };
}

function nameOf({ name, externalId }: ImportedStory, remark: Remarking): string {
  if (name.trim() === '') {
    remark('Title', name, 'A story needs a name. It was named after its id.');
    return `Story ${externalId}`;
  }
  if (name.length <= LONGEST_NAME) return name;
  remark('Title', name, `It was cut after ${LONGEST_NAME} characters.`);
  return name.slice(0, LONGEST_NAME);
}

function acceptedAt(story: ImportedStory, before: StoryFields | undefined, now: number, remark: Remarking): number {
  const told = past(story.acceptedAt, 'Accepted at', now, remark) ?? before?.acceptedAt ?? undefined;
  if (told !== undefined) return told;
  remark('Accepted at', '', 'The file does not say when it was accepted. The day of its last change was taken.');
  return past(story.updatedAt ?? story.createdAt, 'Created at', now, remark) ?? now;
}

/** A moment that can be planned with: not before 1990 and not in the future. */
function past(time: number | undefined, column: string, now: number, remark: Remarking): number | undefined {
  if (time === undefined || (time >= EARLIEST && time <= now + 86_400_000))
    return time === undefined ? undefined : Math.min(time, now);
  remark(column, new Date(time).toISOString().slice(0, 10), 'It is before 1990 or in the future. It was left out.');
  return undefined;
}
