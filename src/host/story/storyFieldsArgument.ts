import { deadlineOn } from '../../core/calendar.ts';
import { TrackerError } from '../../core/errors.ts';
import { fieldNames } from '../../core/fieldNames.ts';
import { MAX_STORY_NAME, MAX_TEXT } from '../../core/limits.ts';
import type { StoryEdit } from '../../core/story/story.ts';
import type { WrittenField } from '../../core/story/storyFields.ts';
import type { Translating } from './fieldLabels.ts';

/** In which form each field is passed that a program can name, as contract.md calls it. */
const FORMS: Readonly<Record<WrittenField, string>> = {
  name: 'string',
  description: 'string | null',
  type: 'string',
  estimate: 'number | null',
  labels: 'string[]',
  ownedBy: 'string | null',
  requestedBy: 'string',
  deadline: '"YYYY-MM-DD" | null',
};

const READERS: { readonly [K in WrittenField]: (value: unknown) => StoryEdit[K] } = {
  name: (value) => lineIn(value, MAX_STORY_NAME),
  description: (value) => (value === null ? null : textIn(value, MAX_TEXT)),
  type: (value) => lineIn(value, MAX_STORY_NAME),
  estimate: (value) => (value === null || isPoints(value) ? value : undefined),
  labels: labelsIn,
  ownedBy: (value) => (value === null ? null : lineIn(value, MAX_STORY_NAME)),
  requestedBy: (value) => lineIn(value, MAX_STORY_NAME),
  deadline: (value) => (value === null ? null : dayIn(value)),
};

/**
 * The fields of a story that a program names. `null` clears a field.
 * @throws TrackerError `input` for the first that is not of its form, with that form.
 */
export function storyFieldsIn(
  vscode: Translating,
  given: Readonly<Record<string, unknown>>,
): Pick<StoryEdit, WrittenField> {
  const named = fieldNames(FORMS).filter((field) => given[field] !== undefined);
  return Object.fromEntries(named.map((field) => [field, fieldIn(vscode, field, given[field])]));
}

function fieldIn(vscode: Translating, field: WrittenField, value: unknown): StoryEdit[WrittenField] {
  const read = READERS[field](value);
  if (read !== undefined) return read;
  throw new TrackerError('input', vscode.l10n.t('Pass {0} as {1}.', field, FORMS[field]));
}

/** Whole, as servers write them: one that takes anything else writes a project that nobody can read any more. */
export function isPoints(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function textIn(value: unknown, longest: number): string | undefined {
  return typeof value === 'string' && value.length <= longest ? value : undefined;
}

function lineIn(value: unknown, longest: number): string | undefined {
  const text = textIn(value, longest);
  return text?.trim() === '' ? undefined : text;
}

/** Servers write labels with commas between them, so that none can have one. */
function labelsIn(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const labels: readonly unknown[] = value;
  const fit = labels.filter((one) => typeof one === 'string' && one.trim() !== '' && !one.includes(','));
  return fit.length === labels.length ? fit.map(String) : undefined;
}

const DAY = /^(\d{4})[-/](\d{2})[-/](\d{2})$/;

function dayIn(value: unknown): StoryEdit['deadline'] | undefined {
  const [, year, month, day] = (typeof value === 'string' && DAY.exec(value)) || [];
  return day === undefined ? undefined : deadlineOn(`${year}-${month}-${day}`);
}
