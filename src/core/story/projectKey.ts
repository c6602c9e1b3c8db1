/** A project of one account; `key` is unique over all accounts. */
export interface ProjectKey {
  readonly accountId: string;
  readonly projectId: number;
}

export function keyText({ accountId, projectId }: ProjectKey): string {
  return `${accountId}/${projectId}`;
}

/** The same project as the same account sees it: ids are unique on one server only. */
export function isSameProject(one: ProjectKey, other: ProjectKey): boolean {
  return one.projectId === other.projectId && one.accountId === other.accountId;
}

/** Whether a project is one of those that are meant: what is not said may be any. */
export function isMeant(
  key: ProjectKey,
  { accountId = key.accountId, projectId = key.projectId }: Partial<ProjectKey>,
): boolean {
  return isSameProject(key, { accountId, projectId });
}
