import type { Intent } from '../../../../src/core/intents/intent.ts';
import type { Story, StoryRef } from '../../../../src/core/story/story.ts';
import { aNote } from '../../../support/builders/builders.ts';
import type { Seeded } from '../../../support/measures/seeded.ts';
import { isWishedFor, isWishedTask } from './intents.ts';
import type { SimServer } from './simServer.ts';

/** More than a feed's answer holds. */
const MANY = 110;

/** What other people do on the same server. */
export function strangerActs(server: SimServer, chance: Seeded, projectId: number): string {
  const storyId = chance.of(server.storyIds(projectId)) ?? 0;
  const action = chance.below(14);
  if (action < 2) return `creates ${server.create(projectId, chance.chance(2)).id}`;
  if (action === 2) {
    if (isWishedFor(server, projectId, storyId)) return 'looks on';
    server.remove(projectId, storyId);
    return `removes ${storyId}`;
  }
  if (action === 3) {
    server.turn(projectId);
    return `sees the iteration of ${projectId} end`;
  }
  if (action === 4 && chance.chance(4)) {
    const otherId = chance.of(server.storyIds(projectId)) ?? 0;
    if (!isWishedFor(server, projectId, storyId))
      server.edit(projectId, storyId, { name: `Before many ${chance.below(1000)}` });
    for (let times = 0; times < MANY; times++) server.edit(projectId, otherId, { estimate: times % 8 });
    return `edits ${storyId}, and ${otherId} ${MANY} times`;
  }
  if (action < 8) {
    const targetId = chance.of(server.storyIds(projectId)) ?? 0;
    const place = chance.of(['before', 'after'] as const) ?? 'after';
    server.move(projectId, storyId, targetId, place);
    return `moves ${storyId} ${place} ${targetId}`;
  }
  return `edits ${edited(server, chance, projectId, storyId)?.id}`;
}

/** What others write to the same text as somebody's intent; `undefined` where it writes none, or to what is not there. */
export function strangerWrites(
  server: SimServer,
  chance: Seeded,
  projectId: number,
  intent: Intent,
): string | undefined {
  const { storyId } = intent;
  if (!server.storyIds(projectId).includes(storyId)) return undefined;
  const text = `Stranger at it ${chance.below(1000)}`;
  const ref = { projectId, storyId };
  if (intent.kind === 'editTask') {
    if (!server.listTasks(ref).some(({ id }) => id === intent.taskId)) return undefined;
    server.updateTask(ref, intent.taskId, { description: text });
    return `changes task ${intent.taskId}`;
  }
  if (intent.kind !== 'edit') return undefined;
  const { name, description } = intent.edit;
  if (description) server.edit(projectId, storyId, { description: text });
  if (name && !isWishedFor(server, projectId, storyId)) server.edit(projectId, storyId, { name: text });
  return `edits ${storyId} as well`;
}

function edited(server: SimServer, chance: Seeded, projectId: number, storyId: number): Story | undefined {
  const text = `Stranger ${chance.below(1000)}`;
  const state = chance.of(['unstarted', 'started', 'finished', 'accepted', 'accepted']) ?? 'unstarted';
  const ref = { projectId, storyId };
  if (!server.storyIds(projectId).includes(storyId)) return undefined;
  switch (chance.below(6)) {
    case 0:
    case 1:
      return server.listOf(projectId, storyId) === 'open' ? server.edit(projectId, storyId, { state }) : undefined;
    case 2:
      return withOtherTasks(server, chance, ref, text);
    case 3: {
      const notes = server.getStory({ projectId, storyId }).notes;
      return server.edit(projectId, storyId, { notes: [...notes, aNote({ text })] }, 'note_create');
    }
    case 4:
      return server.edit(projectId, storyId, { description: text });
    default:
      return isWishedFor(server, projectId, storyId) ? undefined : server.edit(projectId, storyId, { name: text });
  }
}

function withOtherTasks(server: SimServer, chance: Seeded, ref: StoryRef, text: string): Story {
  const task = chance.of(server.listTasks(ref));
  const action = task && isWishedTask(task) ? 2 : chance.below(4);
  if (!task || action === 0) server.addTask(ref, text);
  else if (action === 1) server.updateTask(ref, task.id, { description: text });
  else if (action === 2) server.updateTask(ref, task.id, { position: 1 + chance.below(3) });
  else server.removeTask(ref, task.id);
  return server.getStory(ref);
}
