import { averagedIterations, velocityScheme } from '../../core/backlog/velocity.ts';
import { calendarDay, type ZonedDate } from '../../core/calendar.ts';
import { fieldNames } from '../../core/fieldNames.ts';
import type { IterationStrength, ProjectEdit, ProjectSettings } from '../../core/story/projectSettings.ts';

/** What can be set of a project in a form, each a text. */
export type SettingField = Exclude<keyof ProjectEdit, 'account'>;

export type SettingTexts = Partial<Readonly<Record<SettingField, string>>>;

/** The sections that are saved as a whole, in the order of the page. */
export type FormSection = 'general' | 'planning' | 'stories' | 'webHook';

/** Where each field is, and what kind of control it has. */
export const FIELDS: Readonly<Record<SettingField, { readonly section: FormSection; readonly kind: FieldKind }>> = {
  name: { section: 'general', kind: 'text' },
  numberOfDoneIterationsToShow: { section: 'general', kind: 'number' },
  useHttps: { section: 'general', kind: 'tick' },
  pointScale: { section: 'planning', kind: 'text' },
  bugsAndChoresAreEstimatable: { section: 'planning', kind: 'tick' },
  iterationLength: { section: 'planning', kind: 'choice' },
  weekStartDay: { section: 'planning', kind: 'choice' },
  startDate: { section: 'planning', kind: 'day' },
  velocityScheme: { section: 'planning', kind: 'choice' },
  initialVelocity: { section: 'planning', kind: 'number' },
  commitMode: { section: 'planning', kind: 'tick' },
  strengths: { section: 'planning', kind: 'strengths' },
  enableTasks: { section: 'stories', kind: 'tick' },
  allowAttachments: { section: 'stories', kind: 'tick' },
  webHookUrl: { section: 'webHook', kind: 'address' },
  webHookSecret: { section: 'webHook', kind: 'secret' },
};

type FieldKind = 'text' | 'number' | 'tick' | 'choice' | 'day' | 'strengths' | 'address' | 'secret';

export const settingFields = fieldNames(FIELDS);
export const formSections: readonly FormSection[] = ['general', 'planning', 'stories', 'webHook'];

export function fieldsOf(section: FormSection): readonly SettingField[] {
  return settingFields.filter((field) => FIELDS[field].section === section);
}

export function isSettingField(value: unknown): value is SettingField {
  return settingFields.some((field) => field === value);
}

export const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

/** Of how many iterations the velocity can be the average. */
export const SCHEMES: readonly string[] = Array.from({ length: 10 }, (_, index) => velocityScheme(index + 1));

export const LENGTHS: readonly string[] = ['1', '2', '3', '4'];

/** What is told of a project, also by a server that has no settings. */
type Told = Partial<Omit<ProjectSettings, 'members' | 'integrations' | 'role' | 'id'>>;

/** Each field as its control shows it; absent what the server does not tell. */
export function settingTexts(told: Told): SettingTexts {
  const { startDate, velocityScheme: scheme, strengths, webHookUrl } = told;
  const texts: Readonly<Record<SettingField, string | undefined>> = {
    name: told.name,
    numberOfDoneIterationsToShow: numberText(told.numberOfDoneIterationsToShow),
    useHttps: tickText(told.useHttps),
    pointScale: told.pointScale?.join(', '),
    bugsAndChoresAreEstimatable: tickText(told.bugsAndChoresAreEstimatable),
    iterationLength: numberText(told.iterationLength),
    weekStartDay: told.weekStartDay,
    startDate: dayOf(startDate),
    velocityScheme: scheme === undefined ? undefined : velocityScheme(averagedIterations(scheme)),
    initialVelocity: numberText(told.initialVelocity),
    commitMode: tickText(told.commitMode),
    strengths: strengths && strengthsText(strengths),
    enableTasks: tickText(told.enableTasks),
    allowAttachments: tickText(told.allowAttachments),
    webHookUrl,
    webHookSecret: webHookUrl === undefined ? undefined : '',
  };
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined));
}

function numberText(value: number | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}

function tickText(value: boolean | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}

/** As a date control has it; empty without one. */
function dayOf(date: ZonedDate | undefined): string {
  const day = calendarDay(date);
  return day === undefined ? '' : new Date(day).toISOString().slice(0, 10);
}

