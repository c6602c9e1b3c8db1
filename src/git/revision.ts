/** A hash, short or whole, SHA-1 or SHA-256. */
const HASH = /^[0-9a-f]{4,64}$/i;

/** A branch, tag or hash with steps back, as in `main~2` or `v1.0^`. No range, no path, no search. */
const REVISION = /^[\p{L}\p{N}@_][\p{L}\p{N}@_./-]*(?:[~^]\d*)*$/u;

export function isHash(text: string): boolean {
  return HASH.test(text);
}

/** Tells whether `text` can only mean one commit: never an option, a range or an exclusion. */
export function isRevision(text: string): boolean {
  return text.length <= 250 && !text.includes('..') && REVISION.test(text);
}
