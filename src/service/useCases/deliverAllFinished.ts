import type { Story } from '../../core/story.ts';
import { needsEstimate } from '../../core/workflow.ts';
import type { Change } from '../auth/projectAccess.ts';
import { unprocessable } from '../refusal.ts';
import { storyRowsInState } from '../store/storyRows.ts';
import { quoted } from './record.ts';
import { rulesOf } from './storyRules.ts';
import { changeStoryRow } from './updateStory.ts';

/** Delivers every finished story of the project and gives those. Throws `Refusal` 422 with those that have to be estimated first. */
export async function deliverAllFinished(change: Change): Promise<readonly Story[]> {
  const { tx, project } = change;
  const finished = await storyRowsInState(tx, project.id, 'finished');
  const wanting = finished.filter(({ type, estimate }) => needsEstimate(type, 'delivered', estimate, rulesOf(project)));
  if (wanting.length > 0) throw unprocessable(wanting.map(({ id, name }) => wantsEstimate(id, name)));
  const delivered: Story[] = [];
  for (const row of finished) {
    delivered.push(await changeStoryRow(change, row, { state: 'delivered' }));
  }
  return delivered;
}

function wantsEstimate(id: number, name: string): string {
  return `Stories in the delivered state must be estimated. Estimate #${id} ${quoted(name)} first.`;
}
