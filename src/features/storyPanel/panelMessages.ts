/** What the page and the extension say to each other. Both sides check what comes in. */

import { type FieldsFromPage, type FieldsToPage, fieldsFromPage, fieldsToPage } from './fieldMessages.ts';
import { type ListName, listNames } from './listWindow.ts';
import { type DraftField, isDraftField, type KeptTexts, keptTexts } from './storyDrafts.ts';
import { type TaskFromPage, type TaskToPage, taskFromPage, taskToPage } from './taskMessages.ts';

export const partNames = [
  'head',
  'description',
  'tasks',
  'comments',
  'details',
  'attachments',
  'commits',
  'history',
] as const;
type PartName = (typeof partNames)[number];

/** Pieces of HTML, made by the extension. */
export type Parts = Readonly<Record<PartName, string>>;

/** Which story a panel shows; kept by the page over a reload. */
export interface PanelStory {
  readonly accountId: string;
  readonly projectId: number;
  readonly storyId: number;
}

/** The number of a story that is being written and that nothing knows yet; no server gives it. */
export const NEW_STORY = 0;

export type ToPage =
  | FieldsToPage
  /**
   * The page is one of a new story; `where` says where it will land. `unfinishedAt`, in milliseconds since the epoch, is when what
   * is written was left, where a person wanted a new story since.
   */
  | { readonly type: 'newStory'; readonly story: PanelStory; readonly where: string; readonly unfinishedAt?: number }
  | { readonly type: 'content'; readonly story: PanelStory; readonly parts: Parts }
  /** Why something could not be done or read; empty when all is well. `open` is a link to a story, `field` one of a new story. */
  | {
      readonly type: 'problem';
      readonly text: string;
      readonly open?: { readonly id: number; readonly text: string };
      readonly field?: DraftField;
    }
  /** Whether the story can be changed: it is there, and its account is signed in. */
  | { readonly type: 'writable'; readonly isWritable: boolean }
  /** Said by a screen reader, not shown. */
  | { readonly type: 'announce'; readonly text: string }
  | { readonly type: 'commentTaken'; readonly text: string }
  /** The person has discarded these outside of the page: they can be put back in it. */
  | { readonly type: 'begunDiscarded'; readonly comment: string; readonly task: string }
  | TaskToPage
  /** An image among the attachments. */
  | { readonly type: 'image'; readonly id: number; readonly mime: string; readonly bytes: Uint8Array<ArrayBufferLike> }
  /** Files that were pasted and are not attached. */
  | { readonly type: 'notAttached'; readonly names: readonly string[] }
  /** A comment that was begun before; put in where nothing else is. */
  | { readonly type: 'draft'; readonly text: string }
  /** What else was begun before. */
  | { readonly type: 'texts'; readonly texts: KeptTexts }
  | { readonly type: 'commentRefused'; readonly text: string; readonly problem: string };

/** In bytes. What is pasted goes through memory, so a larger file is only named. */
export const PASTE_LIMIT = 32 * 1024 * 1024;

export type PastedFile =
  | { readonly name: string; readonly bytes: Uint8Array }
  /** One over the limit, of which nothing was read; `size` in bytes. */
  | { readonly name: string; readonly size: number };

/** Commands that the page runs for its story. */
const storyCommands = [
  'startStory',
  'finishStory',
  'insertMarker',
  'linkCommits',
  'changeState',
  'estimateStory',
  'ownStory',
  'giveStoryUp',
  'linkTicket',
  'openTicket',
  'unlinkTicket',
] as const;
export type StoryCommand = (typeof storyCommands)[number];

export type FromPage =
  | FieldsFromPage
  | { readonly type: 'ready' }
  /** Something was typed for the first time. */
  | { readonly type: 'edited' }
  | { readonly type: 'draft'; readonly text: string }
  /** What else is begun, to be kept like the comment. */
  | { readonly type: 'keepTexts'; readonly texts: KeptTexts }
  | { readonly type: 'comment'; readonly text: string }
  | TaskFromPage
  | { readonly type: 'command'; readonly command: StoryCommand }
  | { readonly type: 'state'; readonly state: string }
  | { readonly type: 'older' | 'newest'; readonly list: ListName }
  | { readonly type: 'olderHistory' }
  | { readonly type: 'openAttachment'; readonly id: number }
  /** The row of an image is seen. */
  | { readonly type: 'image'; readonly id: number }
  | { readonly type: 'saveAttachment'; readonly id: number }
  /** `hash` where it is of a commit, whose address may be of no page. */
  | { readonly type: 'link'; readonly address: string; readonly hash?: string }
  /** A story that a text mentions. */
  | { readonly type: 'story'; readonly id: number }
  | { readonly type: 'paste'; readonly files: readonly PastedFile[] }
  | { readonly type: 'browser' }
  | { readonly type: 'undo' }
  | { readonly type: 'redo' }
  | { readonly type: 'saveAllAttachments' }
  | { readonly type: 'attach' };

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function isId(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value);
}

function isPastedFile(value: unknown): value is PastedFile {
  const { name, bytes, size } = fieldsOf(value);
  return typeof name === 'string' && name !== '' && (bytes instanceof Uint8Array || isId(size));
}

