import { namedDay } from '../../../core/calendarDay.ts';
import { readZonedDate } from '../../../v3/dates.ts';
import { ownCopy } from '../../../v3/ownedText.ts';
import type { ImportedNote } from '../import/importedStory.ts';

/** Who wrote a comment that does not say so at its end. */
export const UNKNOWN_AUTHOR = 'unknown';

/** Takes `text (Author - Jan 5, 2017)` apart; undefined when that is not at the end. */
export function readCsvComment(cell: string): ImportedNote | undefined {
  const trimmed = cell.trimEnd();
  if (!trimmed.endsWith(')')) return undefined;
  const separator = trimmed.lastIndexOf(' - ');
  const notedAt = separator < 0 ? undefined : readZonedDate(trimmed.slice(separator + 3, -1)).time;
  if (notedAt === undefined) return undefined;
  const start = startOfAuthor(trimmed.slice(0, separator));
  if (start === undefined) return undefined;
  return { text: trimmed.slice(0, start.text), author: ownCopy(trimmed.slice(start.author, separator)), notedAt };
}

interface Start {
  readonly text: number;
  readonly author: number;
}

/** Where the text ends and the author begins: at the last bracket that is not one of the author's own. Looks at each character once. */
function startOfAuthor(before: string): Start | undefined {
  let last: Start | undefined;
  let open = 0;
  for (let at = before.length - 1; at >= 0; at--) {
    const character = before[at];
    if (character === ')') open -= 1;
    if (character !== '(') continue;
    if (at === 0 || /\s/.test(before.charAt(at - 1))) {
      const start = { text: Math.max(0, at - 1), author: at + 1 };
      if (open === 0) return start;
      last ??= start;
    }
    open += 1;
  }
  return last;
}

export function writeCsvComment({ text, author, notedAt }: ImportedNote): string {
  return `${text} (${author} - ${namedDay(notedAt ?? 0)})`;
}
