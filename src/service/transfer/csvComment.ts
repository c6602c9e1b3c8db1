import { namedDay } from '../../core/calendarDay.ts';
import { readZonedDate } from '../../v3/dates.ts';
import type { ImportedNote } from './importedStory.ts';

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
  return { text: trimmed.slice(0, start.text), author: trimmed.slice(start.author, separator), notedAt };
}

interface Start {
  readonly text: number;
  readonly author: number;
}

/** Where the text ends and the author begins: at the last bracket that is not one of the author's own. */
function startOfAuthor(before: string): Start | undefined {
  const starts = [...before.matchAll(/(?:^|\s)\(/g)].map(({ 0: bracket, index }) => ({
    text: index,
    author: index + bracket.length,
  }));
  return starts.findLast(({ author }) => isBalanced(before.slice(author))) ?? starts.at(-1);
}

function isBalanced(text: string): boolean {
  const count = (bracket: string): number => text.split(bracket).length;
  return count('(') === count(')');
}

export function writeCsvComment({ text, author, notedAt }: ImportedNote): string {
  return `${text} (${author} - ${namedDay(notedAt ?? 0)})`;
}
