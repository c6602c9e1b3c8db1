const LINE_END = 0x0a;
const MOST_LINES = 500_000;
const MOST_SHORT_LINES = 100_000;
/** Bytes. Programs write files in lines of more than this. */
const SHORT_LINE = 60;

/** Throws for a mail whose lines would hold the service for long: each costs the parser some microseconds. */
export function refuseManyLines(raw: Buffer): void {
  let all = 0;
  let short = 0;
  for (let from = 0, end = raw.indexOf(LINE_END); end >= 0; end = raw.indexOf(LINE_END, from)) {
    all += 1;
    if (end - from < SHORT_LINE) short += 1;
    from = end + 1;
  }
  if (all > MOST_LINES || short > MOST_SHORT_LINES)
    throw new Error('it has too many lines. Send long texts in a compressed file');
}
