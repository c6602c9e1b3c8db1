/**
 * A moment as a server wrote it. `text` is kept as it came, and shown so where it cannot be read; `time` is milliseconds since the
 * epoch and is absent when the zone is not one we know (protocol.md, Dates: never silently taken for UTC).
 */
export interface ZonedDate {
  readonly text: string;
  readonly time?: number;
}
