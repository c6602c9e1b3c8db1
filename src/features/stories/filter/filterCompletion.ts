import { quoted } from '../../../core/filter/filterTerms.ts';
import { SORT } from '../../../core/filter/viewTerms.ts';
import { folded } from '../../../core/text.ts';
import type { FilterValues } from './filterValues.ts';

/** A way to go on with a filter that is being typed. */
interface Completion {
  /** What is added, as a person reads it: `state:` or `state:started`. */
  readonly label: string;
  /** The whole filter with it. */
  readonly text: string;
}

interface Completions {
  readonly list: readonly Completion[];
  /** The value typed last is none that its key has here, so it is rather to be completed than taken as it is. */
  readonly isUnfinished: boolean;
}

const LIMIT = 50;

/** How the end of `typed` can go on: keys where a word begins, values after a key and after each comma. */
export function completionsOf(typed: string, values: FilterValues): Completions {
  const { before, term } = lastTerm(typed);
  const { sign = '', key, list } = keyed(term) ?? keyed(openKey(before) + term) ?? {};
  if (key === undefined || list === undefined) return { list: keysFor(before, term, values), isUnfinished: false };
  const { given, last } = lastValue(list);
  const known = values.get(key.toLowerCase()) ?? [];
  const wanted = folded(unquoted(last));
  const complete = typed.slice(0, typed.length - list.length) + given;
  const fitting = [...known.filter(startsWith(wanted)), ...known.filter(hasInside(wanted))].slice(0, LIMIT);
  return {
    list: fitting.map((value) => ({ label: `${sign}${key}:${quoted(value)}`, text: `${complete}${quoted(value)} ` })),
    isUnfinished: fitting.length > 0 && !known.some((value) => folded(value) === wanted),
  };
}

interface KeyedTerm {
  /** `-` where it is to be otherwise. */
  readonly sign: string;
  readonly key: string;
  readonly list: string;
}

function keyed(term: string): KeyedTerm | undefined {
  const [, sign = '', key, list] = /^(-?)([\p{L}_]{1,64}):(.*)$/su.exec(term) ?? [];
  return key === undefined || list === undefined ? undefined : { sign, key, list };
}

/** The key behind which there is only a blank yet, with its colon. */
function openKey(before: string): string {
  const { term } = lastTerm(before.trimEnd());
  return /^-?[\p{L}_]{1,64}:$/u.test(term) ? term : '';
}

function keysFor(before: string, term: string, values: FilterValues): readonly Completion[] {
  if (term.startsWith('"')) return [];
  const sign = term.startsWith('-') ? '-' : '';
  const known = [...values.keys()].filter((key) => sign === '' || key !== SORT);
  const keys = known.filter(startsWith(folded(term.slice(sign.length))));
  return keys.map((key) => ({ label: `${sign}${key}:`, text: `${before}${sign}${key}:` }));
}

/** The part after the last space that is not in quotes. */
function lastTerm(typed: string): { readonly before: string; readonly term: string } {
  const start = afterLast(typed, (character) => /\s/u.test(character));
  return { before: typed.slice(0, start), term: typed.slice(start) };
}

function lastValue(list: string): { readonly given: string; readonly last: string } {
  const start = afterLast(list, (character) => character === ',');
  return { given: list.slice(0, start), last: list.slice(start) };
}

function afterLast(text: string, ends: (character: string) => boolean): number {
  let isQuoted = false;
  let start = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    if (isQuoted && character === '\\') index++;
    else if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && ends(character)) start = index + 1;
  }
  return start;
}

function unquoted(value: string): string {
  return value.replace(/\\(.)|"/gs, '$1');
}

function startsWith(wanted: string): (value: string) => boolean {
  return (value) => folded(value).startsWith(wanted);
}

function hasInside(wanted: string): (value: string) => boolean {
  return (value) => folded(value).indexOf(wanted) > 0;
}
