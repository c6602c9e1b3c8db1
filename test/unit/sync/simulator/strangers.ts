import type { Story } from '../../../../src/core/story/story.ts';
import { aNote, aTask } from '../../../support/builders/builders.ts';
import type { Seeded } from '../../../support/measures/seeded.ts';
import type { SimServer } from './simServer.ts';

/** More than a feed's answer holds. */
const MANY = 110;

/** What other people do on the same server. */
export function strangerActs(server: SimServer, chance: Seeded, projectId: number): string {
  const storyId = chance.of(server.storyIds(projectId)) ?? 0;
  const action = chance.below(14);
  if (action < 2) return `creates ${server.create(projectId, chance.chance(2)).id}`;
  if (action === 2) {
    server.remove(projectId, storyId);
    return `removes ${storyId}`;
  }
  if (action === 3) {
    server.turn(projectId);
    return `sees the iteration of ${projectId} end`;
  }
  if (action === 4 && chance.chance(4)) {
    const otherId = chance.of(server.storyIds(projectId)) ?? 0;
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

function edited(server: SimServer, chance: Seeded, projectId: number, storyId: number): Story | undefined {
  const text = `Stranger ${chance.below(1000)}`;
  const state = chance.of(['unstarted', 'started', 'finished', 'accepted', 'accepted']) ?? 'unstarted';
  switch (chance.below(5)) {
    case 0:
    case 1:
      return server.listOf(projectId, storyId) === 'open' ? server.edit(projectId, storyId, { state }) : undefined;
    case 2:
      return server.edit(projectId, storyId, { tasks: [aTask({ description: text })] }, 'task_edit');
    case 3: {
      const notes = server.getStory({ projectId, storyId }).notes;
      return server.edit(projectId, storyId, { notes: [...notes, aNote({ text })] }, 'note_create');
    }
    default:
      return server.edit(projectId, storyId, { name: text });
  }
}
