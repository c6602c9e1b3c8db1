/** Lists of a story that the page shows a part of. */
export const listNames = ['tasks', 'comments', 'attachments', 'commits'] as const;
export type ListName = (typeof listNames)[number];

/** Items of a list that are shown at first, and that each step adds. */
const STEP = 50;
/** Items that are shown at once. */
const MOST = 200;
/** Characters of all the texts of a list that are shown at once; one item is shown in any case. */
const MOST_TEXT = 100_000;
/** Characters of one item. */
const LONGEST_TEXT = 20_000;

/** Which part of a list is shown: all but the `end` newest, and `count` of them at most. */
interface ListWindow {
  readonly end: number;
  readonly count: number;
}

export type ListWindows = Readonly<Record<ListName, ListWindow>>;

export const newest: ListWindow = { end: 0, count: STEP };
export const newestOfAll: ListWindows = { tasks: newest, comments: newest, attachments: newest, commits: newest };

/** What of a list is shown, and how many older and newer ones are not. */
export interface Windowed<T> {
  readonly items: readonly T[];
  readonly older: number;
  readonly newer: number;
  /** How many of those between are not yet there: a page is there the sooner the less it is given at first. */
  readonly awaited?: number;
}

/** The part of a list, newest last, that a window shows; `lengthOf` tells the characters of an item. */
export function windowed<T>(all: readonly T[], { end, count }: ListWindow, lengthOf: (item: T) => number): Windowed<T> {
  const until = Math.max(Math.min(all.length, 1), all.length - end);
  let from = until;
  let left = MOST_TEXT;
  while (from > 0 && until - from < count) {
    const item = all[from - 1];
    if (item !== undefined) left -= Math.min(lengthOf(item), LONGEST_TEXT);
    if (left < 0 && from < until) break;
    from -= 1;
  }
  return { items: all.slice(from, until), older: from, newer: all.length - until };
}

/** Older ones come in addition as long as there is room for them, then in the place of the newer. */
export function olderWindow({ end, count }: ListWindow, { items, older }: Windowed<unknown>): ListWindow {
  if (older === 0) return { end, count };
  const isFull = items.length < count || count + STEP > MOST;
  return isFull ? { end: end + items.length, count: STEP } : { end, count: count + STEP };
}

/** A text as it is shown, and how many characters of it are not. */
export function shortened(text: string, longest = LONGEST_TEXT): { readonly text: string; readonly more: number } {
  if (text.length <= longest) return { text, more: 0 };
  const start = text.slice(0, longest).replace(/[\ud800-\udbff]$/, '');
  return { text: start, more: text.length - start.length };
}
