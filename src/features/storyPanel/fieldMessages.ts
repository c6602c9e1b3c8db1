/** What the page and the extension say to each other about the fields that are written; part of `panelMessages.ts`. */

import {
  type Draft,
  type DraftField,
  draftFields,
  type FieldTexts,
  fieldTexts,
  isDraftField,
  readDraft,
} from './storyDrafts.ts';

/** An option of a list: its value, and the words for it. */
export interface Choice {
  readonly value: string;
  readonly text: string;
}

/** What the controls of the page need. */
export interface PageFields {
  /** What the story has. */
  readonly texts: FieldTexts;
  /** Those that this story has, such as a deadline for a release. */
  readonly fields: readonly DraftField[];
  /** Those of which the story shows a change that its server has not answered. */
  readonly unsent: readonly DraftField[];
  readonly labels: readonly string[];
  readonly types: readonly Choice[];
  readonly estimates: readonly Choice[];
  /** Whether the person owns the story, as far as that is known. */
  readonly isMine: boolean;
  /** Who may own or request it. */
  readonly people: readonly string[];
  readonly projectLabels: readonly string[];
}

/** A draft, and why it was refused; an empty text where it was not. */
export interface OfferedDraft extends Draft {
  readonly problem: string;
  /** It is on its way to the story. */
  readonly isSent?: boolean;
  /** What was written into the field in another window besides. */
  readonly other?: Pick<Draft, 'base' | 'text'>;
}

export type FieldsToPage =
  | { readonly type: 'fields'; readonly fields: PageFields }
  /** What is written and not saved; `isKept` where it was so before the page came. */
  | { readonly type: 'drafts'; readonly drafts: readonly OfferedDraft[]; readonly isKept?: boolean }
  /** The story has this text now, or will have it. */
  | { readonly type: 'fieldSaved'; readonly field: DraftField; readonly text: string }
  /** The person has decided elsewhere for what the story has. */
  | { readonly type: 'draftWithdrawn'; readonly field: DraftField; readonly text: string }
  /** The person has discarded these outside of the page: they can be restored in it. */
  | { readonly type: 'draftsDiscarded'; readonly drafts: readonly Draft[] }
  /** Rendered Markdown. */
  | { readonly type: 'preview'; readonly html: string }
  /** Puts the cursor into a field. */
  | { readonly type: 'write'; readonly field: DraftField };

export type FieldsFromPage =
  /** `sent` was given to the story before, and is not known to have arrived. */
  | { readonly type: 'keepDraft' | 'saveField'; readonly draft: Draft; readonly sent?: string }
  | { readonly type: 'discardDraft'; readonly field: DraftField }
  | { readonly type: 'removeLabel'; readonly text: string }
  | { readonly type: 'preview'; readonly text: string }
  /** Has a new story made of everything that is written. */
  | { readonly type: 'createStory'; readonly texts: FieldTexts }
  /** Shows the description that is being written beside the story's, in an editor of VS Code's. */
  | { readonly type: 'compare'; readonly text: string };

const fromPageTypes: readonly string[] = [
  'keepDraft',
  'saveField',
  'discardDraft',
  'removeLabel',
  'preview',
  'createStory',
  'compare',
] satisfies readonly FieldsFromPage['type'][];

export function isAboutFields<T extends { readonly type: string }>(said: T | FieldsFromPage): said is FieldsFromPage {
  return fromPageTypes.includes(said.type);
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** As `fromPage` of `panelMessages.ts`. */
export function fieldsFromPage(value: unknown): FieldsFromPage | undefined {
  const { type, text, texts, field, draft, sent } = fieldsOf(value);
  if (type === 'keepDraft' || type === 'saveField') {
    const read = readDraft(draft);
    return read && { type, draft: read, ...(typeof sent === 'string' && { sent }) };
  }
  if (type === 'createStory') return hasTexts(texts) ? { type, texts: fieldTexts((field) => texts[field]) } : undefined;
  if (type === 'discardDraft') return isDraftField(field) ? { type, field } : undefined;
  if (type === 'removeLabel' || type === 'preview' || type === 'compare')
    return typeof text === 'string' ? { type, text } : undefined;
  return undefined;
}

/** As `toPage` of `panelMessages.ts`. */
export function fieldsToPage(value: unknown): FieldsToPage | undefined {
  const { type, text, field, html, fields, drafts, isKept } = fieldsOf(value);
  if (type === 'fields') {
    const read = readPageFields(fields);
    return read && { type, fields: read };
  }
  if (type === 'drafts') {
    const kept = isKept === true && { isKept };
    return Array.isArray(drafts) ? { type, drafts: drafts.flatMap(readOffered), ...kept } : undefined;
  }
  if (type === 'draftsDiscarded') {
    return Array.isArray(drafts) ? { type, drafts: drafts.flatMap((one) => readDraft(one) ?? []) } : undefined;
  }
  if (type === 'fieldSaved' || type === 'draftWithdrawn')
    return isDraftField(field) && typeof text === 'string' ? { type, field, text } : undefined;
  if (type === 'preview') return typeof html === 'string' ? { type, html } : undefined;
  return type === 'write' && isDraftField(field) ? { type, field } : undefined;
}

function readOffered(value: unknown): readonly OfferedDraft[] {
  const draft = readDraft(value);
  const { problem, isSent, other } = fieldsOf(value);
  if (!draft) return [];
  const { base, text } = fieldsOf(other);
  return [
    {
      ...draft,
      problem: typeof problem === 'string' ? problem : '',
      ...(isSent === true && { isSent }),
      ...(typeof base === 'string' && typeof text === 'string' && { other: { base, text } }),
    },
  ];
}

function readPageFields(value: unknown): PageFields | undefined {
  const { texts, fields, unsent, labels, types, estimates, people, projectLabels } = fieldsOf(value);
  if (
    !hasTexts(texts) ||
    !Array.isArray(fields) ||
    !Array.isArray(unsent) ||
    !areChoices(types) ||
    !areChoices(estimates)
  )
    return undefined;
  if (!isTexts(labels) || !isTexts(people) || !isTexts(projectLabels)) return undefined;
  const isMine = fieldsOf(value).isMine === true;
  const written = { isMine, fields: fields.filter(isDraftField), unsent: unsent.filter(isDraftField) };
  return { texts, ...written, labels, types, estimates, people, projectLabels };
}

function hasTexts(value: unknown): value is FieldTexts {
  const texts = fieldsOf(value);
  return draftFields.every((field) => typeof texts[field] === 'string');
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function areChoices(value: unknown): value is readonly Choice[] {
  return Array.isArray(value) && value.map(fieldsOf).every((one) => isTexts([one.value, one.text]));
}

/** Servers write labels with commas between them, so that none can have one. */
export function writtenLabels(text: string): readonly string[] {
  return text
    .split(',')
    .map((label) => label.trim())
    .filter((label) => label !== '');
}
