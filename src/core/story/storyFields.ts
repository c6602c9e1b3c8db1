import { calendarDay, namedDay, type ZonedDate } from '../calendar.ts';
import { fieldNames } from '../fieldNames.ts';
import { MAX_LINE, MAX_TEXT } from '../limits.ts';
import { asServersKeep, folded } from '../text.ts';
import { t } from '../translation.ts';
import type { Story, StoryEdit, StoryFields } from './story.ts';

/** What must be known of every field of a story, whatever it holds. */
interface FieldFacts {
  /** Whether it decides the order of stories or in which iteration they are. */
  readonly isPlacing: boolean;
  /** Whether the activity of an edit tells of it. */
  readonly isTold: boolean;
}

/**
 * In the order in which activities tell of them. Comments, tasks and attachments have activities of their own; an edit cannot
 * change the id, and the time of the update is the activity's.
 */
export const STORY_FIELDS: Readonly<Record<keyof Story, FieldFacts>> = {
  id: { isPlacing: true, isTold: false },
  projectId: { isPlacing: true, isTold: false },
  url: { isPlacing: false, isTold: false },
  type: { isPlacing: true, isTold: true },
  state: { isPlacing: true, isTold: true },
  estimate: { isPlacing: true, isTold: true },
  name: { isPlacing: false, isTold: true },
  description: { isPlacing: false, isTold: true },
  requestedBy: { isPlacing: false, isTold: true },
  ownedBy: { isPlacing: false, isTold: true },
  createdAt: { isPlacing: true, isTold: true },
  updatedAt: { isPlacing: false, isTold: false },
  acceptedAt: { isPlacing: true, isTold: true },
  deadline: { isPlacing: false, isTold: true },
  labels: { isPlacing: false, isTold: true },
  rank: { isPlacing: true, isTold: true },
  ticket: { isPlacing: false, isTold: true },
  attachments: { isPlacing: false, isTold: false },
  notes: { isPlacing: false, isTold: false },
  tasks: { isPlacing: false, isTold: false },
};

/** Of fields that hold a text. Types and states are words that a service knows; a name is judged together with them. */
type FreeText = Exclude<TextField, 'type' | 'state' | 'name'>;
type TextField = { [K in keyof StoryFields]: string extends StoryFields[K] ? K : never }[keyof StoryFields];

interface TextLimit {
  /** What it is called where it is too long. */
  readonly what: string;
  /** Characters that it may have. */
  readonly longest: number;
}

/** The fields that hold what a person writes. */
export const TEXT_LIMITS: Readonly<Record<FreeText, TextLimit>> = {
  description: { what: 'The description of a story', longest: MAX_TEXT },
  requestedBy: { what: 'The name of a requester', longest: MAX_LINE },
  ownedBy: { what: 'The name of an owner', longest: MAX_LINE },
};

/** What people call the fields of a story in the middle of a sentence. */
export function fieldWords(): Readonly<Record<keyof StoryFields, string>> {
  return {
    type: t('type'),
    state: t('state'),
    name: t('name'),
    estimate: t('estimate'),
    description: t('description'),
    requestedBy: t('requester'),
    ownedBy: t('owner'),
    labels: t('labels'),
    deadline: t('deadline'),
    createdAt: t('creation date'),
    acceptedAt: t('acceptance date'),
    ticket: t('ticket'),
  };
}

/** A field that people write in a story's tab and programs pass to commands. The others have commands of their own, or are a server's to set. */
export type WrittenField = Exclude<keyof StoryFields, 'state' | 'createdAt' | 'acceptedAt' | 'ticket'>;

const WRITTEN: Readonly<Record<WrittenField, true>> = {
  name: true,
  description: true,
  type: true,
  estimate: true,
  ownedBy: true,
  requestedBy: true,
  labels: true,
  deadline: true,
};

/** In the order in which the tab shows them. */
export const WRITTEN_FIELDS = fieldNames(WRITTEN);

/** What no edit clears. */
const LASTING: ReadonlySet<string> = new Set<keyof StoryFields>(['requestedBy', 'createdAt', 'acceptedAt']);

/** What a story has in these fields, in the form of an edit that would set it; without those that it lacks and no edit clears. */
export function fieldsOf<Field extends Exclude<keyof StoryFields, 'ticket'>>(
  story: Story,
  names: readonly Field[],
): Pick<StoryEdit, Field> {
  const values = names.flatMap((name): readonly [Field, unknown][] => {
    const value = name === 'estimate' && Number(story[name]) < 0 ? undefined : story[name];
    return value === undefined && LASTING.has(name) ? [] : [[name, value ?? null]];
  });
  return Object.fromEntries(values) as Pick<StoryEdit, Field>;
}

/** Each field that a person sets with its value, or with none: one that is forgotten does not compile. */
type EveryField = { readonly [K in keyof StoryFields]: StoryFields[K] | undefined };

/** Those of them that have a value. */
export function givenFields(fields: EveryField): StoryEdit {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** A field's value as people write it; empty where there is none. */
export function fieldText(value: Story[keyof StoryFields] | StoryFields[keyof StoryFields]): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return value < 0 ? '' : String(value);
  if (value === undefined || value === null) return '';
  if ('externalId' in value) return value.externalId;
  if (!('text' in value)) return value.join(', ');
  const day = calendarDay(value);
  return day === undefined ? value.text : namedDay(day);
}

const PEOPLE: ReadonlySet<string> = new Set<keyof StoryFields>(['ownedBy', 'requestedBy']);

/**
 * A field's value for telling whether two are the same: servers sort labels, know people by name and tickets by their ids, write
 * days in zones of their own, and leave out what is empty.
 */
export function comparableField(name: string, value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return PEOPLE.has(name) ? folded(asServersKeep(value)) : asServersKeep(value);
  if (name === 'estimate') return Number(value) < 0 ? '' : String(value);
  if (Array.isArray(value))
    return JSON.stringify(value.map((one) => asServersKeep(String(one)).toLowerCase()).toSorted());
  const { externalId, time, text } = Object(value) as Readonly<Record<string, unknown>>;
  if (name === 'deadline') return String(calendarDay(value as ZonedDate) ?? text);
  return asServersKeep(String(externalId ?? time ?? text ?? JSON.stringify(value)));
}
