import {
  isScheduled,
  isStoryType,
  needsEstimate,
  type StoryState,
  type StoryType,
  statesOf,
  storyTypes,
} from '../../../core/backlog/workflow.ts';
import { fieldNames } from '../../../core/fieldNames.ts';
import {
  MAX_ATTACHMENT_TEXT,
  MAX_LABELS_OF_STORY,
  MAX_LINE,
  MAX_POINTS,
  MAX_STORY_NAME,
  MAX_TEXT,
} from '../../../core/limits.ts';
import { TEXT_LIMITS } from '../../../core/story/storyFields.ts';
import { present } from '../../../v3/fields.ts';
import { ownCopy } from '../../../v3/ownedText.ts';
import type { ProjectRow } from '../../store/projects/projects.ts';
import { EARLIEST, type EditedFields, TOO_LATE } from '../../useCases/storyFields.ts';
import { estimateFault } from '../../useCases/storyRules.ts';
import { CSV_COLUMNS } from '../csv/csvRow.ts';
import type { ImportedNote, ImportedStory } from './importedStory.ts';
import type { Remarking } from './remarks.ts';

/** What of a story's row a file decides; its people, ticket and place are found elsewhere. */
type StoryFields = Omit<
  EditedFields,
  'requestedBy' | 'requesterId' | 'ownedBy' | 'ownerId' | 'integrationId' | 'externalId'
> & { readonly updatedAt: number; readonly inIcebox: number };

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
  const estimate = story.estimate === undefined ? (before?.estimate ?? null) : fittedPoints(story.estimate, remark);
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
    deadline: type === 'release' ? (fittedDeadline(story.deadline, remark) ?? before?.deadline ?? null) : null,
    inIcebox: isScheduled(state) ? 0 : 1,
  };
  return { ...fields, updatedAt: past(story.updatedAt, 'updated_at', now, remark) ?? now };
}

/** Those that a scale can have: more would not add up. */
function fittedPoints(estimate: number | null, remark: Remarking): number | null {
  if (estimate === null || estimate <= MAX_POINTS) return estimate;
  const why = `Points are whole numbers from 0 to ${MAX_POINTS}. The story is not estimated.`;
  remark('Estimate', String(estimate), why);
  return null;
}

/** It may lie ahead, but in a year of four digits. */
function fittedDeadline(time: number | undefined, remark: Remarking): number | undefined {
  if (time === undefined || (time >= EARLIEST && time < TOO_LATE)) return time;
  remark('Deadline', dayOf(time), 'It is before 1990 or too far away. It was left out.');
  return undefined;
}

function nameOf({ name, externalId }: ImportedStory, remark: Remarking): string {
  if (name.trim() === '') {
    remark('Title', name, 'A story needs a name. It was named after its id.');
    return `Story ${externalId}`;
  }
  if (name.length <= MAX_STORY_NAME) return name;
  remark('Title', name, `It was cut after ${MAX_STORY_NAME} characters.`);
  return name.slice(0, MAX_STORY_NAME);
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
  remark(column, dayOf(time), 'It is before 1990 or in the future. It was left out.');
  return undefined;
}

function dayOf(time: number): string {
  return new Date(time).toISOString().split('T', 1)[0] ?? '';
}

/** The story whose comments, tasks and attachments are of moments that can be written. */
export function fittedMoments(story: ImportedStory, now: number, remark: Remarking): ImportedStory {
  const { notes, tasks, attachments } = story;
  return {
    ...story,
    notes: notes.map(({ notedAt, ...note }) => present({ ...note, notedAt: past(notedAt, 'Comment', now, remark) })),
    tasks: tasks.map(({ createdAt, ...task }) => present({ ...task, createdAt: past(createdAt, 'Task', now, remark) })),
    attachments: attachments.map(({ uploadedAt, ...each }) =>
      present({ ...each, uploadedAt: past(uploadedAt, 'Attachment', now, remark) }),
    ),
  };
}

/** Words that other trackers, and later versions of the closed one, have for our states. */
const SYNONYMS: Readonly<Record<string, StoryState>> = {
  planned: 'unstarted',
  icebox: 'unscheduled',
  unstarted: 'unstarted',
  complete: 'finished',
  done: 'accepted',
};

/** In which a story is that cannot be in a state that the file says, most likely first. */
const NEAREST: Readonly<Record<StoryState, readonly StoryState[]>> = {
  unscheduled: ['unscheduled'],
  unstarted: ['unstarted'],
  rejected: ['rejected', 'started', 'unstarted'],
  started: ['started', 'unstarted'],
  finished: ['finished', 'started', 'unstarted'],
  delivered: ['delivered', 'started', 'unstarted'],
  accepted: ['accepted'],
};

