import type { EndpointName } from '../../v3/endpoints.ts';
import type { Handler } from '../call/exchange.ts';
import { signedIn, signedInByQuery } from '../call/signedIn.ts';
import { listActivities, projectActivities } from './activities.ts';
import { getAttachment, uploadAttachment } from './attachments.ts';
import { backlogIterations, currentBacklog, currentIteration, doneIterations, listIterations } from './iterations.ts';
import { deleteMembership, getMembership, listMemberships, listMyMemberships, postMembership } from './memberships.ts';
import { listNotes, postNote } from './notes.ts';
import { getProject, listProjects, postProject } from './projects.ts';
import { postHostedCommits, postSourceCommit } from './sourceCommits.ts';
import { deleteStory, deliverAllFinished, getStory, moveStory, postStory, putStory } from './stories.ts';
import { listStories } from './storyLists.ts';
import { deleteTask, getTask, listTasks, postTask, putTask } from './tasks.ts';
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
