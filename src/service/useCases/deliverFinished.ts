import { needsEstimate } from '../../core/backlog/workflow.ts';
import { type Caller, type Change, changeProject } from '../auth/projectAccess.ts';
import { unprocessable } from '../ground/errors.ts';
import { rest, shareOfTransaction } from '../ground/slices.ts';
import { type ProjectRow, rulesOf } from '../store/projects/projects.ts';
import { storiesInState, storyRow } from '../store/stories/storyRows.ts';
import { quoted } from './recordActivity.ts';
import { changeState } from './stories.ts';

/** Stories that are delivered in one transaction, at most. */
const AT_ONCE = 100;

interface Named {
  readonly id: number;
}

/** What one transaction did, and what is left to others. */
interface Delivered {
  readonly delivered: readonly Named[];
  readonly waiting: readonly Named[];
}

/**
 * Delivers every story of the project that is finished when this begins, and tells which, in their order: in several transactions, since
 * others wait for each. What is no longer finished when its turn comes is left as it is. Throws `Refusal` 422 with those that have to be
 * estimated first, and as `changeProject` does for each of them; what is delivered by then stays so, and a repeat goes on.
 */
export async function deliverAllFinished(
  caller: Caller,
  projectId: number,
): Promise<{ readonly project: ProjectRow; readonly rows: readonly Named[] }> {
  const { project, ...first } = await changeProject(caller, projectId, 'Member', async (change) => ({
    project: change.project,
    ...(await deliverSome(change, await finishedStories(change))),
  }));
  const rows = [...first.delivered];
  for (let { waiting } = first; waiting.length > 0; ) {
    const next = await changeProject(caller, projectId, 'Member', (change) => deliverSome(change, waiting));
    rows.push(...next.delivered);
    waiting = next.waiting;
  }
  return { project, rows };
}

async function finishedStories({ tx, project }: Change): Promise<readonly Named[]> {
  const finished = await storiesInState(tx, project.id, 'finished');
  const wanting = finished.filter(({ type, estimate }) => needsEstimate(type, 'delivered', estimate, rulesOf(project)));
  if (wanting.length > 0) throw unprocessable(wanting.map(({ id, name }) => wantsEstimate(id, name)));
  return finished.map(({ id }) => ({ id }));
}

function wantsEstimate(id: number, name: string): string {
  return `Stories in the delivered state must be estimated. Estimate #${id} ${quoted(name)} first.`;
}

/** One at least, and as many as there is time for. */
async function deliverSome(change: Change, stories: readonly Named[]): Promise<Delivered> {
  const delivered: Named[] = [];
  const isOver = shareOfTransaction();
  for (const [index, { id }] of stories.entries()) {
    if (index === AT_ONCE || (index > 0 && isOver())) return { delivered, waiting: stories.slice(index) };
    const row = await storyRow(change.tx, change.project.id, id);
    if (row?.state !== 'finished') continue;
    await changeState(change, row, 'delivered');
    delivered.push({ id });
    await rest();
  }
  return { delivered, waiting: [] };
}
