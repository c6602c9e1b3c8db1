import type { Backlog } from '../../core/backlog/backlog.ts';
import { messageOf } from '../../core/errors.ts';
import type { App } from '../../host/app.ts';
import type { ProjectKey } from '../../host/tree/nodes.ts';

export interface LoadedBacklog {
  readonly key: ProjectKey;
  readonly backlog: Backlog;
}

/**
 * The backlogs that are there at once, the others being loaded meanwhile; waits only while there is none. What cannot be
 * loaded is logged: a suggestion is no place for errors.
 */
export async function loadedBacklogs({
  backlogs,
  log,
}: Pick<App, 'backlogs' | 'log'>): Promise<readonly LoadedBacklog[]> {
  const projects = await backlogs.projects();
  const missing = projects.filter(({ key }) => !backlogs.peek(key));
  const loading = missing.map(({ key, project }) =>
    backlogs.backlog(key).catch((thrown) => log.warn(`${project.name}: ${messageOf(thrown)}`)),
  );
  if (missing.length === projects.length) await Promise.all(loading);
  return projects.flatMap(({ key }) => {
    const backlog = backlogs.peek(key);
    return backlog ? [{ key, backlog }] : [];
  });
}
