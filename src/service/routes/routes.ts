import type { EndpointName } from '../../v3/endpoints.ts';
import { type Handler, signedIn, signedInByQuery } from '../call/exchange.ts';
import { listActivities, projectActivities } from './activities.ts';
import { getAttachment, uploadAttachment } from './attachments.ts';
import { backlogIterations, currentBacklog, currentIteration, doneIterations, listIterations } from './iterations.ts';
import { deleteTask, getTask, listNotes, listTasks, postNote, postTask, putTask } from './notes.ts';
import {
  deleteMembership,
  getMembership,
  getProject,
  listMemberships,
  listMyMemberships,
  listProjects,
  postMembership,
  postProject,
} from './projects.ts';
import { postHostedCommits, postSourceCommit } from './sourceCommits.ts';
import { deleteStory, deliverAllFinished, getStory, moveStory, postStory, putStory } from './stories.ts';
import { listStories } from './storyLists.ts';
import { activeToken } from './tokens.ts';

/** Who answers each endpoint of the table. */
export const routes: Readonly<Record<EndpointName, Handler>> = {
  listProjects: signedIn(listProjects),
  createProject: signedIn(postProject),
  getProject: signedIn(getProject),

  listMyMemberships: signedIn(listMyMemberships),
  listMemberships: signedIn(listMemberships),
  addMembership: signedIn(postMembership),
  getMembership: signedIn(getMembership),
  removeMembership: signedIn(deleteMembership),

  listIterations: signedIn(listIterations),
  doneIterations: signedIn(doneIterations),
  currentIteration: signedIn(currentIteration),
  backlogIterations: signedIn(backlogIterations),
  currentBacklog: signedIn(currentBacklog),

  listStories: signedIn(listStories),
  createStory: signedIn(postStory),
  deliverAllFinished: signedIn(deliverAllFinished),
  getStory: signedIn(getStory),
  updateStory: signedIn(putStory),
  deleteStory: signedIn(deleteStory),
  moveStory: signedIn(moveStory),

  listNotes: signedIn(listNotes),
  addNote: signedIn(postNote),
  listTasks: signedIn(listTasks),
  addTask: signedIn(postTask),
  getTask: signedIn(getTask),
  updateTask: signedIn(putTask),
  removeTask: signedIn(deleteTask),

  uploadAttachment: signedIn(uploadAttachment),
  getAttachment: signedIn(getAttachment),

  listActivities: signedIn(listActivities),
  projectActivities: signedIn(projectActivities),

  getActiveToken: activeToken,
  postActiveToken: activeToken,

  postSourceCommit: signedIn(postSourceCommit),
  postHostedCommits: signedInByQuery(postHostedCommits),
};