/** What a page said; `undefined` when a page sends no such message. */
export function fromPage(value: unknown): FromPage | undefined {
  const { type, text, texts, id, state, files, command, list } = fieldsOf(value);
  if (type === 'ready' || type === 'browser' || type === 'attach' || type === 'saveAllAttachments') return { type };
  if (type === 'edited' || type === 'olderHistory' || type === 'undo' || type === 'redo') return { type };
  if (type === 'command') {
    const known = storyCommands.find((one) => one === command);
    return known && { type, command: known };
  }
  if (type === 'older' || type === 'newest') {
    const known = listNames.find((one) => one === list);
    return known && { type, list: known };
  }
  if (type === 'comment') return typeof text === 'string' && text.trim() !== '' ? { type, text } : undefined;
  if (type === 'draft') return typeof text === 'string' ? { type, text } : undefined;
  if (type === 'keepTexts') return { type, texts: keptTexts(texts) };
  if (type === 'state') return typeof state === 'string' ? { type, state } : undefined;
  if (type === 'link') return linkFromPage(fieldsOf(value));
  if (type === 'paste') return Array.isArray(files) && files.every(isPastedFile) ? { type, files } : undefined;
  if (type === 'openAttachment' || type === 'saveAttachment' || type === 'story' || type === 'image')
    return isId(id) ? { type, id } : undefined;
  return taskFromPage(fieldsOf(value)) ?? fieldsFromPage(value);
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

function linkFromPage({ address, hash }: Fields): FromPage | undefined {
  if (typeof address !== 'string') return undefined;
  return { type: 'link', address, ...(typeof hash === 'string' ? { hash } : {}) };
}

/** What the extension said; `undefined` for anything else. */
export function toPage(value: unknown): ToPage | undefined {
  const { type, text, texts, problem, story, parts, where, isWritable } = fieldsOf(value);
  if (type === 'content') {
    const [shown, html] = [panelStory(story), partsOf(parts)];
    return shown && html && { type, story: shown, parts: html };
  }
  if (type === 'newStory') {
    const written = panelStory(story);
    const { unfinishedAt } = fieldsOf(value);
    const unfinished = typeof unfinishedAt === 'number' ? { unfinishedAt } : {};
    return written && typeof where === 'string' ? { type, story: written, where, ...unfinished } : undefined;
  }
  if (type === 'writable') return typeof isWritable === 'boolean' ? { type, isWritable } : undefined;
  if (type === 'problem') return problemToPage(fieldsOf(value));
  if (type === 'announce' || type === 'commentTaken' || type === 'draft')
    return typeof text === 'string' ? { type, text } : undefined;
  if (type === 'commentRefused')
    return typeof text === 'string' && typeof problem === 'string' ? { type, text, problem } : undefined;
  if (type === 'texts') return { type, texts: keptTexts(texts) };
  if (type === 'begunDiscarded') {
    const { comment, task } = fieldsOf(value);
    return typeof comment === 'string' && typeof task === 'string' ? { type, comment, task } : undefined;
  }
  if (type === 'image') return imageToPage(fieldsOf(value));
  if (type === 'notAttached') return { type, names: textsOf(fieldsOf(value).names) };
  return taskToPage(fieldsOf(value)) ?? fieldsToPage(value);
}

function problemToPage({ text, open, field }: Fields): ToPage | undefined {
  if (typeof text !== 'string') return undefined;
  if (isDraftField(field)) return { type: 'problem', text, field };
  const { id, text: link } = fieldsOf(open);
  return isId(id) && typeof link === 'string'
    ? { type: 'problem', text, open: { id, text: link } }
    : { type: 'problem', text };
}

const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

function imageToPage({ id, mime, bytes }: Fields): ToPage | undefined {
  const known = IMAGE_TYPES.find((one) => one === mime);
  return isId(id) && known !== undefined && bytes instanceof Uint8Array
    ? { type: 'image', id, mime: known, bytes }
    : undefined;
}

/** The story that a page kept over a reload. */
function panelStory(value: unknown): PanelStory | undefined {
  const { accountId, projectId, storyId } = fieldsOf(value);
  return typeof accountId === 'string' && isId(projectId) && isId(storyId)
    ? { accountId, projectId, storyId }
    : undefined;
}

/** The story whose page this is, as it is written there. */
export function storyOfPage(written: string | undefined): PanelStory | undefined {
  try {
    return panelStory(JSON.parse(written ?? ''));
  } catch {
    return undefined;
  }
}

/** What a page keeps over a reload: its story, once it was shown, and the comment and the task that were begun. */
interface PageState {
  readonly story: PanelStory | undefined;
  readonly draft: string;
  readonly task: string;
}

export function pageState(value: unknown): PageState {
  const { story, draft, task } = fieldsOf(value);
  const textOf = (text: unknown) => (typeof text === 'string' ? text : '');
  return { story: panelStory(story), draft: textOf(draft), task: textOf(task) };
}

function partsOf(value: unknown): Parts | undefined {
  const fields = fieldsOf(value);
  const texts = Object.fromEntries(partNames.map((name) => [name, fields[name]]));
  return hasTexts(texts) ? texts : undefined;
}

function hasTexts(value: Readonly<Record<string, unknown>>): value is Parts {
  return partNames.every((name) => typeof value[name] === 'string');
}
