/** The rows of each project, in the order in which they are. */
export function byProject<R extends { readonly projectId: number }>(
  rows: readonly R[],
): (projectId: number) => readonly R[] {
  const found = new Map<number, R[]>();
  for (const row of rows) {
    const others = found.get(row.projectId);
    if (others) others.push(row);
    else found.set(row.projectId, [row]);
  }
  return (projectId) => found.get(projectId) ?? [];
}
