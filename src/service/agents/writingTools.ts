import { agentAnswer, storySummary } from '../../core/agents/agentAnswer.ts';
import { storyEffects } from '../../core/marker/markerSyntax.ts';
import type { Story, StoryEdit } from '../../core/story/story.ts';
import { zonedDate } from '../../v3/dates.ts';
import { type Change, changeProject, projectsOfCaller } from '../auth/projectAccess.ts';
import type { Call } from '../call/exchange.ts';
import { Refusal, unprocessable } from '../ground/errors.ts';
import { linkedNotes } from '../routes/sourceCommits.ts';
import { storiesInState } from '../store/stories/storyRows.ts';
import { partsOfLinks } from '../useCases/linkCommit.ts';
import { moveStory as move } from '../useCases/moveStory.ts';
import { createStory as create, updateStory } from '../useCases/stories.ts';
import { addNote } from '../useCases/storyParts.ts';
import { theStory } from '../useCases/storyRules.ts';
import type { ServiceToolInput } from './serviceTools.ts';
import { placeOfStory } from './storyPlace.ts';

export async function createStory(call: Call, input: ServiceToolInput<'createStory'>): Promise<string> {
  const { place = 'icebox', projectId: wanted, ...fields } = input;
  const projectId = wanted ?? (await onlyProject(call));
  const state = place === 'icebox' ? 'unscheduled' : 'unstarted';
  return changed(call, projectId, async (change) => {
    const story = await create(change, { ...fields, state });
    return place === 'top' ? onTop(change, story) : story;
  });
}

async function onlyProject(call: Call): Promise<number> {
  const projects = await call.service.database.read((tx) => projectsOfCaller(tx, call));
  const [only, ...more] = projects;
  if (only && more.length === 0) return only.id;
  throw unprocessable(
    only ? 'Pass “projectId”: there are several projects. List projects to see them.' : 'You have no project yet.',
  );
}

/** Before the first story that nobody has begun. */
async function onTop(change: Change, story: Story): Promise<Story> {
  const [first] = await storiesInState(change.tx, change.project.id, 'unstarted');
  return first && first.id !== story.id ? move(change, story.id, 'before', first.id) : story;
}

export async function editStory(call: Call, input: ServiceToolInput<'editStory'>): Promise<string> {
  const { storyId: _storyId, projectId: _projectId, owner, updatedAt, description, ...fields } = input;
  const edit: StoryEdit = {
    ...fields,
    ...(description !== undefined && { description: description === '' ? null : description }),
    ...(owner !== undefined && { ownedBy: owner.trim() === '' ? null : owner }),
  };
  if (Object.keys(edit).length === 0) throw unprocessable('Pass at least one field to change.');
  const { id, projectId } = await placeOfStory(call, input);
  return changed(call, projectId, async (change) => {
    if (updatedAt !== undefined) await requireUnchanged(change, id, updatedAt);
    return updateStory(change, id, edit);
  });
}

/** Throws `Refusal` 412 where a story was changed since it was read. */
async function requireUnchanged({ tx, project }: Change, storyId: number, updatedAt: string): Promise<void> {
  // `Date.parse` makes a day of many texts that are none.
  const read = /^[+-]?\d{4,6}-\d\d-\d\dT[\d:.]+Z$/.test(updatedAt) ? Date.parse(updatedAt) : Number.NaN;
  if (Number.isNaN(read)) throw unprocessable('“updatedAt” must be as get story answered it.');
  const row = await theStory(tx, project.id, storyId);
  if (zonedDate(row.updatedAt).time === read) return;
  throw new Refusal(
    412,
    'The story was changed since you read it, and nothing was changed now. Get the story and try again.',
  );
}

export async function changeState(call: Call, input: ServiceToolInput<'changeState'>): Promise<string> {
  const { state, estimate } = input;
  const { id, projectId } = await placeOfStory(call, input);
  const edit = { state, ...(estimate !== undefined && { estimate }) };
  return changed(call, projectId, (change) => updateStory(change, id, edit));
}

export async function moveStory(call: Call, input: ServiceToolInput<'moveStory'>): Promise<string> {
  const { id, projectId } = await placeOfStory(call, input);
  return changed(call, projectId, (change) => move(change, id, input.place, input.targetId));
}

export async function addComment(call: Call, input: ServiceToolInput<'addComment'>): Promise<string> {
  const { id, projectId } = await placeOfStory(call, input);
  const note = await changeProject(call, projectId, 'Member', (change) => addNote(change, id, input.text));
  return agentAnswer({ added: true, storyId: id, commentId: note.id });
}

/** As commits are posted (endpoint 6). */
export async function linkCommit(call: Call, input: ServiceToolInput<'linkCommit'>): Promise<string> {
  const { commitId, author = '', url = '', storyId } = input;
  const message = storyId === undefined ? input.message : await naming(call, storyId, input.message);
  const commit = { commitId, message, author, ...(url !== '' && { url }) };
  const notes = await linkedNotes(call, partsOfLinks([commit]));
  const none = 'Nothing was linked: the message names no story of yours, or they have this commit already.';
  return agentAnswer({ linkedStories: notes.length, ...(notes.length === 0 && { note: none }) });
}

/** The message with a marker for a story, where it has none. */
async function naming(call: Call, storyId: number, message: string): Promise<string> {
  const { id } = await placeOfStory(call, { storyId });
  return storyEffects(message).has(id) ? message : `${message.trimEnd()}\n\n[#${id}]`;
}

async function changed(call: Call, projectId: number, work: (change: Change) => Promise<Story>): Promise<string> {
  const { story, projectName } = await changeProject(call, projectId, 'Member', async (change) => ({
    story: await work(change),
    projectName: change.project.name,
  }));
  return agentAnswer(storySummary(story, { projectId, projectName }));
}
