import type { Story } from '../core/story/story.ts';
import { RANK_ELEMENT } from './assumptions.ts';
import { attachmentElement, readAttachment } from './attachment.ts';
import { arrayElement, dateElement, type Element, integerElement, parent, textElement } from './element.ts';
import { date, filledText, id, integer, present, rawText, word, words } from './fields.ts';
import { readChildList } from './list.ts';
import { type Item, type LongElement, lazily } from './longDocument.ts';
import { noteElement, readNote } from './note.ts';
import { readTask, taskElement } from './task.ts';
import { readTicket, ticketElements } from './ticket.ts';

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
  });
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

/** What a story list says about itself: how many there are in all, and what was asked. */
interface StoryListFacts {
  readonly total?: number;
  readonly limit?: number;
  readonly filter?: string;
}

/**
 * A document of stories, for as many as there may be; `item` writes one. To be written once. Without any it has a closing tag, as
 * recordings have it (protocol.md, Proven since).
 */
export function longStories<S>(stories: readonly S[], facts: StoryListFacts, item: (story: S) => Item): LongElement {
  const start = arrayElement('stories', [], listAttributes(stories, facts));
  return { start, items: lazily(stories, item), empty: { ...start, hasClosingTag: true } };
}

function listAttributes(stories: readonly unknown[], facts: StoryListFacts): Readonly<Record<string, string>> {
  const attributes: Record<string, string> = {
    count: String(stories.length),
    total: String(facts.total ?? stories.length),
  };
  if (facts.limit !== undefined) attributes.limit = String(facts.limit);
  if (facts.filter !== undefined) attributes.filter = facts.filter;
  return attributes;
}
