import { fieldNames } from '../core/fieldNames.ts';
import type { ChangedStory } from '../core/story/activity.ts';
import type { Story } from '../core/story/story.ts';
import { DEFAULT_TICKET_PREFIX } from './assumptions.ts';
import { attachmentElement } from './attachment.ts';
import { type Element, empty, integerElement, parent } from './element.ts';
import { child, id, present, word } from './fields.ts';
import { noteElement } from './note.ts';
import { listElement, readStory, STORY_ELEMENTS, storyFieldElements } from './story.ts';
import { taskElement } from './task.ts';
import { goneTicketElements, hasClearedTicket } from './ticket.ts';

/** A story inside an activity: the fields that changed, and those that were cleared, which come as empty elements. */
export function readChangedStory(element: Element): ChangedStory {
  const story = readStory(element);
  const changed: { -readonly [K in keyof Story]?: Story[K] } = {};
  const cleared: (keyof Story)[] = [];
  for (const field of fieldNames(STORY_ELEMENTS)) {
    const held = child(element, STORY_ELEMENTS[field]);
    if (!held) continue;
    if (isBlank(held)) cleared.push(field);
    else copyField(changed, story, field);
  }
  if (story.ticket) changed.ticket = story.ticket;
  else if (hasClearedTicket(element)) cleared.push('ticket');
  return present({ id: id(element), url: word(element, 'url'), changed, cleared });
}

function copyField<K extends keyof Story>(
  to: { -readonly [F in keyof Story]?: Story[F] },
  from: Story,
  field: K,
): void {
  const value = from[field];
  if (value !== undefined) to[field] = value;
}

function isBlank(element: Element): boolean {
  return element.children.length === 0 && element.text === '';
}

export function changedStoryElement(story: ChangedStory): Element {
  const { changed, cleared, formerTicket } = story;
  return parent('story', [
    integerElement('id', story.id),
    ...storyFieldElements(changed, story.url),
    ...goneTicketElements(formerTicket, changed.ticket),
    ...cleared.filter((field) => field !== 'ticket' || !formerTicket).map((field) => empty(clearedElementName(field))),
    listElement('attachments', changed.attachments, attachmentElement),
    listElement('notes', changed.notes, noteElement),
    listElement('tasks', changed.tasks, taskElement),
  ]);
}

function clearedElementName(field: keyof Story): string {
  if (field === 'ticket') return `${DEFAULT_TICKET_PREFIX}_id`;
  return field === 'id' || field === 'url' ? field : STORY_ELEMENTS[field];
}
