import type { Tx } from '../../store/database.ts';
import type { UserRow } from '../../store/people/users.ts';
import { updateProject } from '../../store/projects/projects.ts';
import { recordActivity } from '../../useCases/recordActivity.ts';
import type { ImportedProject } from './importedProject.ts';
import type { StoryWriter } from './storyWriter.ts';

/** A project of which the file says no settings takes the points that its stories have. */
export async function setScale(tx: Tx, { row }: ImportedProject, { points }: StoryWriter): Promise<void> {
  const pointScale = fittingScale(points.seen).join(',');
  const bugsAndChoresAreEstimatable = Number(points.types.has('bug') || points.types.has('chore'));
  await updateProject(tx, row.id, { name: row.name, pointScale, bugsAndChoresAreEstimatable });
}

/** One activity for all: who follows the project looks at it anew. */
export async function tellOfImport(
  tx: Tx,
  { row, isNew }: ImportedProject,
  writer: StoryWriter,
  author: UserRow | undefined,
  now: number,
): Promise<void> {
  const { created, updated } = writer.counts;
  if (created + updated + writer.changedIds.length === 0 && !writer.hasMoved) return;
  const name = author?.name ?? 'Import';
  const told = isNew ? [] : writer.changedIds;
  await recordActivity(tx, row, {
    projectId: row.id,
    eventType: 'project_import',
    occurredAt: now,
    author: name,
    authorId: author?.id ?? null,
    description: `${name} imported ${importedText(writer)}`,
    stories: told.map((id) => ({ id, changed: {}, cleared: [] })),
  });
}

function importedText({ counts: { created, updated }, hasMoved }: StoryWriter): string {
  const parts = [created > 0 ? `${created} new` : '', updated > 0 ? `${updated} changed` : ''].filter(
    (part) => part !== '',
  );
  const stories =
    parts.length === 0 ? 'who is who' : `${parts.join(' and ')} ${created + updated === 1 ? 'story' : 'stories'}`;
  if (!hasMoved) return stories;
  return parts.length === 0 ? 'a new order of stories' : `${stories}, in a new order`;
}

/** The scales that teams use, shortest first. */
const SCALES: readonly (readonly number[])[] = [
  [0, 1, 2, 3],
  [0, 1, 2, 4, 8],
  [0, 1, 2, 3, 5, 8],
];

/** The first usual point scale that has all of these points, else one of exactly them and zero. */
export function fittingScale(points: ReadonlySet<number>): readonly number[] {
  const all = [...points];
  const usual = SCALES.find((scale) => all.every((each) => scale.includes(each)));
  return usual ?? [...new Set([0, ...all])].sort((one, other) => one - other);
}
