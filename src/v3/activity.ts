import type { Activity } from '../core/activity.ts';
import { AUTHOR_ELEMENT } from './assumptions.ts';
import { changedStoryElement, readChangedStory } from './changedStory.ts';
import type { Element } from './element.ts';
import { arrayElement, dateElement, integerElement, parent, textElement } from './elements.ts';
import { date, filledText, id, integer, present, rawText, word } from './fields.ts';
import { readChildList, readList } from './list.ts';

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

export function readActivities(root: Element): readonly Activity[] {
  return readList(root, 'activities', 'activity', readActivity);
}

export function activitiesElement(activities: readonly Activity[]): Element {
  return arrayElement('activities', activities.map(activityElement));
}
