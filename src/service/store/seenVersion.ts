/** Who reads what: the holder of a token a project, or all of their projects where none is said. */
export interface Reader {
  readonly tokenHash: string;
  readonly projectId: number | undefined;
}

/** A statement that is asked with nothing between it and the driver, since it is asked for most reads of a busy store. */
interface SeenQuery {
  readonly name: string;
  readonly text: string;
  readonly values: readonly (string | number)[];
}

const ALL = `select projects.id, projects.changes from tokens join memberships on memberships."userId" = tokens."userId"
  join projects on projects.id = memberships."projectId" where tokens.hash = $1`;
const IN_ORDER = `${ALL} order by projects.id`;
const ONE = `${ALL} and projects.id = $2`;

/** Asks for rows of two numbers, of which `versionIn` makes the version. */
export function seenQuery({ tokenHash, projectId }: Reader): SeenQuery {
  if (projectId === undefined) return { name: 'seen', text: IN_ORDER, values: [tokenHash] };
  return { name: 'seenOne', text: ONE, values: [tokenHash, projectId] };
}

/**
 * Of all that a reader can see: equal texts mean that nothing of it changed in between. Undefined when there is nothing, or no such
 * token any more.
 */
export function versionIn(rows: readonly unknown[][]): string | undefined {
  return rows.length === 0 ? undefined : rows.map((row) => row.join(' ')).join();
}
