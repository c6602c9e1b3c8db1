import type { IterationSlot } from '../../../core/backlog/plannedIteration.ts';
import { namedDay } from '../../../core/calendar.ts';
import { fieldNames } from '../../../core/fieldNames.ts';
import { MAX_LABELS_OF_STORY, MAX_LINE, MAX_NUMBER, MAX_POINTS } from '../../../core/limits.ts';
import type { Story } from '../../../core/story/story.ts';
import { readZonedDate } from '../../../v3/dates.ts';
import { present, words } from '../../../v3/fields.ts';
import { ownCopy } from '../../../v3/ownedText.ts';
import type { ImportedNote, ImportedStory, ImportedTask } from '../import/importedStory.ts';
import { FileFault, type Remarking } from '../import/remarks.ts';
import { cellOfText, readCsvComment, UNKNOWN_AUTHOR } from './csvCells.ts';

/** What a row says of a story that the story does not. */
interface StoryPlace {
  /** Of the service, where stories have pages. */
  readonly base: string | undefined;
  readonly iteration: IterationSlot | undefined;
}

interface Column {
  /** As the closed service's export has it. */
  readonly title: string;
  /** What else it is called, in lower case. */
  readonly otherTitles?: readonly string[];
  readonly cell: (story: Story, place: StoryPlace) => string;
  /** Whether it is not read: it follows from others, or leads to the closed service. */
  readonly isNeedless?: true;
}

type UntoldField = 'projectId' | 'updatedAt' | 'rank' | 'ticket' | 'attachments' | 'notes' | 'tasks';
type Single = Exclude<keyof Story, UntoldField> | 'iteration' | 'iterationStart' | 'iterationEnd';

/** Columns of which the closed service's export has one, in its order; of owners, other tables have several. */
export const CSV_COLUMNS: Readonly<Record<Single, Column>> = {
  id: { title: 'Id', otherTitles: ['story id'], cell: ({ id }) => String(id) },
  name: { title: 'Title', otherTitles: ['name', 'story'], cell: ({ name }) => cellOfText(name) },
  labels: { title: 'Labels', cell: (story) => cellOfText(story.labels.join(', ')) },
  iteration: {
    title: 'Iteration',
    cell: (_, { iteration }) => (iteration ? String(iteration.number) : ''),
    isNeedless: true,
  },
  iterationStart: { title: 'Iteration Start', cell: (_, { iteration }) => dayCell(iteration?.start), isNeedless: true },
  iterationEnd: {
    title: 'Iteration End',
    cell: (_, { iteration }) => dayCell(iteration && iteration.finish - 1),
  },
  type: { title: 'Type', otherTitles: ['story type'], cell: ({ type }) => type },
  estimate: {
    title: 'Estimate',
    otherTitles: ['points'],
    cell: (story) => ((story.estimate ?? -1) < 0 ? '' : String(story.estimate)),
  },
  state: { title: 'Current State', otherTitles: ['state'], cell: ({ state }) => state },
  createdAt: { title: 'Created at', cell: ({ createdAt }) => dayCell(createdAt?.time) },
  acceptedAt: { title: 'Accepted at', cell: ({ acceptedAt }) => dayCell(acceptedAt?.time) },
  deadline: { title: 'Deadline', cell: ({ deadline }) => dayCell(deadline?.time) },
  requestedBy: { title: 'Requested By', cell: ({ requestedBy = '' }) => cellOfText(requestedBy) },
  description: { title: 'Description', cell: ({ description = '' }) => cellOfText(description) },
  url: {
    title: 'URL',
    cell: ({ id }, { base }) => (base === undefined ? '' : `${base}/story/show/${id}`),
    isNeedless: true,
  },
  ownedBy: { title: 'Owned By', cell: ({ ownedBy = '' }) => cellOfText(ownedBy) },
};

const NEEDLESS: ReadonlySet<string> = new Set(
  Object.values(CSV_COLUMNS).flatMap(({ title, isNeedless }) => (isNeedless ? [title.toLowerCase()] : [])),
);

function dayCell(time: number | undefined): string {
  return time === undefined ? '' : namedDay(time);
}

/** Where in a row what stands. */
export interface CsvHeader {
  readonly names: readonly string[];
  readonly at: Readonly<Partial<Record<Single, number>>>;
  readonly owners: readonly number[];
  readonly comments: readonly number[];
  /** Of each task the column of its text and that of its status. */
  readonly tasks: readonly (readonly [number, number | undefined])[];
  /** Columns of comments and tasks, which may go on in further rows. */
  readonly parts: ReadonlySet<number>;
  /** Columns of which nothing is known. */
  readonly unknown: readonly number[];
}

