import type { Project } from '../../../core/project.ts';
import type { Tx } from '../../store/database.ts';

/** A story by what never changes of it where it came from. */
export interface KnownStory {
  readonly id: string;
  readonly createdAt: number;
}

/** How a file's project is kept in mind: the numbers of several services may be the same. */
export function sourceOf({ id, name }: Project): string {
  return `${numberedSource(id)}${name}`;
}

function numberedSource(id: number): string {
  return `v3 project ${id} `;
}

/**
 * The project that a file's project of this number went into before, under whatever name: one that has a story of the file, by
 * its number and the moment at which it was made. The number alone may be that of another service's project.
 */
export async function projectBefore(
  tx: Tx,
  { id }: Project,
  stories: readonly KnownStory[],
): Promise<number | undefined> {
  if (stories.length === 0) return undefined;
  const rows = await tx
    .selectFrom('importedProjects')
    .innerJoin('importedStories', 'importedStories.projectId', 'importedProjects.projectId')
    .innerJoin('stories', 'stories.id', 'importedStories.storyId')
    .select(['importedProjects.projectId', 'importedStories.externalId', 'stories.createdAt'])
    .where('importedProjects.source', 'like', `${numberedSource(id)}%`)
    .where(
      'importedStories.externalId',
      'in',
      stories.map((story) => story.id),
    )
    .execute();
  const made = new Map(stories.map((story) => [story.id, story.createdAt]));
  return rows.find(({ externalId, createdAt }) => made.get(externalId) === createdAt)?.projectId;
}
