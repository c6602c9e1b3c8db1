import type { Activity } from '../../src/core/activity.ts';
import type { Attachment } from '../../src/core/attachment.ts';
import type { Backlog } from '../../src/core/backlog.ts';
import type { Iteration } from '../../src/core/iteration.ts';
import type { Membership, Project } from '../../src/core/project.ts';
import type { Note, Story, Task } from '../../src/core/story.ts';

/** Whole values of which a test says only what it is about. */

export function aStory(given: Partial<Story> = {}): Story {
  const { id = 1 } = given;
  return {
    id,
    projectId: 1,
    type: 'feature',
    state: 'unstarted',
    name: `Story ${id}`,
    labels: [],
    attachments: [],
    notes: [],
    tasks: [],
    ...given,
  };
}

export function aProject(given: Partial<Project> = {}): Project {
  return {
    id: 1,
    name: 'Project',
    iterationLength: 1,
    weekStartDay: 'Monday',
    pointScale: [0, 1, 2, 3],
    labels: [],
    memberships: [],
    integrations: [],
    ...given,
  };
}

/** `id` follows `number`, as servers have it (protocol.md, Elements: iteration). */
export function anIteration(given: Partial<Iteration> = {}): Iteration {
  const { number = 1 } = given;
  return { id: number, number, stories: [], ...given };
}

export function aBacklog(given: Partial<Backlog> = {}): Backlog {
  return { project: aProject(), iterations: [], icebox: [], done: [], ...given };
}

export function aMembership(given: Partial<Membership> = {}): Membership {
  return { id: 1, person: { name: 'Nora Vesper', initials: 'NV' }, role: 'Member', ...given };
}

export function aNote(given: Partial<Note> = {}): Note {
  return { id: 1, text: 'A note', ...given };
}

export function aTask(given: Partial<Task> = {}): Task {
  return { id: 1, description: 'A task', complete: false, ...given };
}

export function anAttachment(given: Partial<Attachment> = {}): Attachment {
  return { id: 1, filename: 'notes.txt', ...given };
}

export function anActivity(given: Partial<Activity> = {}): Activity {
  return { id: 1, version: 1, eventType: 'story_update', description: '', stories: [], ...given };
}
