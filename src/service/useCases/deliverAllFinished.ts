import { needsEstimate } from '../../core/backlog/workflow.ts';
import type { Change } from '../auth/projectAccess.ts';
import { unprocessable } from '../ground/errors.ts';
import { rest } from '../ground/slices.ts';
import { rulesOf } from '../store/projects/projects.ts';
import { storiesInState } from '../store/stories/storyRows.ts';
import { quoted } from './recordActivity.ts';
import { theStory } from './storyRules.ts';
import { changeStoryRow } from './updateStory.ts';

/** Delivers every finished story of the project and tells which. Throws `Refusal` 422 with those that have to be estimated first. */
export async function deliverAllFinished(change: Change): Promise<readonly { readonly id: number }[]> {
  const { tx, project } = change;
  const finished = await storiesInState(tx, project.id, 'finished');
  const wanting = finished.filter(({ type, estimate }) => needsEstimate(type, 'delivered', estimate, rulesOf(project)));
  if (wanting.length > 0) throw unprocessable(wanting.map(({ id, name }) => wantsEstimate(id, name)));
  for (const { id } of finished) {
    await changeStoryRow(change, await theStory(tx, project.id, id), { state: 'delivered' });
    await rest();
  }
  return finished;
}

function wantsEstimate(id: number, name: string): string {
  return `Stories in the delivered state must be estimated. Estimate #${id} ${quoted(name)} first.`;
}
