import type { Backlog } from '../../core/backlog.ts';
import { messageOf } from '../../core/errors.ts';
import type { App } from '../../host/app.ts';

export interface LoadedBacklogs {
  readonly backlogs: readonly Backlog[];
  /** Whether these are all. */
  readonly complete: boolean;
}

/**
 * The backlogs that are there at once, the others being loaded meanwhile; waits only while there is none. What cannot be
 * loaded is logged: a suggestion is no place for errors.
 */
export async function loadedBacklogs({ backlogs, log }: Pick<App, 'backlogs' | 'log'>): Promise<LoadedBacklogs> {
  const projects = await backlogs.projects();
  const peeked = () => projects.flatMap(({ key }) => backlogs.peek(key) ?? []);
  const missing = projects.filter(({ key }) => !backlogs.peek(key));
  const loading = missing.map(({ key, project }) =>
    backlogs.backlog(key).catch((thrown) => log.warn(`${project.name}: ${messageOf(thrown)}`)),
  );
  if (missing.length === projects.length) await Promise.all(loading);
  const loaded = peeked();
  return { backlogs: loaded, complete: loaded.length === projects.length };
}
