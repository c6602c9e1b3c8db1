import { type RawBuilder, sql } from 'kysely';
import { MAX_COMMENTS_OF_STORY, MAX_TASKS_OF_STORY } from '../../../core/limits.ts';
import type { Tx } from '../database.ts';
import { idList, knownQuery } from '../queries.ts';

/** How much a story holds. */
export interface StoryContent {
  readonly comments: number;
  readonly tasks: number;
  /** Of the description, comments and tasks, in UTF-8. */
  readonly bytes: number;
}

/** The bytes of a text; neither database reads a long one to tell them. */
export function bytesIn(column: 'text' | 'description'): RawBuilder<number> {
  return sql<number>`coalesce(octet_length(${sql.ref(column)}), 0)`;
}

interface CountedContent extends StoryContent {
  readonly ofDescription: number | null;
}

const counted = knownQuery((tx, { storyId }: { readonly storyId: number }) => {
  const query = sql<CountedContent>`
    select notes."count" as comments, tasks."count" as tasks, notes.bytes + tasks.bytes as bytes,
      (select octet_length("description") from "stories" where "id" = ${storyId}) as "ofDescription"
    from (
      select count(*) as "count", coalesce(sum(bytes), 0) as bytes from (
        select octet_length("text") as bytes from "notes"
        where "storyId" = ${storyId} limit ${MAX_COMMENTS_OF_STORY + 1}
      ) as held
    ) as notes, (
      select count(*) as "count", coalesce(sum(bytes), 0) as bytes from (
        select octet_length("description") as bytes from "tasks"
        where "storyId" = ${storyId} limit ${MAX_TASKS_OF_STORY + 1}
      ) as held
    ) as tasks`;
  return { compile: () => query.compile(tx) };
});

/**
 * What a story holds, counted no further than one more than it may have: stories from before there was a limit may have any number. To
 * be asked after the project was locked, so that what is counted stays so until the transaction ends.
 */
export async function storyContent(tx: Tx, storyId: number): Promise<StoryContent> {
  const [{ comments, tasks, bytes, ofDescription } = NOTHING] = await counted(tx, { storyId });
  return { comments, tasks, bytes: bytes + (ofDescription ?? 0) };
}

const NOTHING = { comments: 0, tasks: 0, bytes: 0, ofDescription: 0 };

/** Bytes of the long texts of some stories of a project, by their ids: of comments and tasks no more than a story may have count. */
export async function textBytesOf(
  tx: Tx,
  projectId: number,
  storyIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (storyIds.length === 0) return new Map();
  const rows = await tx
    .selectFrom('stories')
    .select(['id', bytesIn('description').as('own')])
    .select(({ selectFrom }) => {
      const comments = selectFrom('notes')
        .select(bytesIn('text').as('bytes'))
        .whereRef('storyId', '=', 'stories.id')
        .limit(MAX_COMMENTS_OF_STORY)
        .as('some');
      const tasks = selectFrom('tasks')
        .select(bytesIn('description').as('bytes'))
        .whereRef('storyId', '=', 'stories.id')
        .limit(MAX_TASKS_OF_STORY)
        .as('some');
      const sum = () => sql<number | null>`sum(bytes)`;
      return [
        selectFrom(comments).select(sum().as('sum')).as('comments'),
        selectFrom(tasks).select(sum().as('sum')).as('tasks'),
      ];
    })
    .where('projectId', '=', projectId)
    .where('id', 'in', idList(storyIds))
    .execute();
  return new Map(rows.map(({ id, own, comments, tasks }) => [id, own + (comments ?? 0) + (tasks ?? 0)]));
}
