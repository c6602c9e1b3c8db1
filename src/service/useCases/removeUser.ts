import { unprocessable } from '../ground/errors.ts';
import type { Tx } from '../store/database.ts';
import { deleteUser, type UserRow } from '../store/people/users.ts';
import { membershipsOfProject } from '../store/projects/memberships.ts';
import { lockProject, projectsOfUser } from '../store/projects/projects.ts';

/**
 * Removes a user, whose tokens and memberships end. Stories, comments and activities keep the name. Throws `Refusal` 422 with the
 * projects that would be left without an owner.
 */
export async function removeUser(tx: Tx, user: UserRow): Promise<void> {
  const orphans: string[] = [];
  for (const { id, name } of await projectsOfUser(tx, user.id)) {
    await lockProject(tx, id);
    const members = await membershipsOfProject(tx, id);
    const owners = members.filter(({ role }) => role === 'Owner').map(({ person }) => person.email);
    if (owners.length === 1 && owners[0] === user.email) orphans.push(`project ${id}, ${name}`);
  }
  if (orphans.length > 0) {
    throw unprocessable(
      orphans.map((project) => `${user.name} is the only owner of ${project}. Make someone else an owner first.`),
    );
  }
  await deleteUser(tx, user.id);
}
