import type { EndpointName } from '../../v3/endpoints.ts';
import { type Handler, signedIn, signedInByQuery } from '../call/exchange.ts';
import { listActivities, projectActivities } from './activities.ts';
import {
  getExport,
  getImport,
  getImportedStories,
  getRenumberedStories,
  postImport,
  postProjectImport,
} from './imports.ts';
import {
  deleteIntegration,
  deleteMembership,
  getMembership,
  getProject,
  getSettings,
  listMemberships,
  listMyMemberships,
  listProjects,
  postIntegration,
  postMembership,
  postProject,
  putIntegration,
  putMembership,
  putProject,
} from './projects.ts';
import { postHostedCommits, postSourceCommit } from './sourceCommits.ts';
import { deleteStory, deliverAllFinished, getStory, moveStory, postStory, putStory } from './stories.ts';
import {
  backlogIterations,
  currentBacklog,
  currentIteration,
  doneIterations,
  listIterations,
  listStories,
} from './storyLists.ts';
import {
  deleteTask,
  getAttachment,
  getTask,
  listNotes,
  listTasks,
  postNote,
  postTask,
  putTask,
  uploadAttachment,
} from './storyParts.ts';
import { activeToken } from './tokens.ts';

/** Who answers each endpoint of the table. */
export const routes: Readonly<Record<EndpointName, Handler>> = {
  listProjects: signedIn(listProjects),
  createProject: signedIn(postProject),
  getProject: signedIn(getProject),
  updateProject: signedIn(putProject),
  getProjectSettings: signedIn(getSettings),

  listMyMemberships: signedIn(listMyMemberships),
  listMemberships: signedIn(listMemberships),
  addMembership: signedIn(postMembership),
  getMembership: signedIn(getMembership),
  updateMembership: signedIn(putMembership),
  removeMembership: signedIn(deleteMembership),

  addIntegration: signedIn(postIntegration),
  updateIntegration: signedIn(putIntegration),
  removeIntegration: signedIn(deleteIntegration),

  listIterations: signedIn(listIterations),
  doneIterations: signedIn(doneIterations),
  currentIteration: signedIn(currentIteration),
  backlogIterations: signedIn(backlogIterations),
  currentBacklog: signedIn(currentBacklog),

  importNewProject: signedIn(postImport),
  renumberedStories: signedIn(getRenumberedStories),
  importProgress: signedIn(getImport),
  importStories: signedIn(postProjectImport),
  importedStories: signedIn(getImportedStories),
  exportProject: signedIn(getExport),

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
