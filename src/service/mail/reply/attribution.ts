/** Lines over which programs break the sentence that introduces a quotation. */
const MOST_LINES = 4;
/** Lines without text that may be between the sentence and the quotation. */
const MOST_GAP = 2;
const LONGEST = 400;

/** A colon as every language ends the sentence, in narrow or wide form; French puts a space before it. */
const ENDS_WITH_COLON = /[:：]\s*[*_]?$/u;
const DATE =
  /\b(?:19|20)\d\d\b|(?:19|20)\d\d\s?[年년]|\b\d{1,2}\s?[.:h時시]\s?\d\d\b|\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b/u;
const SENDER = /[^\s<>@]@[^\s<>@]+\.[^\s<>@]/u;
/** How the sentence begins where its date is on the line before. */
const BEGINS = /^\s*(?:On|Am|Le|El|Il|Em|Op|Den|Dnia|W dniu|Dne|La|Pe|På|В|At)\s.*\d/u;
/** Ways in which one sentence without a date introduces a quotation. */
const WROTE =
  /\b(?:wrote|writes|schrieb|schreibt|écrit|escribió|ha scritto|scrisse|escreveu|schreef|skrev|napisał|napsal|kirjoitti|yazdı)\b|написал|写道|書きました/iu;

/** How many of the last lines are the sentence that introduces the quotation after them; 0 when there is none. */
export function attributionLength(lines: readonly string[]): number {
  for (let gap = 0; gap <= MOST_GAP && gap < lines.length; gap++) {
    const end = lines.length - 1 - gap;
    if (lines[end]?.trim() === '') continue;
    const count = sentenceLength(lines, end);
    return count === 0 ? 0 : count + gap;
  }
  return 0;
}

/** Of how many lines up to `end` the sentence is; 0 when it is none. */
function sentenceLength(lines: readonly string[], end: number): number {
  if (!ENDS_WITH_COLON.test(lines[end] ?? '')) return 0;
  let joined = '';
  let without = 0;
  for (let count = 1; count <= MOST_LINES; count++) {
    const line = lines[end + 1 - count]?.trim() ?? '';
    joined = `${line} ${joined}`;
    if (line === '' || joined.length > LONGEST) break;
    if (DATE.test(joined)) return count + startsBefore(lines, end - count);
    if (count === 1 && (SENDER.test(joined) || WROTE.test(joined))) without = 1;
  }
  return without;
}

/** One line more where the sentence began with a date that was broken off. */
function startsBefore(lines: readonly string[], at: number): number {
  const line = lines[at] ?? '';
  return BEGINS.test(line) && /[,\d]\s*$/.test(line) ? 1 : 0;
}