/** The type as it is here; undefined for one that has no place here, which is remarked. */
function fittedType(given: string, remark: Remarking): StoryType | undefined {
  if (isStoryType(given)) return given;
  remark('Type', given, `Stories here are of the types ${storyTypes.join(', ')}. The row was left out.`);
  return undefined;
}

/** The state that is nearest to what the file says for a story of this type. */
function fittedState(type: StoryType, given: string, remark: Remarking): StoryState {
  const states = statesOf(type);
  const meant = SYNONYMS[given] ?? given;
  const fitting = stateNamed(meant)?.find((state) => states.includes(state)) ?? 'unscheduled';
  if (fitting !== given) remark('Current State', given, `Imported as ${fitting}.`);
  return fitting;
}

function stateNamed(name: string): readonly StoryState[] | undefined {
  return Object.entries(NEAREST).find(([state]) => state === name)?.[1];
}

type Parts = Pick<ImportedStory, 'labels' | 'ticket' | 'notes' | 'tasks' | 'attachments'>;

/**
 * The story with texts no longer than this service takes them, since a longer one would keep readers from the whole project. A comment
 * becomes several; what else is too long is cut and remarked.
 */
export function fittedTexts(story: ImportedStory, remark: Remarking): ImportedStory {
  const cut = (column: string, text: string, most: number): string => {
    if (text.length > most) remark(column, text, `It was cut after ${most} characters.`);
    return head(text, most);
  };
  const texts: { -readonly [K in keyof typeof TEXT_LIMITS]?: string } = {};
  for (const field of fieldNames(TEXT_LIMITS)) {
    const text = story[field];
    if (text) texts[field] = cut(CSV_COLUMNS[field].title, text, TEXT_LIMITS[field].longest);
  }
  const { labels, ticket } = story;
  const parts: Parts = {
    ...(ticket && { ticket: { ...ticket, externalId: cut('Ticket', ticket.externalId, MAX_LINE) } }),
    ...(labels && { labels: fewLabels(labels, remark).map((label) => cut('Labels', label, MAX_LINE)) }),
    notes: story.notes.flatMap((note) => shortNotes({ ...note, author: cut('Comment', note.author, MAX_LINE) })),
    tasks: story.tasks.map((task) => ({ ...task, description: cut('Task', task.description, MAX_TEXT) })),
    attachments: story.attachments.map((each) => ({
      ...each,
      filename: cut('Attachment', each.filename, MAX_LINE),
      description: cut('Attachment', each.description, MAX_ATTACHMENT_TEXT),
      uploadedBy: cut('Attachment', each.uploadedBy, MAX_LINE),
    })),
  };
  return { ...story, ...texts, ...parts };
}

function fewLabels(labels: readonly string[], remark: Remarking): readonly string[] {
  const surplus = labels.slice(MAX_LABELS_OF_STORY);
  if (surplus.length > 0) remark('Labels', surplus.join(', '), `A story has at most ${MAX_LABELS_OF_STORY} labels.`);
  return labels.slice(0, MAX_LABELS_OF_STORY);
}

function shortNotes(note: ImportedNote): readonly ImportedNote[] {
  const first = head(note.text, MAX_TEXT);
  if (first.length === note.text.length) return [note];
  return [{ ...note, text: first }, ...shortNotes({ ...note, text: note.text.slice(first.length) })];
}

/** Of a pair of units that are one character both or none. */
function head(text: string, most: number): string {
  const isPair = text.length > most && /[\uD800-\uDBFF]/.test(text.charAt(most - 1));
  return text.length > most ? ownCopy(text.slice(0, isPair ? most - 1 : most)) : text;
}

/** The points of a file's stories. */
export class Points {
  /** All that were seen. */
  readonly seen = new Set<number>();
  /** Types of the stories that have points. */
  readonly types = new Set<string>();
  private readonly project: ProjectRow;
  private readonly hasScale: boolean;

  /** `hasScale` is whether the project's scale and rules are settled, so that what does not fit is remarked. */
  constructor(project: ProjectRow, hasScale: boolean) {
    this.project = project;
    this.hasScale = hasScale;
  }

  note({ type, estimate }: StoryFields, remark: Remarking): void {
    if (estimate === null) return;
    this.seen.add(estimate);
    this.types.add(type);
    if (!this.hasScale) return;
    const fault = estimateFault({ type, estimate }, this.project);
    if (fault === 'type') {
      remark('Estimate', String(estimate), `A ${type} is not estimated in this project. The points do not count.`);
    } else if (fault === 'scale') {
      remark('Estimate', String(estimate), `The project's point scale is ${this.project.pointScale}. It was kept.`);
    }
  }
}
