/**
 * What a person has begun to write: into the fields of a story, with how that stands to what the story has, and beside them. The page
 * and the extension share it.
 */

import { WRITTEN_FIELDS, type WrittenField } from '../../core/story/storyFields.ts';
import { asServersKeep, haveSameBlanks } from '../../core/text.ts';

/** The fields that are written in the tab, in the order in which it shows them. */
export const draftFields = WRITTEN_FIELDS;
export type DraftField = WrittenField;

/**
 * Each field as a control of the page holds it: points as digits, a deadline as `2027-12-31`, nothing as an empty text. Labels
 * are added and removed one by one, so that theirs is what is being typed, and a story always has an empty one.
 */
export type FieldTexts = Readonly<Record<DraftField, string>>;

/** The texts of all fields. */
export function fieldTexts(textOf: (field: DraftField) => string): FieldTexts {
  const texts: Partial<Record<DraftField, string>> = {};
  for (const field of draftFields) texts[field] = textOf(field);
  return texts as FieldTexts;
}

/** What is being written into a field. */
export interface Draft {
  readonly field: DraftField;
  /** What the story had when the person began. */
  readonly base: string;
  readonly text: string;
}

/**
 * `stored`: the story has it, or nothing was changed · `unsaved` · `conflict`: someone else has written something else since, so
 * that saving would overwrite it.
 */
type DraftState = 'stored' | 'unsaved' | 'conflict';

/** How a draft stands to the text that the story has now. */
export function draftState({ base, text }: Pick<Draft, 'base' | 'text'>, now: string): DraftState {
  if (haveSameBlanks(text, now) || haveSameBlanks(text, base)) return 'stored';
  if (isSameText(base, now)) return 'unsaved';
  return isSameText(text, now) ? 'stored' : 'conflict';
}

/**
 * What the person goes on from: what they have `sent`, from when the story shows it though no answer has come, else what it had
 * when they began.
 */
export function draftBase(base: string, sent: string | undefined, now: string | undefined): string {
  return sent !== undefined && now !== undefined && isSameText(sent, now) ? sent : base;
}

/** Pages write line ends in their own way too. */
export function isSameText(one: string, other: string): boolean {
  return one === other || asServersKeep(one) === asServersKeep(other);
}

export function isDraftField(value: unknown): value is DraftField {
  return draftFields.some((field) => field === value);
}

/** A draft as a page or the workspace's memory has it; `undefined` for anything else. */
export function readDraft(value: unknown): Draft | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { field, base, text }: Readonly<Record<string, unknown>> = { ...value };
  return isDraftField(field) && typeof base === 'string' && typeof text === 'string'
    ? { field, base, text }
    : undefined;
}

/** A text that is being written into a task. */
export interface KeptTaskEdit {
  readonly id: number;
  readonly text: string;
  /** What the task was when the person saw it last. */
  readonly known: string;
}

/** What is begun in the page beside the story's fields and its comment. */
export interface KeptTexts {
  /** A task that is to be added. */
  readonly task: string;
  readonly taskEdits: readonly KeptTaskEdit[];
  /** Tasks and comments that were not taken, and wait to be put back. */
  readonly taskReturned: readonly string[];
  readonly commentReturned: readonly string[];
}

/** As a page or the workspace's memory has them; what is not of their form is left out. */
export function keptTexts(value: unknown): KeptTexts {
  const { task, taskEdits, taskReturned, commentReturned } = fieldsOf(value);
  return {
    task: typeof task === 'string' ? task : '',
    taskEdits: Array.isArray(taskEdits) ? taskEdits.flatMap(taskEdit) : [],
    taskReturned: textsIn(taskReturned),
    commentReturned: textsIn(commentReturned),
  };
}

export const nothingKept: KeptTexts = { task: '', taskEdits: [], taskReturned: [], commentReturned: [] };

/** Whether there is anything to keep. */
export function isAnyKept({ task, taskEdits, taskReturned, commentReturned }: KeptTexts): boolean {
  return task !== '' || taskEdits.length + taskReturned.length + commentReturned.length > 0;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function taskEdit(value: unknown): readonly KeptTaskEdit[] {
  const { id, text, known } = fieldsOf(value);
  return typeof id === 'number' && typeof text === 'string' && typeof known === 'string' ? [{ id, text, known }] : [];
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((text): text is string => typeof text === 'string') : [];
}
