import type { Story } from '../../core/story/story.ts';
import type { Element } from '../../v3/element.ts';
import { integer } from '../../v3/fields.ts';
import { readMove } from '../../v3/move.ts';
import { readStoryEdit, storyElement, unknownStoryElement } from '../../v3/story.ts';
import { longStories } from '../../v3/storyList.ts';
import { type Change, changeProject, changeProjects, readInProject } from '../auth/projectAccess.ts';
import { ReadStories } from '../cache/listedStories.ts';
import { readElement, readParameters } from '../call/bodies.ts';
import { type Call, param } from '../call/exchange.ts';
import { unknownAttribute } from '../ground/errors.ts';
import { elementReply, type Reply, xmlReply } from '../http/reply.ts';
import { withAddress } from '../http/storyPage.ts';
import { wholeStory } from '../store/stories/wholeStory.ts';
import { createStory } from '../useCases/createStory.ts';
import { deleteStory as removeStory } from '../useCases/deleteStory.ts';
import { deliverAllFinished as deliverAll } from '../useCases/deliverFinished.ts';
import { moveStory as move, moveToProject } from '../useCases/moveStory.ts';
import { theStory } from '../useCases/storyRules.ts';
import { updateStory } from '../useCases/updateStory.ts';

export async function getStory(call: Call): Promise<Reply> {
  const story = await readInProject(call, param(call, 'projectId'), async (tx, project) =>
    wholeStory(tx, project, await theStory(tx, project.id, param(call, 'storyId'))),
  );
  return storyReply(call, story);
}

export async function postStory(call: Call): Promise<Reply> {
  const element = await readElement(call, 'story');
  const edit = readStoryEdit(element);
  return changed(call, (change) => {
    refuseUnknown(element);
    return createStory(change, edit);
  });
}

/** Endpoint 4 when the body holds a ticket; with another `project_id` the story moves there (protocol.md, Proven since). */
export async function putStory(call: Call): Promise<Reply> {
  const element = await readElement(call, 'story');
  const edit = readStoryEdit(element);
  const [projectId, storyId] = [param(call, 'projectId'), param(call, 'storyId')];
  const wantedId = integer(element, 'project_id') ?? projectId;
  if (wantedId === projectId) {
    return changed(call, (change) => {
      refuseUnknown(element);
      return updateStory(change, storyId, edit);
    });
  }
  const moved = await changeProjects(call, [projectId, wantedId], 'Member', (from, to) => {
    refuseUnknown(element);
    return moveToProject(from, to, storyId, edit);
  });
  return storyReply(call, moved);
}

/** Endpoint 3. */
export async function moveStory(call: Call): Promise<Reply> {
  const { place, targetId } = readMove(await readParameters(call));
  return changed(call, (change) => move(change, param(call, 'storyId'), place, targetId));
}

export async function deleteStory(call: Call): Promise<Reply> {
  const { service } = call;
  const { story, files } = await changeProject(call, param(call, 'projectId'), 'Member', (change) =>
    removeStory(change, param(call, 'storyId')),
  );
  service.background.run('attachment removal', () => service.files.discard(files));
  return storyReply(call, story);
}

export async function deliverAllFinished(call: Call): Promise<Reply> {
  const { service, user, base } = call;
  const body = await service.long.afterChange(user.id, async () => {
    const { project, rows } = await deliverAll(call, param(call, 'projectId'));
    const stories = new ReadStories(service.database, project, user);
    return async () => stories.document(rows, (item) => longStories(rows, {}, item), service.texts.item(base));
  });
  return xmlReply(body);
}

async function changed(call: Call, work: (change: Change) => Promise<Story>): Promise<Reply> {
  return storyReply(call, await changeProject(call, param(call, 'projectId'), 'Member', work));
}

function storyReply({ base }: Call, story: Story): Reply {
  return elementReply(storyElement(withAddress(story, base)));
}

/** Only to those who may write here: others are told that there is nothing. */
function refuseUnknown(element: Element): void {
  const name = unknownStoryElement(element);
  if (name !== undefined) throw unknownAttribute(name);
}
