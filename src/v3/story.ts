import type { Story, StoryEdit, StoryFields } from '../core/story/story.ts';
import { RANK_ELEMENT } from './assumptions.ts';
import { attachmentElement, readAttachment } from './attachment.ts';
import { arrayElement, dateElement, type Element, empty, integerElement, parent, textElement } from './element.ts';
import { child, date, filledText, id, integer, present, rawText, word, words } from './fields.ts';
import { readChildList } from './list.ts';
import { noteElement, readNote } from './note.ts';
import { readTask, taskElement } from './task.ts';
import { readTicket, readTicketEdit, ticketEditElements, ticketElements } from './ticket.ts';

/** Which element holds a field of a story; a ticket is held by several. */
export const STORY_ELEMENTS: Readonly<Record<Exclude<keyof Story, 'id' | 'url' | 'ticket'>, string>> = {
  projectId: 'project_id',
  type: 'story_type',
  state: 'current_state',
  name: 'name',
  estimate: 'estimate',
  description: 'description',
  requestedBy: 'requested_by',
  ownedBy: 'owned_by',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  acceptedAt: 'accepted_at',
  deadline: 'deadline',
  labels: 'labels',
  rank: RANK_ELEMENT,
  attachments: 'attachments',
  notes: 'notes',
  tasks: 'tasks',
};

export function readStory(element: Element): Story {
  return present({
    id: id(element),
    projectId: integer(element, 'project_id'),
    type: word(element, 'story_type') ?? '',
    state: word(element, 'current_state') ?? '',
    name: rawText(element, 'name') ?? '',
    url: word(element, 'url'),
    estimate: integer(element, 'estimate'),
    description: rawText(element, 'description') || undefined,
    requestedBy: filledText(element, 'requested_by'),
    ownedBy: filledText(element, 'owned_by'),
    createdAt: date(element, 'created_at'),
    updatedAt: date(element, 'updated_at'),
    acceptedAt: date(element, 'accepted_at'),
    deadline: date(element, 'deadline'),
    labels: words(rawText(element, 'labels') ?? ''),
    rank: word(element, RANK_ELEMENT),
    ticket: readTicket(element),
    attachments: readChildList(element, 'attachments', 'attachment', readAttachment),
    notes: readChildList(element, 'notes', 'note', readNote),
    tasks: readChildList(element, 'tasks', 'task', readTask),
  } satisfies Record<keyof Story, unknown>);
}

/** With a description always, which is empty where there is none (protocol.md, Proven since). */
export function storyElement(story: Story): Element {
  return parent('story', [
    integerElement('id', story.id),
    ...storyFieldElements({ ...story, description: story.description ?? '' }, story.url),
    listElement('attachments', story.attachments, attachmentElement),
    listElement('notes', story.notes, noteElement),
    listElement('tasks', story.tasks, taskElement),
  ]);
}

/** The fields between `id` and the lists, in the order of recordings; those that are not there are left out. */
export function storyFieldElements(story: Partial<Story>, url: string | undefined): readonly (Element | undefined)[] {
  return [
    integerElement('project_id', story.projectId),
    textElement('story_type', story.type),
    textElement('url', url),
    integerElement('estimate', story.estimate),
    textElement('current_state', story.state),
    ...ticketElements(story.ticket),
    textElement('description', story.description),
    textElement('name', story.name),
    textElement('requested_by', story.requestedBy),
    textElement('owned_by', story.ownedBy),
    dateElement('created_at', story.createdAt),
    dateElement('updated_at', story.updatedAt),
    dateElement('accepted_at', story.acceptedAt),
    dateElement('deadline', story.deadline),
    story.labels && story.labels.length > 0 ? textElement('labels', story.labels.join(',')) : undefined,
    textElement(RANK_ELEMENT, story.rank),
  ];
}

/** A list of a story is left out when it is empty (protocol.md, Elements: story). */
export function listElement<T>(name: string, items: readonly T[] | undefined, encode: (item: T) => Element) {
  return items && items.length > 0 ? arrayElement(name, items.map(encode)) : undefined;
}

/**
 * The body of `POST …/stories` and `PUT …/stories/S` (protocol.md, Proven since). An empty element clears its field, but for type, state
 * and requester, which every story has: there it says nothing.
 */
export function readStoryEdit(element: Element): StoryEdit {
  const labels = rawText(element, 'labels');
  return present({
    type: word(element, 'story_type'),
    state: word(element, 'current_state'),
    name: rawText(element, 'name'),
    estimate: clearable(element, 'estimate', integer),
    description: clearable(element, 'description', (from, name) => rawText(from, name) || undefined),
    requestedBy: filledText(element, 'requested_by'),
    ownedBy: clearable(element, 'owned_by', filledText),
    labels: labels === undefined ? undefined : words(labels),
    deadline: clearable(element, 'deadline', date),
    createdAt: date(element, 'created_at'),
    acceptedAt: date(element, 'accepted_at'),
    ticket: readTicketEdit(element),
  } satisfies Record<keyof StoryFields, unknown>);
}

/** Undefined when the element is not there, null when it is empty. */
function clearable<T>(
  element: Element,
  name: string,
  read: (element: Element, name: string) => T | undefined,
): T | null | undefined {
  return child(element, name) === undefined ? undefined : (read(element, name) ?? null);
}

/** A field's element, or the several of a ticket; none for what an edit leaves as it is. */
type OneOrSome = Element | undefined | readonly (Element | undefined)[];

export function storyEditElement(edit: StoryEdit): Element {
  const elements: Readonly<Record<keyof StoryFields, OneOrSome>> = {
    type: textElement('story_type', edit.type),
    estimate: edit.estimate === null ? empty('estimate') : integerElement('estimate', edit.estimate),
    state: textElement('current_state', edit.state),
    ticket: ticketEditElements(edit.ticket),
    description: textElement('description', edit.description ?? cleared(edit.description)),
    name: textElement('name', edit.name),
    requestedBy: textElement('requested_by', edit.requestedBy),
    ownedBy: textElement('owned_by', edit.ownedBy ?? cleared(edit.ownedBy)),
    createdAt: dateElement('created_at', edit.createdAt),
    acceptedAt: dateElement('accepted_at', edit.acceptedAt),
    deadline: edit.deadline === null ? empty('deadline') : dateElement('deadline', edit.deadline),
    labels: textElement('labels', edit.labels?.join(',')),
  };
  return parent('story', Object.values(elements).flat());
}

/** Of a request that moves a story to another project (protocol.md, Proven since). */
export function projectChangeElement(projectId: number): Element {
  return parent('story', [integerElement('project_id', projectId)]);
}

function cleared(value: null | undefined): string | undefined {
  return value === null ? '' : undefined;
}

const KNOWN: ReadonlySet<string> = new Set(['id', 'url', ...Object.values(STORY_ELEMENTS)]);

/**
 * The first element of a body that no story ever had; undefined when there is none. Clients send back whole stories, with what cannot be set
 * and is passed over; tickets are called by their systems (protocol.md, Proven since).
 */
export function unknownStoryElement({ children }: Element): string | undefined {
  return children.find(({ name }) => !KNOWN.has(name) && !/_(?:id|url)$/.test(name))?.name.slice(0, LONGEST_TOLD);
}

/** Characters of a name that are enough to find it by. */
const LONGEST_TOLD = 100;
