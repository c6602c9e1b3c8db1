/** Lines of which stories are made at once. */
export const MOST_NAMES = 200;

/** What lists have before their lines: bullets, numbers, boxes to tick. */
const LIST_MARK = /^(?:(?:[-*+•–]|\d{1,4}[.)])(?=\s|$)\s*)?(?:\[[ xX]?\](?=\s|$)\s*)?/;

/** The names that a text of several lines has, without the marks of a list. */
export function namesIn(text: string): readonly string[] {
  const lines = text.split(/\r\n|\r|\n/, MOST_LINES).map((line) => line.trim().replace(LIST_MARK, '').trim());
  return lines.filter((line) => /[\p{L}\p{N}]/u.test(line));
}

/** More are not looked at. */
const MOST_LINES = 10_000;
/** Characters of a clipboard that are compared while someone types. */
const MOST_CHARACTERS = 1_000_000;

/**
 * The names in what was pasted into a box of one line, which leaves its line breaks out: those of the clipboard, where that is
 * what the box has. Empty where it is not, or is only one.
 */
export function pastedNames(typed: string, clipboard: string): readonly string[] {
  if (typed.length < 2 || clipboard.length > MOST_CHARACTERS || !/[\r\n]/.test(clipboard.trim())) return [];
  const plain = (text: string) => text.replace(/\s+/g, '');
  if (plain(typed) !== plain(clipboard)) return [];
  const names = namesIn(clipboard);
  return names.length > 1 ? names : [];
}

/** Whether a box came to have what it has by a paste: several characters came into it at once, where typing brings one. */
export function isPaste(before: string, now: string): boolean {
  const [old, characters] = [[...before], [...now]];
  const most = Math.min(old.length, characters.length);
  let start = 0;
  while (start < most && old[start] === characters[start]) start++;
  let end = 0;
  while (end < most - start && old.at(-1 - end) === characters.at(-1 - end)) end++;
  return characters.length - start - end > 1;
}
