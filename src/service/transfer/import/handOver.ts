import { sql } from 'kysely';
import type { Tx } from '../../store/database.ts';
import { addMember, roleIn, setRole } from '../../store/projects/memberships.ts';
import type { UserRow } from '../../store/people/users.ts';

/** Whom a project names, by an import before, and who it is. */
export interface HandOver {
  readonly projectId: number;
  /** In the file. */
  readonly name: string;
  /** The user whom an import made for the name; none where only the name was kept. */
  readonly placeholder: number | undefined;
  readonly user: UserRow;
}

/** Where people are named: table, column of the name, column of the user, column of the story. */
const NAMED = [
  ['stories', 'requestedBy', 'requesterId', 'id'],
  ['stories', 'ownedBy', 'ownerId', 'id'],
  ['notes', 'author', 'authorId', 'storyId'],
  ['attachments', 'uploadedBy', 'uploaderId', 'storyId'],
] as const;
const NOBODY = -1;

/** What a project says of a name that nobody has, or a user made for it, is said of a user from now on. Gives the stories that changed. */
export async function handOver(tx: Tx, { projectId, name, placeholder, user }: HandOver): Promise<readonly number[]> {
  const before = placeholder ?? NOBODY;
  const changed = new Set<number>();
  for (const [tableName, nameColumn, userColumn, storyColumn] of NAMED) {
    const [table, named, known, story] = [
      sql.table(tableName),
      ...[nameColumn, userColumn, storyColumn].map((column) => sql.ref(column)),
    ];
    const { rows } = await sql<{ readonly id: number }>`
      update ${table} set ${named} = ${user.name}, ${known} = ${user.id}
      where ${sql.ref('projectId')} = ${projectId} and ${named} = ${name} and (${known} is null or ${known} = ${before})
      returning ${story} as id`.execute(tx);
    for (const { id } of rows) changed.add(id);
  }
  if (placeholder !== undefined) await handMembershipOver(tx, projectId, placeholder, user.id);
  return [...changed];
}

/** The role goes along, so that no project loses its only owner. */
async function handMembershipOver(tx: Tx, projectId: number, from: number, to: number): Promise<void> {
  const role = await roleIn(tx, projectId, from);
  if ((await roleIn(tx, projectId, to)) === undefined) await addMember(tx, projectId, to, 'Member');
  if (role === 'Owner') await setRole(tx, projectId, to, role);
  await tx.deleteFrom('memberships').where('projectId', '=', projectId).where('userId', '=', from).execute();
}
