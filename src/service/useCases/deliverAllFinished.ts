import type { Story } from '../../core/story.ts';
import type { Change } from '../auth/projectAccess.ts';
import { storyRowsInState } from '../store/storyRows.ts';
import { changeStoryRow } from './updateStory.ts';

/** Delivers every finished story of the project and gives those. */
export async function deliverAllFinished(change: Change): Promise<readonly Story[]> {
  const { tx, project } = change;
  const finished = await storyRowsInState(tx, project.id, 'finished');
  const delivered: Story[] = [];
  for (const row of finished) {
    delivered.push(await changeStoryRow(change, row, { state: 'delivered' }));
  }
  return delivered;
}
