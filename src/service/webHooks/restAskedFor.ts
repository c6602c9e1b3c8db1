/** Milliseconds that a `Retry-After` header asks for, in seconds or as a date; none when it says neither. */
export function restAskedFor(header: string | undefined, now: number): number {
  if (header === undefined) return 0;
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? 0 : Math.max(date - now, 0);
}
