/** Few enough for a command line of any system. */
const MOST_REVISIONS = 300;

/** Hashes, parted into as many as one run of Git takes. */
export function portions(revisions: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(revisions.length / MOST_REVISIONS);
  return Array.from({ length: count }, (_, at) => revisions.slice(at * MOST_REVISIONS, (at + 1) * MOST_REVISIONS));
}
