import { MAX_LABELS_OF_STORY } from '../../core/limits.ts';
import type { Story, StoryEdit } from '../../core/story/story.ts';
import type { Element } from '../../v3/element.ts';
import { integer } from '../../v3/fields.ts';
import { readMove } from '../../v3/move.ts';
import { readStoryEdit, storyElement, unknownStoryElement } from '../../v3/story.ts';
import { longStories } from '../../v3/storyList.ts';
import { writeDocument } from '../../v3/write.ts';
import { type Change, changeProject, changeProjects, readInProject } from '../auth/projectAccess.ts';
import { mayBeLong, ReadStories } from '../cache/listedStories.ts';
import { readElement, readParameters } from '../call/bodies.ts';
import { type Call, param } from '../call/exchange.ts';
import { unknownAttribute } from '../ground/errors.ts';
import { elementReply, isConditional, type Reply, requireMatch, taggedReply, xmlReply } from '../http/reply.ts';
import { withAddress } from '../http/storyPage.ts';
import { storiesInState } from '../store/stories/storyRows.ts';
import { wholeStory } from '../store/stories/wholeStory.ts';
import { moveStory as move, moveToProject } from '../useCases/moveStory.ts';
import {
  createStory,
  deliverAllFinished as deliverAll,
  deleteStory as removeStory,
  updateStory,
} from '../useCases/stories.ts';
import { theStory } from '../useCases/storyRules.ts';

export async function getStory(call: Call): Promise<Reply> {
  const story = await readInProject(call, param(call, 'projectId'), async (tx, project) =>
    wholeStory(tx, project, await theStory(tx, project.id, param(call, 'storyId'))),
  );
  return taggedReply(elementOf(call, story));
}

export async function postStory(call: Call): Promise<Reply> {
  const { edit, unknown } = await readElement(call, 'story', readWish);
  return changed(call, (change) => {
    refuseUnknown(unknown);
    return createStory(change, edit);
  });
}

/** Endpoint 4 when the body holds a ticket; with another `project_id` the story moves there (protocol.md, Proven since). */
export async function putStory(call: Call): Promise<Reply> {
  const { edit, unknown, wantedId: otherId } = await readElement(call, 'story', readMovingWish);
  const [projectId, storyId] = [param(call, 'projectId'), param(call, 'storyId')];
  const wantedId = otherId ?? projectId;
  if (wantedId === projectId) {
    return changed(call, async (change) => {
      refuseUnknown(unknown);
      await requireAsRead(call, change, storyId);
      return updateStory(change, storyId, edit);
    });
  }
  const moved = await changeProjects(call, [projectId, wantedId], 'Member', async (from, to) => {
    refuseUnknown(unknown);
    await requireAsRead(call, from, storyId);
    return moveToProject(from, to, storyId, edit);
  });
  return storyReply(call, moved);
}

/** Endpoint 3. */
export async function moveStory(call: Call): Promise<Reply> {
  const { place, targetId } = await readParameters(call, readMove);
  return changed(call, (change) => move(change, param(call, 'storyId'), place, targetId));
}

export async function deleteStory(call: Call): Promise<Reply> {
  const { service } = call;
  const storyId = param(call, 'storyId');
  const { story, files } = await changeProject(call, param(call, 'projectId'), 'Member', async (change) => {
    await requireAsRead(call, change, storyId);
    return removeStory(change, storyId);
  });
  service.background.run('attachment removal', () => service.files.discard(files));
  return storyReply(call, story);
}

export async function deliverAllFinished(call: Call): Promise<Reply> {
  const { service, user, base } = call;
  const isLong = await readInProject(call, param(call, 'projectId'), async (tx, { id }) =>
    mayBeLong(tx, id, await storiesInState(tx, id, 'finished')),
  );
  const body = await service.long.afterChange(user.id, isLong, async () => {
    const { project, rows } = await deliverAll(call, param(call, 'projectId'));
    const stories = new ReadStories(service.database, project, user);
    return async () => stories.document(rows, (item) => longStories(rows, {}, item), service.texts.item(base));
  });
  return xmlReply(body);
}

async function changed(call: Call, work: (change: Change) => Promise<Story>): Promise<Reply> {
  return storyReply(call, await changeProject(call, param(call, 'projectId'), 'Member', work));
}

function storyReply(call: Call, story: Story): Reply {
  return elementReply(elementOf(call, story));
}

function elementOf({ base }: Call, story: Story): Element {
  return storyElement(withAddress(story, base));
}

/** Reads nothing for a caller who makes no condition. Throws `Refusal` 412 where the story is not as the caller read it. */
async function requireAsRead(call: Call, { tx, project }: Change, storyId: number): Promise<void> {
  const { headers } = call.request;
  if (!isConditional(headers)) return;
  const story = await wholeStory(tx, project, await theStory(tx, project.id, storyId));
  requireMatch(headers, writeDocument(elementOf(call, story)));
}

/** What a body says of a story. */
interface Wish {
  readonly edit: StoryEdit;
  /** The first element that no story ever had. */
  readonly unknown: string | undefined;
}

/** Each label once; of too many there is one too many, for the rules to refuse. */
function readWish(element: Element): Wish {
  const edit = readStoryEdit(element);
  const labels = edit.labels && [...new Set(edit.labels)].slice(0, MAX_LABELS_OF_STORY + 1);
  return { edit: labels ? { ...edit, labels } : edit, unknown: unknownStoryElement(element) };
}

/** The same of a story that is there, with the project in which it is to be. */
function readMovingWish(element: Element): Wish & { readonly wantedId: number | undefined } {
  return { ...readWish(element), wantedId: integer(element, 'project_id') };
}

/** Only to those who may write here: others are told that there is nothing. */
function refuseUnknown(name: string | undefined): void {
  if (name !== undefined) throw unknownAttribute(name);
}
