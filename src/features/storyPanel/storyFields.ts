import { typeWord } from '../../core/backlog/stateWords.ts';
import { isEstimatable, storyTypes } from '../../core/backlog/workflow.ts';
import { calendarDay, deadlineOn } from '../../core/calendar.ts';
import { TrackerError } from '../../core/errors.ts';
import { isPendingStory, pendingStory } from '../../core/intents/edit.ts';
import type { Intent } from '../../core/intents/intent.ts';
import {
  MAX_LABELS_OF_PROJECT,
  MAX_LABELS_OF_STORY,
  MAX_LINE,
  MAX_MEMBERS_OF_PROJECT,
  MAX_TEXT,
} from '../../core/limits.ts';
import type { Project } from '../../core/story/project.ts';
import type { NewStory, Story, StoryEdit } from '../../core/story/story.ts';
import { folded } from '../../core/text.ts';
import { type Choice, type PageFields, writtenLabels } from './fieldMessages.ts';
import type { PanelTexts } from './panelTexts.ts';
import { type DraftField, draftFields, type FieldTexts } from './storyDrafts.ts';

/** What of a project decides what can be written into a story's fields. */
type FieldProject = Partial<Pick<Project, 'bugsAndChoresAreEstimatable' | 'pointScale' | 'labels' | 'memberships'>>;

/** The same, and what the person is called there, where that is known. */
type OwnFieldProject = FieldProject & { readonly me?: string };

/** Characters of a line that a control shows; a longer one was written by no person, and is not edited. */
const LONGEST_LINE = 4 * MAX_LINE;
const LONGEST: Readonly<Record<DraftField, number>> = {
  name: MAX_TEXT,
  description: 10 * MAX_TEXT,
  type: LONGEST_LINE,
  estimate: LONGEST_LINE,
  ownedBy: LONGEST_LINE,
  requestedBy: LONGEST_LINE,
  labels: LONGEST_LINE,
  deadline: LONGEST_LINE,
};

/** The fields of a story as the page's controls hold them. */
export function fieldTexts(story: Story): FieldTexts {
  return {
    name: story.name,
    description: story.description ?? '',
    type: story.type,
    estimate: story.estimate === undefined || story.estimate < 0 ? '' : String(story.estimate),
    ownedBy: story.ownedBy ?? '',
    requestedBy: story.requestedBy ?? '',
    labels: '',
    deadline: dayOf(story),
  };
}

/** As date boxes have it; empty where the server wrote no day that can be read. */
function dayOf({ deadline }: Story): string {
  const day = new Date(calendarDay(deadline) ?? Number.NaN);
  const text = Number.isNaN(day.getTime()) ? '' : day.toISOString();
  return text.length === 24 ? text.slice(0, 10) : '';
}

/** The fields that are written in the tab: those of a story that a server has, as far as they are no longer than people write. */
export function writtenFields(story: Story, project: FieldProject): readonly DraftField[] {
  if (isPendingStory(story)) return [];
  const texts = fieldTexts(story);
  return draftFields.filter((field) => hasField(field, story, project) && texts[field].length <= LONGEST[field]);
}

/** The fields into which these changes of a story, which no server has answered, are to write. */
export function unsentFields(intents: readonly Intent[]): readonly DraftField[] {
  const changed = new Set(
    intents.flatMap((intent): readonly string[] => {
      if (intent.kind === 'labels') return ['labels'];
      return intent.kind === 'edit' ? Object.keys(intent.edit) : [];
    }),
  );
  return draftFields.filter((field) => changed.has(field));
}

/** Everything that the controls of the page need: what the story has, what of that is not sent yet, and what can be chosen. */
export function pageFields(
  story: Story,
  project: OwnFieldProject,
  texts: PanelTexts,
  unsent: readonly DraftField[] = [],
): PageFields {
  const all = fieldTexts(story);
  const fields = writtenFields(story, project);
  const type = { value: all.type, text: typeWord(all.type) };
  return {
    texts: mapped(all, (text, field) => (fields.includes(field) ? text : '')),
    fields,
    isMine: story.ownedBy !== undefined && story.ownedBy === project.me,
    unsent: unsent.filter((field) => fields.includes(field)),
    labels: story.labels.slice(0, MAX_LABELS_OF_STORY).filter(({ length }) => length <= LONGEST_LINE),
    types: withPresent(
      storyTypes.map((one) => ({ value: one, text: typeWord(one) })),
      type,
    ),
    estimates: estimateChoices(all.estimate, project, texts),
    people: peopleOf(story, project),
    projectLabels: (project.labels ?? []).slice(0, MAX_LABELS_OF_PROJECT),
  };
}

function mapped(texts: FieldTexts, change: (text: string, field: DraftField) => string): FieldTexts {
  return {
    name: change(texts.name, 'name'),
    description: change(texts.description, 'description'),
    type: change(texts.type, 'type'),
    estimate: change(texts.estimate, 'estimate'),
    ownedBy: change(texts.ownedBy, 'ownedBy'),
    requestedBy: change(texts.requestedBy, 'requestedBy'),
    labels: change(texts.labels, 'labels'),
    deadline: change(texts.deadline, 'deadline'),
  };
}

