/** What the sessions of a process call themselves, and the one that each process has but one of. */
export const SESSION_NAME = 'story-tracker';
export const WRITER_NAME = `${SESSION_NAME} writer`;

/** Left free, so that another process can come and be counted. */
const SPARE = 2;
/** Of each process, besides those of its pools. */
const ALWAYS = 2;

/** Asks a server for its room. */
export const ROOM = `select
  current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
    - coalesce(nullif(current_setting('reserved_connections', true), '')::int, 0) as room,
  (count(*) filter (where application_name is null or application_name not like '${SESSION_NAME}%'))::int as others,
  (count(*) filter (where application_name = '${WRITER_NAME}'))::int as processes
  from pg_stat_activity where backend_type = 'client backend'`;

/** Of a server: the connections that it lets in, those of other programs, and the processes of this service that share the rest. */
export interface Room {
  readonly room: number;
  readonly others: number;
  readonly processes: number;
}

/** How many connections one of the processes has for its readers and for its writers; one of each in any case. */
export function shareOf({ room, others, processes }: Room): { readonly readers: number; readonly writers: number } {
  const each = Math.floor((room - others - SPARE) / Math.max(processes, 1)) - ALWAYS;
  const writers = Math.max(1, Math.round(each / 3));
  return { readers: Math.max(1, each - writers), writers };
}