/** Reads the first row, whatever the order of the columns. Throws when there is no id or no title. */
export function readCsvHeader(cells: readonly string[]): CsvHeader {
  const names = cells.map((cell) => cell.trim());
  const keys = names.map((name) => name.toLowerCase().replace(/\s+/g, ' '));
  const at: Partial<Record<Single, number>> = {};
  for (const field of fieldNames(CSV_COLUMNS)) {
    const { title, otherTitles = [], isNeedless } = CSV_COLUMNS[field];
    const titles = [title.toLowerCase(), ...otherTitles];
    const index = isNeedless ? -1 : keys.findIndex((key) => titles.includes(key));
    if (index >= 0) at[field] = index;
  }
  if (at.id === undefined || at.name === undefined) {
    throw new FileFault(
      'This is not an export of stories. Its first row must name the columns, among them Id and Title.',
    );
  }
  const all = (name: string): number[] => keys.flatMap((key, index) => (key === name ? [index] : []));
  const [owners, comments, texts, statuses] = [all('owned by'), all('comment'), all('task'), all('task status')];
  const known = new Set([...Object.values(at), ...owners, ...comments, ...texts, ...statuses]);
  const unknown = keys.flatMap((key, index) => (known.has(index) || key === '' || NEEDLESS.has(key) ? [] : [index]));
  const tasks = texts.map((text, index) => [text, statuses[index]] as const);
  return { names, at, owners, comments, tasks, parts: new Set([...comments, ...texts, ...statuses]), unknown };
}

/** Characters of all labels of a story, with the commas between them. */
const LONGEST_LABELS = MAX_LABELS_OF_STORY * (MAX_LINE + 2);

/** What of a row may stand in several rows of one story. */
interface RowParts {
  readonly notes: readonly ImportedNote[];
  readonly tasks: readonly ImportedTask[];
}

interface Row {
  readonly header: CsvHeader;
  readonly cells: readonly string[];
  readonly remark: Remarking;
}

/** The story of a row; what is not understood is remarked and left out. Undefined for a row without an id. */
export function readCsvRow(
  header: CsvHeader,
  cells: readonly string[],
  row: number,
  remark: Remarking,
): ImportedStory | undefined {
  const line: Row = { header, cells, remark };
  const externalId = trimmed(text(line, 'id')) ?? '';
  if (externalId === '') {
    remark('Id', '', 'A row without an id was left out.');
    return undefined;
  }
  if (externalId.length > MAX_LINE) {
    remark('Id', externalId, `An id has at most ${MAX_LINE} characters. The row was left out.`);
    return undefined;
  }
  remarkUnknown(line);
  const state = text(line, 'state')?.trim().toLowerCase();
  return present({
    row,
    externalId,
    name: text(line, 'name') ?? '',
    type: text(line, 'type')?.trim().toLowerCase(),
    state,
    estimate: estimate(line),
    description: text(line, 'description') === '' ? null : text(line, 'description'),
    requestedBy: trimmed(text(line, 'requestedBy')) || undefined,
    ownedBy: owner(line),
    createdAt: date(line, 'createdAt'),
    acceptedAt: state === 'accepted' ? (date(line, 'acceptedAt') ?? date(line, 'iterationEnd')) : undefined,
    deadline: date(line, 'deadline'),
    labels: labels(line),
    ...readRowParts(header, cells, remark),
    attachments: [],
  } satisfies Record<Exclude<keyof ImportedStory, 'updatedAt' | 'ticket'>, unknown>);
}

/** Whether a row has comments or tasks, and nothing else but its id: the story of that id goes on in it. */
export function isFurtherRow({ at, parts }: CsvHeader, cells: readonly string[]): boolean {
  let hasParts = false;
  for (const [index, cell] of cells.entries()) {
    if (index === at.id || cell.trim() === '') continue;
    if (!parts.has(index)) return false;
    hasParts = true;
  }
  return hasParts;
}

export function readRowParts(header: CsvHeader, cells: readonly string[], remark: Remarking): RowParts {
  const line = { header, cells, remark };
  return { notes: notes(line), tasks: tasks(line) };
}

/** Of columns in their order those that a row has, which may be far fewer than the first row names. */
function beginning(columns: readonly number[], cells: readonly string[]): readonly number[] {
  const end = columns.findIndex((index) => index >= cells.length);
  return end < 0 ? columns : columns.slice(0, end);
}