/** A deadline or an estimate that a story of another type still has can be taken off it. */
function hasField(field: DraftField, story: Story, project: FieldProject): boolean {
  if (field === 'deadline') return story.type === 'release' || story.deadline !== undefined;
  if (field === 'estimate') return isEstimatable(story.type, project) || (story.estimate ?? -1) >= 0;
  return true;
}

function estimateChoices(now: string, { pointScale = [] }: FieldProject, texts: PanelTexts): readonly Choice[] {
  const choice = (value: string) => ({ value, text: texts.points(Number(value)) });
  const scale = pointScale.map((points) => choice(String(points)));
  return [{ value: '', text: texts.unestimated }, ...(now === '' ? scale : withPresent(scale, choice(now)))];
}

/** What a story has can be chosen too, whatever the project offers. */
function withPresent(choices: readonly Choice[], present: Choice): readonly Choice[] {
  return choices.some(({ value }) => value === present.value) ? choices : [...choices, present];
}

/** The members, and who is in the story though no member. */
function peopleOf({ ownedBy, requestedBy }: Story, { memberships = [] }: FieldProject): readonly string[] {
  const members = memberships.slice(0, MAX_MEMBERS_OF_PROJECT).map(({ person }) => person.name);
  const names = [...members, ownedBy ?? '', requestedBy ?? ''].filter(
    ({ length }) => length > 0 && length <= LONGEST_LINE,
  );
  return [...new Set(names)].toSorted((one, other) => one.localeCompare(other));
}

/**
 * The edit that gives a field this text. @throws TrackerError `input` when the field cannot have it. `people` are those that
 * may own or request a story; none where they are not known.
 */
export function fieldEdit(
  field: Exclude<DraftField, 'labels'>,
  text: string,
  people: readonly string[],
  texts: PanelTexts,
) {
  return EDITS[field](text, people, texts);
}

type EditFrom = (text: string, people: readonly string[], texts: PanelTexts) => StoryEdit;

const EDITS: Readonly<Record<Exclude<DraftField, 'labels'>, EditFrom>> = {
  name: (text, _, texts) => {
    const lines = text.split(/[\r\n]/).map((line) => line.trim());
    const name = lines.filter((line) => line !== '').join(' ');
    if (name === '') throw new TrackerError('input', texts.writing.enterName);
    return { name };
  },
  description: (text) => ({ description: text.trim() === '' ? null : text }),
  type: (type) => ({ type }),
  estimate: (text, _, texts) => {
    const points = text.trim();
    if (points !== '' && !/^\d{1,9}(?:\.\d{1,9})?$/.test(points))
      throw new TrackerError('input', texts.writing.enterPoints);
    return { estimate: points === '' ? null : Number(points) };
  },
  ownedBy: (text, people, texts) => ({ ownedBy: text.trim() === '' ? null : memberNamed(text, people, texts) }),
  requestedBy: (text, people, texts) => ({ requestedBy: memberNamed(text, people, texts) }),
  deadline: (text, _, texts) => {
    const deadline = text === '' ? null : deadlineOn(text);
    if (deadline === undefined) throw new TrackerError('input', texts.writing.enterDay);
    return { deadline };
  },
};

function memberNamed(text: string, people: readonly string[], texts: PanelTexts): string {
  const name = text.trim();
  if (name === '') throw new TrackerError('input', texts.writing.enterRequester);
  const isSo = (one: string) => folded(one) === folded(name);
  const member = people.find((one) => one === name) ?? people.find(isSo);
  if (member === undefined && people.length > 0) throw new TrackerError('input', texts.writing.noMember(name));
  return member ?? name;
}

/** What a story has in a field, as an edit knows it. */
export function knownEdit(field: Exclude<DraftField, 'labels'>, story: Story): StoryEdit {
  return { [field]: story[field] ?? null };
}

/** What was written into a field cannot be in it. */
export class RefusedField extends TrackerError {
  readonly field: DraftField;

  constructor(field: DraftField, refusal: TrackerError) {
    super(refusal.kind, refusal.message, { cause: refusal });
    this.field = field;
  }
}

/**
 * What a person wrote of a new story; what a story of its type has not stays away. @throws RefusedField where `fieldEdit` throws
 */
export function newStoryFields(written: FieldTexts, project: FieldProject, texts: PanelTexts): NewStory {
  const edit = (field: Exclude<DraftField, 'labels'>, people: readonly string[]) => {
    try {
      return fieldEdit(field, written[field], people, texts);
    } catch (thrown) {
      throw thrown instanceof TrackerError ? new RefusedField(field, thrown) : thrown;
    }
  };
  const { name } = edit('name', []);
  const type = written.type === '' ? {} : { type: written.type };
  const blank = { ...pendingStory(-1, { name: '', ...type }), id: 1 };
  const people = (project.memberships ?? []).map(({ person }) => person.name);
  const edits = writtenFields(blank, project).map((field): StoryEdit => {
    const text = written[field];
    if (field === 'labels') return text.trim() === '' ? {} : { labels: writtenLabels(text) };
    return text.trim() === '' ? {} : edit(field, people);
  });
  return Object.assign({ name }, ...edits);
}
