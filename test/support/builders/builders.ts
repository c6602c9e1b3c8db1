import type { Backlog } from '../../../src/core/backlog/backlog.ts';
import type { ZonedDate } from '../../../src/core/calendar.ts';
import type { Activity } from '../../../src/core/story/activity.ts';
import type { Attachment } from '../../../src/core/story/attachment.ts';
import type { Iteration } from '../../../src/core/story/iteration.ts';
import type { Membership, Project } from '../../../src/core/story/project.ts';
import type { Note, Story, Task } from '../../../src/core/story/story.ts';

/** A moment as a server writes it, from ISO 8601 in UTC: `2026-03-02T09:30:00Z`. */
export function aDate(iso: string): ZonedDate {
  const time = Date.parse(iso);
  const [day = '', clock = ''] = new Date(time).toISOString().split('T');
  return { text: `${day.replaceAll('-', '/')} ${clock.slice(0, 8)} UTC`, time };
}

/** An unstarted feature of two points in project 1. */
export function aStory(fields: Partial<Story> = {}): Story {
  const id = fields.id ?? 12;
  return {
    id,
    projectId: 1,
    type: 'feature',
    state: 'unstarted',
    name: `Story ${id}`,
    url: `http://tracker.example/story/show/${id}`,
    estimate: 2,
    requestedBy: 'Ada Fenn',
    createdAt: aDate('2026-03-02T09:30:00Z'),
    updatedAt: aDate('2026-03-02T09:30:00Z'),
    labels: [],
    attachments: [],
    notes: [],
    tasks: [],
    ...fields,
  };
}

/** The stories with these ids, in this order. */
export function someStories(...ids: readonly number[]): readonly Story[] {
  return ids.map((id) => aStory({ id }));
}

/** Project 1, with one-week iterations, a velocity of 10, one owner and no integration. */
export function aProject(fields: Partial<Project> = {}): Project {
  return {
    id: 1,
    name: 'Lighthouse keepers',
    iterationLength: 1,
    weekStartDay: 'Monday',
    pointScale: [0, 1, 2, 3, 5, 8],
    currentIterationNumber: 3,
    enableTasks: true,
    velocityScheme: 'Average of 3 iterations',
    currentVelocity: 10,
    initialVelocity: 10,
    numberOfDoneIterationsToShow: 12,
    labels: [],
    allowAttachments: true,
    bugsAndChoresAreEstimatable: false,
    memberships: [aMembership()],
    integrations: [],
    ...fields,
  };
}

function aMembership(fields: Partial<Membership> = {}): Membership {
  return {
    id: 31,
    person: { name: 'Ada Fenn', email: 'ada@example.com', initials: 'AF' },
    role: 'Owner',
    ...fields,
  };
}

/** One of the weeks from 2 March 2026, a Monday, by its number: 3 is the week of the 16th. */
export function anIteration(fields: Partial<Iteration> = {}): Iteration {
  const number = fields.number ?? 3;
  return {
    id: number,
    number,
    start: mondayOf(number),
    finish: mondayOf(number + 1),
    teamStrength: 1,
    stories: [],
    ...fields,
  };
}

/** A project with an empty current iteration, 3, and nothing else. */
export function aBacklog(fields: Partial<Backlog> = {}): Backlog {
  return { project: aProject(), iterations: [anIteration()], icebox: [], done: [], ...fields };
}

export function aNote(fields: Partial<Note> = {}): Note {
  return { id: 51, text: 'Looks right', author: 'Ada Fenn', notedAt: aDate('2026-03-03T10:00:00Z'), ...fields };
}

export function aTask(fields: Partial<Task> = {}): Task {
  return { id: 61, description: 'Trim the wick', position: 1, complete: false, ...fields };
}

export function anAttachment(fields: Partial<Attachment> = {}): Attachment {
  return {
    id: 71,
    filename: 'chart.csv',
    description: '',
    uploadedBy: 'Ada Fenn',
    uploadedAt: aDate('2026-03-03T10:00:00Z'),
    ...fields,
  };
}

/** An edit of nothing in project 1. */
export function anActivity(fields: Partial<Activity> = {}): Activity {
  return {
    id: 81,
    version: 1,
    eventType: 'story_update',
    occurredAt: aDate('2026-03-03T10:00:00Z'),
    author: 'Ada Fenn',
    projectId: 1,
    description: 'Ada Fenn edited “Story 12”',
    stories: [],
    ...fields,
  };
}

type OptionalKey<T> = { [K in keyof T]-?: Record<never, never> extends Pick<T, K> ? K : never }[keyof T];

/** The value as it is when a server leaves these optional fields out: `without(aStory(), 'estimate')`. */
export function without<T extends object>(value: T, ...fields: readonly OptionalKey<T>[]): T {
  const copy = { ...value };
  for (const field of fields) Reflect.deleteProperty(copy, field);
  return copy;
}

function mondayOf(iteration: number): ZonedDate {
  const week = 7 * 24 * 60 * 60 * 1000;
  return aDate(new Date(Date.UTC(2026, 2, 2) + (iteration - 1) * week).toISOString());
}
