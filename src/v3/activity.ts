import type { Activity } from '../core/story/activity.ts';
import { AUTHOR_ELEMENT } from './assumptions.ts';
import { changedStoryElement, readChangedStory } from './changedStory.ts';
import { arrayElement, dateElement, type Element, integerElement, parent, textElement } from './element.ts';
import { date, filledText, id, integer, present, rawText, word } from './fields.ts';
import { readChildList } from './list.ts';
import { type LongElement, lazily } from './longDocument.ts';
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
