import { TrackerError } from './errors.ts';

/** One part of a filter as typed: `key:value,value` or words; a story passes when any of `values` fits. */
export interface FilterTerm {
  /** In lower case; absent for words. */
  readonly key?: string;
  readonly values: readonly string[];
}

const KEY = /^-?\p{L}[\p{L}_]*$/u;
/** Characters; a long text with many colons is not looked at once for each of them. */
const LONGEST_KEY = 64;

/**
 * Splits a filter at spaces, each part at its first colon and at commas; quotes keep all three, and `\"` inside them is a
 * quote (protocol.md, Story filter). Throws `input` for a quote that is not closed and a key without a value.
 */
export function filterTerms(text: string): readonly FilterTerm[] {
  const terms: FilterTerm[] = [];
  let part = emptyPart();
  for (const { character, isQuoted } of quotedCharacters(text)) {
    if (!isQuoted && /\s/u.test(character)) {
      terms.push(...termOf(part));
      part = emptyPart();
    } else {
      part = withCharacter(part, character, isQuoted);
    }
  }
  return [...terms, ...termOf(part)];
}

interface Part {
  readonly key?: string;
  /** Added to in place: there may be thousands. */
  readonly values: string[];
  readonly value: string;
  readonly hasQuotes: boolean;
}

function emptyPart(): Part {
  return { values: [], value: '', hasQuotes: false };
}

function withCharacter(part: Part, character: string, isQuoted: boolean): Part {
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

function termOf({ key, values, value }: Part): readonly FilterTerm[] {
  const given = [...values, value].filter((one) => one.trim() !== '');
  if (given.length > 0) return [{ ...(key !== undefined && { key }), values: given }];
  if (key === undefined) return [];
  throw new TrackerError('input', `The filter says nothing after “${key}:”. Add what to look for, or take it out.`);
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
  if (isQuoted)
    throw new TrackerError('input', 'The filter has a quotation mark that is not closed. Add the second ".');
}
