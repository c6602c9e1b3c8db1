import { fieldNames } from '../core/fieldNames.ts';
import type { Activity, ChangedStory } from '../core/story/activity.ts';
import type { Story } from '../core/story/story.ts';
import { AUTHOR_ELEMENT, DEFAULT_TICKET_PREFIX } from './assumptions.ts';
import { attachmentElement } from './attachment.ts';
import { arrayElement, dateElement, type Element, empty, integerElement, parent, textElement } from './element.ts';
import { child, date, filledText, id, integer, present, rawText, word } from './fields.ts';
import { readChildList } from './list.ts';
import { type LongElement, lazily } from './longDocument.ts';
import { noteElement } from './note.ts';
import { listElement, readStory, STORY_ELEMENTS, storyFieldElements } from './story.ts';
import { taskElement } from './task.ts';
import { goneTicketElements, hasClearedTicket } from './ticket.ts';
import { writeElement } from './write.ts';

export function readActivity(element: Element): Activity {
  return present({
    id: id(element),
    version: integer(element, 'version') ?? 0,
    eventType: word(element, 'event_type') ?? '',
    occurredAt: date(element, 'occurred_at'),
    author: filledText(element, AUTHOR_ELEMENT),
    projectId: integer(element, 'project_id'),
    description: rawText(element, 'description') ?? '',
    stories: readChildList(element, 'stories', 'story', readChangedStory),
  });
}

export function activityElement(activity: Activity): Element {
  return parent('activity', [
    integerElement('id', activity.id),
    integerElement('version', activity.version),
    textElement('event_type', activity.eventType),
    dateElement('occurred_at', activity.occurredAt),
    textElement(AUTHOR_ELEMENT, activity.author),
    integerElement('project_id', activity.projectId),
    textElement('description', activity.description),
    arrayElement('stories', activity.stories.map(changedStoryElement)),
  ]);
}

const ACTIVITIES = arrayElement('activities', []);

/** A document of activities, each of which is made when its turn comes; undefined ones are left out. To be written once. */
export function longActivities<R>(rows: Iterable<R>, make: (row: R) => Activity | undefined): LongElement {
  const item = (row: R) => (depth: number) => {
    const activity = make(row);
    return activity ? writeElement(activityElement(activity), depth) : '';
  };
  return { start: ACTIVITIES, items: lazily(rows, item) };
}

/** A story inside an activity: the fields that changed, and those that were cleared, which come as empty elements. */
function readChangedStory(element: Element): ChangedStory {
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

function changedStoryElement(story: ChangedStory): Element {
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
