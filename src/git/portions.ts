/** Few enough for a command line: Windows takes 32,767 characters, others a million bytes and more. */
const MOST_REVISIONS = process.platform === 'win32' ? 600 : 5000;

/** Hashes, parted into as many as one run of Git takes: each run walks through the same history again. */
export function portions(revisions: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(revisions.length / MOST_REVISIONS);
  return Array.from({ length: count }, (_, at) => revisions.slice(at * MOST_REVISIONS, (at + 1) * MOST_REVISIONS));
}
