import { sendIntent } from '../../client/tracker/intentRequest.ts';
import { TrackerError } from '../../core/errors.ts';
import type { Tracker } from '../../core/ports/tracker.ts';
import type { StoryRef } from '../../core/story/story.ts';
import { asServersKeep } from '../../core/text.ts';
import { type Attempt, changedAsRead, isMissing } from './attempted.ts';
import { quoted } from './comparedFields.ts';

/** Done twice it is as done once. */
export const tickOrMoveTask: Attempt<'task' | 'moveTask'> = async (
  { tracker, send, options },
  { project },
  intent,
) => ({
  task: await send(() => sendIntent(tracker, project.projectId, intent, options)),
});

export const editTask: Attempt<'editTask'> = ({ tracker, send, options }, { project }, intent) => {
  const { projectId } = project;
  const { storyId, taskId, description, known } = intent;
  const read = () => tracker.getTaggedTask({ projectId, storyId }, taskId, options);
  return changedAsRead(read, async (now, condition) => {
    if (asServersKeep(now.description) === asServersKeep(description)) return { task: now };
    if (asServersKeep(now.description) !== asServersKeep(known)) {
      const said = `This task of story #${storyId} was changed elsewhere.`;
      throw new TrackerError('conflict', `${said} It is ${quoted(now.description)} now.`);
    }
    return { task: await send(() => sendIntent(tracker, projectId, intent, { ...options, ...condition })) };
  });
};

/** A task that is not there is as it is wanted, unless its story is not there either, which may be in another project by now. */
export const deleteTask: Attempt<'deleteTask'> = async ({ tracker, send, options }, { project, sentAt }, intent) => {
  const { projectId } = project;
  const { storyId, taskId } = intent;
  try {
    await send(() => sendIntent(tracker, projectId, intent, options));
    return { deletedTask: taskId };
  } catch (thrown) {
    if (!isMissing(thrown)) throw thrown;
    const tasks = await tracker.listTasks({ projectId, storyId }, options);
    if (tasks.some(({ id }) => id === taskId)) throw thrown;
    return { deletedTask: taskId, isRepeated: sentAt === undefined };
  }
};

/**
 * A story that is not there is as it is wanted, where its project is: what answers for a server that is put away, or of
 * which one is no member any more, says the same of every story.
 */
export const deleteStory: Attempt<'deleteStory'> = async ({ tracker, send, options }, { project, sentAt }, intent) => {
  const { projectId } = project;
  try {
    await send(() => sendIntent(tracker, projectId, intent, options));
    return { isGone: true };
  } catch (thrown) {
    if (!isMissing(thrown)) throw thrown;
    await tracker.getProject(projectId, options);
    return { isGone: true, isRepeated: sentAt === undefined };
  }
};

/** A story whose answer was lost is in the other project by then. */
export const moveToProject: Attempt<'moveToProject'> = async (needs, { project: { projectId }, sentAt }, intent) => {
  const { tracker, send, options } = needs;
  const { storyId, targetProjectId } = intent;
  const isThere = () => isStory(tracker, { projectId: targetProjectId, storyId }, options);
  if (sentAt !== undefined && (await isThere())) return { isGone: true };
  try {
    const moved = await send(() => sendIntent(tracker, projectId, intent, options));
    // A server that does not know of such moves takes the change and does nothing.
    if (moved.projectId !== targetProjectId && !(await isThere()))
      throw new TrackerError('refused', 'The server does not move stories to other projects.');
    return { isGone: true };
  } catch (thrown) {
    if (isMissing(thrown) && (await isThere())) return { isGone: true, isRepeated: true };
    throw thrown;
  }
};

export async function isStory(
  tracker: Tracker,
  ref: StoryRef,
  options: Parameters<Tracker['getStory']>[1],
): Promise<boolean> {
  try {
    await tracker.getStory(ref, options);
    return true;
  } catch (thrown) {
    if (isMissing(thrown)) return false;
    throw thrown;
  }
}
