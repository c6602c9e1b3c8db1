import type { Story } from '../../core/story.ts';
import type { Tx } from '../store/database.ts';
import type { ProjectRow } from '../store/projects.ts';
import { storyRules } from '../store/stories.ts';
import { storyOf } from '../store/storyOf.ts';
import { partsOfStories } from '../store/storyParts.ts';
import type { StoryRow } from '../store/storyRows.ts';

const BATCH = 200;

/** Every story of a project with all that hangs on it, in priority order, the icebox last; a batch is read at a time. */
export async function* storyBatches(tx: Tx, project: ProjectRow): AsyncGenerator<readonly Story[]> {
  const rules = await storyRules(tx, project);
  for (const inIcebox of [0, 1]) {
    let after = '';
    for (;;) {
      const rows = await rowsAfter(tx, project.id, inIcebox, after);
      const last = rows.at(-1);
      if (!last) break;
      const partsOf = await partsOfStories(
        tx,
        rows.map(({ id }) => id),
      );
      yield rows.map((row) => storyOf(row, partsOf(row.id), rules));
      after = last.rank;
    }
  }
}

function rowsAfter(tx: Tx, projectId: number, inIcebox: number, rank: string): Promise<StoryRow[]> {
  const rows = tx.selectFrom('stories').selectAll().where('projectId', '=', projectId).where('inIcebox', '=', inIcebox);
  return rows.where('rank', '>', rank).orderBy('rank').limit(BATCH).execute();
}