/** What is kept beyond its row does not keep a long cell. */
function trimmed(cell: string | undefined): string | undefined {
  const text = cell?.trim();
  const isCut = cell !== undefined && text !== undefined && cell.length > MAX_LINE && text.length <= MAX_LINE;
  return isCut ? ownCopy(text) : text;
}

/** Undefined where there is no such column. */
function text({ header, cells }: Row, field: Single): string | undefined {
  const index = header.at[field];
  return index === undefined ? undefined : (cells[index] ?? '');
}

function nameOf({ header }: Row, field: Single): string {
  return header.names[header.at[field] ?? -1] ?? '';
}

function estimate(row: Row): number | null | undefined {
  const given = text(row, 'estimate')?.trim();
  if (given === undefined) return undefined;
  if (given === '' || given === '-1') return null;
  const points = given.length > MAX_NUMBER ? Number.NaN : Number(given);
  if (Number.isInteger(points) && points >= 0 && points <= MAX_POINTS) return points;
  row.remark(nameOf(row, 'estimate'), given, NO_POINTS);
  return null;
}

const NO_POINTS = `Points are whole numbers from 0 to ${MAX_POINTS}. The story is not estimated.`;

function date(row: Row, field: Single): number | undefined {
  const given = text(row, field)?.trim() ?? '';
  if (given === '') return undefined;
  const { time } = readZonedDate(given);
  if (time === undefined)
    row.remark(nameOf(row, field), given, 'This is not a date such as "Jan 5, 2017" or "2017/01/05". It was left out.');
  return time;
}

/** Of a cell that holds more than a story has labels, only the beginning is taken apart. */
function labels(row: Row): readonly string[] | undefined {
  const given = text(row, 'labels');
  if (given === undefined || given.length <= LONGEST_LABELS) return given === undefined ? undefined : words(given);
  row.remark(nameOf(row, 'labels'), given, `Only the first ${MAX_LABELS_OF_STORY} labels are kept.`);
  return words(given.slice(0, LONGEST_LABELS)).slice(0, MAX_LABELS_OF_STORY);
}

function owner(row: Row): string | null | undefined {
  const { header, cells, remark } = row;
  if (header.owners.length === 0) return undefined;
  const names = beginning(header.owners, cells).map((index) => cells[index] ?? '');
  const [first, ...others] = names.filter((name) => name.trim() !== '');
  if (others.length > 0)
    remark(
      'Owned By',
      others.map((name) => name.trim()).join(', '),
      'Stories have one owner here. Only the first is kept.',
    );
  return trimmed(first) ?? null;
}

function notes({ header, cells, remark }: Row): readonly ImportedNote[] {
  const found: ImportedNote[] = [];
  for (const index of beginning(header.comments, cells)) {
    const cell = cells[index] ?? '';
    if (cell.trim() === '') continue;
    const note = readCsvComment(cell);
    if (!note)
      remark('Comment', cell, `It does not end with (Author - date). It was kept as one of "${UNKNOWN_AUTHOR}".`);
    found.push(note ?? { text: cell, author: UNKNOWN_AUTHOR });
  }
  return found;
}

const COMPLETE = ['completed', 'complete', 'done', 'true'];
const OPEN = ['', 'not completed', 'incomplete', 'open', 'false'];

function tasks({ header, cells, remark }: Row): readonly ImportedTask[] {
  const found: ImportedTask[] = [];
  for (const [at, statusAt] of header.tasks) {
    if (at >= cells.length) break;
    const description = cells[at] ?? '';
    if (description.trim() === '') continue;
    const status = (cells[statusAt ?? -1] ?? '').trim().toLowerCase();
    const complete = COMPLETE.includes(status);
    if (!complete && !OPEN.includes(status)) remark('Task Status', status, 'Imported as not completed.');
    found.push({ description, complete });
  }
  return found;
}

/** What the closed service wrote where a story had no priority. */
const NOTHING = 'none';

function remarkUnknown({ header, cells, remark }: Row): void {
  for (const index of beginning(header.unknown, cells)) {
    const value = cells[index]?.trim() ?? '';
    if (value !== '' && value !== NOTHING) remark(header.names[index] ?? '', value, 'This column is not imported.');
  }
  const surplus = cells.slice(header.names.length).filter((cell) => cell.trim() !== '');
  if (surplus.length > 0) remark('', surplus.join(', '), 'The row has more cells than the first row names.');
}