/** One iteration after the other: number, percent of the team, and weeks where those differ, such as `3:50: 7:100:2`. */
function strengthsText(strengths: readonly IterationStrength[]): string {
  return strengths
    .toSorted((one, other) => one.number - other.number)
    .map(({ number, teamStrength, length }) => `${number}:${Math.round(teamStrength * 100)}:${length ?? ''}`)
    .join(' ');
}

/** The same read again; NaN for what is no number. */
function readStrengths(text: string): readonly IterationStrength[] {
  return text.split(' ').flatMap((part) => {
    if (part === '') return [];
    const [number = '', percent = '', weeks = ''] = part.split(':');
    const length = weeks === '' ? {} : { length: numberOf(weeks) };
    return [{ number: numberOf(number), teamStrength: numberOf(percent) / 100, ...length }];
  });
}

function numberOf(text: string): number {
  return /^\d+(?:\.\d+)?$/.test(text.trim()) && text.length <= 20 ? Number(text) : Number.NaN;
}

/** What a person is told of a field that cannot be sent as it is. */
export interface FieldProblems {
  readonly number: string;
  readonly name: string;
  readonly pointScale: string;
  readonly strengths: string;
  readonly strengthTwice: string;
}

interface ReadEdit {
  readonly edit: ProjectEdit;
  readonly problems: SettingTexts;
}

/** What is to be changed, of the fields that a person has changed; `known` are the texts that they were. */
export function projectEdit(texts: SettingTexts, known: SettingTexts, say: FieldProblems): ReadEdit {
  const problems: Partial<Record<SettingField, string>> = {};
  const number = (field: 'numberOfDoneIterationsToShow' | 'initialVelocity' | 'iterationLength') => {
    const text = texts[field];
    if (text === undefined) return {};
    const value = numberOf(text);
    if (Number.isInteger(value)) return { [field]: value };
    problems[field] = say.number;
    return {};
  };
  const tick = (field: TickField) => (texts[field] === undefined ? {} : { [field]: texts[field] === 'true' });
  const { name, pointScale, startDate, strengths, weekStartDay, velocityScheme: scheme } = texts;
  const { webHookUrl, webHookSecret } = texts;
  if (name?.trim() === '') problems.name = say.name;
  const points = pointScale?.split(/[\s,;]+/).filter((part) => part !== '');
  if (points?.some((part) => !Number.isInteger(numberOf(part))) || points?.length === 0) {
    problems.pointScale = say.pointScale;
  }
  const wanted = strengths === undefined ? undefined : wantedStrengths(strengths, known.strengths ?? '', say);
  if (typeof wanted === 'string') problems.strengths = wanted;
  const edit = {
    ...(name !== undefined && { name: name.trim() }),
    ...(points && { pointScale: points.map(Number) }),
    ...number('numberOfDoneIterationsToShow'),
    ...number('initialVelocity'),
    ...number('iterationLength'),
    ...(weekStartDay !== undefined && { weekStartDay }),
    ...(scheme !== undefined && { velocityScheme: scheme }),
    ...(startDate !== undefined && { startDate: startDate === '' ? null : { text: startDate.replaceAll('-', '/') } }),
    ...(Array.isArray(wanted) && { strengths: wanted }),
    ...Object.assign({}, ...TICKS.map(tick)),
    ...(webHookUrl !== undefined && { webHookUrl: webHookUrl.trim() }),
    ...(webHookSecret !== undefined && { webHookSecret }),
  };
  return { edit, problems };
}

type TickField = (typeof TICKS)[number];
const TICKS = ['useHttps', 'bugsAndChoresAreEstimatable', 'commitMode', 'enableTasks', 'allowAttachments'] as const;

/** Those that are new or different, and those that are no longer listed as usual again; a sentence where they cannot be read. */
function wantedStrengths(text: string, known: string, say: FieldProblems): readonly IterationStrength[] | string {
  const wanted = readStrengths(text);
  const isWrong = ({ number, teamStrength, length = 1 }: IterationStrength) =>
    ![number, length].every((each) => Number.isInteger(each) && each >= 1) || Number.isNaN(teamStrength);
  if (wanted.some(isWrong)) return say.strengths;
  const numbers = new Set(wanted.map(({ number }) => number));
  if (numbers.size < wanted.length) return say.strengthTwice;
  const before = readStrengths(known);
  const usual = before.filter(({ number }) => !numbers.has(number)).map(({ number }) => ({ number, teamStrength: 1 }));
  const isSame = (one: IterationStrength) => before.some((other) => strengthsText([one]) === strengthsText([other]));
  return [...wanted.filter((one) => !isSame(one)), ...usual];
}
