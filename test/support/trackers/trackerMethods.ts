import type { Tracker } from '../../../src/core/ports/tracker.ts';

const all: Readonly<Record<keyof Tracker, true>> = {
  listProjects: true,
  getProject: true,
  createProject: true,
  listMyMemberships: true,
  listMemberships: true,
  addMembership: true,
  removeMembership: true,
  currentBacklog: true,
  listIterations: true,
  listStories: true,
  getStory: true,
  getTaggedStory: true,
  createStory: true,
  updateStory: true,
  deleteStory: true,
  moveToProject: true,
  deliverAllFinished: true,
  moveStory: true,
  listNotes: true,
  addNote: true,
  listTasks: true,
  getTaggedTask: true,
  addTask: true,
  updateTask: true,
  removeTask: true,
  uploadAttachment: true,
  getAttachment: true,
  listActivities: true,
  postSourceCommit: true,
  postHostedCommits: true,
  activeToken: true,
};

/** Every call of `Tracker` by name; the compiler keeps it whole. */
export const trackerMethods = Object.keys(all) as readonly (keyof Tracker)[];
