import { TrackerError } from '../errors.ts';
import { t } from '../translation.ts';

/** One part of a filter as typed: `key:value,value` or words; a story passes when any of `values` fits. */
export interface FilterTerm {
  /** In lower case; absent for words. */
  readonly key?: string;
  readonly values: readonly string[];
  /** Typed as `-key:value`: a story passes when none of `values` fits. */
  readonly isNegated?: true;
}

const KEY = /^-?\p{L}[\p{L}_]*$/u;
/** Characters; a long text with many colons is not looked at once for each of them. */
const LONGEST_KEY = 64;

/**
 * Splits a filter at spaces, each part at its first colon and at commas; quotes keep all three, and `\"` inside them is a
 * quote (protocol.md, Story filter). A minus before a key negates it (ours). A blank may follow the colon. Words behind a value belong to it where its key `goesOn`, which no
 * key does for people who type: theirs are words to look for. Throws `input` for a quote that is not closed and a key without a value.
 */
export function filterTerms(text: string, goesOn: (key: string) => boolean = () => false): readonly FilterTerm[] {
  const parts: Part[] = [];
  for (const part of spacedParts(text)) {
    const before = parts.at(-1);
    if (before && isContinued(before, part, goesOn)) parts[parts.length - 1] = withPart(before, part);
    else parts.push(part);
  }
  return parts.flatMap(termOf);
}

/** Whether a minus stands by itself, without quotes. */
export function hasLoneMinus(text: string): boolean {
  for (const { key, values, hasQuotes } of spacedParts(text)) {
    if (key === undefined && !hasQuotes && values.length === 1 && values[0] === '-') return true;
  }
  return false;
}

/** A value as a filter says it, in quotes where its characters would mean something. */
export function quoted(value: string): string {
  return /[\s,"\\:]/u.test(value) || value === '' ? `"${value.replace(/["\\]/g, '\\$&')}"` : value;
}

interface Part {
  readonly key?: string;
  /** Between commas, blank ones too; added to in place: there may be thousands. */
  readonly values: string[];
  readonly hasQuotes: boolean;
  /** Whether no value says anything. */
  readonly isBlank: boolean;
}

/** What stands between spaces; a part is a key, or words, or both. */
function* spacedParts(text: string): Generator<Part> {
  let open = emptyPart();
  for (const { character, isQuoted } of quotedCharacters(text)) {
    if (!isQuoted && /\s/u.test(character)) {
      yield* completed(open);
      open = emptyPart();
    } else {
      open = withCharacter(open, character, isQuoted);
    }
  }
  yield* completed(open);
}

/** A part that is being read. */
type OpenPart = Omit<Part, 'isBlank'> & { readonly value: string };

function emptyPart(): OpenPart {
  return { values: [], value: '', hasQuotes: false };
}

function withCharacter(part: OpenPart, character: string, isQuoted: boolean): OpenPart {
  if (isQuoted) return { ...part, value: part.value + character, hasQuotes: true };
  if (character === ',') {
    part.values.push(part.value);
    return { ...part, value: '' };
  }
  const endsKey = character === ':' && part.key === undefined && part.values.length === 0 && !part.hasQuotes;
  if (endsKey && part.value.length <= LONGEST_KEY && KEY.test(part.value))
    return { ...part, key: part.value.toLowerCase(), value: '' };
  return { ...part, value: part.value + character };
}

function completed({ value, ...part }: OpenPart): readonly Part[] {
  part.values.push(value);
  const isNothing = part.key === undefined && part.values.length === 1 && isBlank(value);
  return isNothing ? [] : [{ ...part, isBlank: part.values.every(isBlank) }];
}

function isContinued(before: Part, { key, hasQuotes }: Part, goesOn: (key: string) => boolean): boolean {
  if (before.key === undefined || key !== undefined || before.hasQuotes) return false;
  return before.isBlank || (goesOn(before.key) && !hasQuotes);
}

/** A comma between the two, on whichever side of the space, parts their values. */
function withPart(before: Part, part: Part): Part {
  const last = before.values.pop() ?? '';
  const [first = '', ...others] = part.values;
  if (last === '' || first === '') before.values.push(last, first);
  else before.values.push(`${last} ${first}`);
  for (const value of others) before.values.push(value);
  return { ...before, hasQuotes: part.hasQuotes, isBlank: before.isBlank && part.isBlank };
}

function termOf({ key, values }: Part): readonly FilterTerm[] {
  const given = values.filter((one) => !isBlank(one));
  if (key === undefined) return given.length > 0 ? [{ values: given }] : [];
  if (given.length > 0)
    return [key.startsWith('-') ? { key: key.slice(1), values: given, isNegated: true } : { key, values: given }];
  throw new TrackerError('input', t('Nothing follows “{0}:” in the filter. Add a value, or remove it.', key));
}

function isBlank(value: string): boolean {
  return value.trim() === '';
}

/** The characters that mean something, without the quotes and back-slashes that only say how to take them. */
function* quotedCharacters(text: string): Generator<{ readonly character: string; readonly isQuoted: boolean }> {
  let isQuoted = false;
  let isEscaped = false;
  for (const character of text) {
    if (isEscaped || (character !== '"' && !(isQuoted && character === '\\'))) {
      yield { character, isQuoted };
      isEscaped = false;
    } else if (character === '\\') {
      isEscaped = true;
    } else {
      isQuoted = !isQuoted;
    }
  }
  if (isQuoted) throw new TrackerError('input', t('The filter has an unclosed quotation mark. Add the second ".'));
}
