import type { Story } from '../story/story.ts';
import { normalized, withoutEnds } from '../text.ts';

/** UTF-8 bytes; a file of a branch's name, with `.lock` behind it, has to fit in all file systems. */
const LONGEST_BRANCH = 200;

/** Code points. */
const LONGEST_SLUG = 50;

/** What no part of the name ends with. */
const LOCK = '.lock';

/** What Git forbids anywhere in the name of a branch (git check-ref-format). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is forbidden.
const FORBIDDEN = /[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\/\/|\p{Cs}/u;

/** Whether Git takes `text` for the name of a branch (git check-ref-format --branch), and commands for no option. */
export function isBranchName(text: string): boolean {
  const parts = text.split('/');
  return (
    !FORBIDDEN.test(text) &&
    !/^[-@]?$|^-|\.$|^HEAD$/.test(text) &&
    parts.every((part) => part !== '' && !part.startsWith('.') && !part.endsWith(LOCK)) &&
    new TextEncoder().encode(text).length <= LONGEST_BRANCH
  );
}

/**
 * The branch for a story after a template with `${type}`, `${id}` and `${slug}`, the words of its name. What Git does not
 * take is left out, whatever the template and the server say.
 */
export function branchName(template: string, { type, id, name }: Pick<Story, 'type' | 'id' | 'name'>): string {
  const values: Readonly<Record<string, string>> = { type: slug(type), id: String(id), slug: slug(name) };
  const filled = template.replace(/\$\{(\w*)\}/g, (_, key: string) =>
    Object.hasOwn(values, key) ? (values[key] ?? '') : '',
  );
  const cleaned = filled
    .split('/')
    .map(cleanPart)
    .filter((part) => part !== '')
    .join('/');
  return isBranchName(cleaned) ? cleaned : `story/${id}`;
}

/** Whether the name of a branch holds the id as a number of its own, as in `feature/12-sort` but not in `v1.12` or `120`. */
export function namesStory(branch: string, id: number): boolean {
  return new RegExp(`(?:^|[/_#-])${id}(?:$|[/_-])`).test(branch);
}

/** A text's letters and digits in lower case, with `-` between its words. */
function slug(text: string): string {
  const words = normalized(normalized(text, 'NFKD').replace(/[\u0300-\u036f]/g, ''), 'NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '-');
  const all = [...withoutEnds(words, '-')];
  const start = all.slice(0, LONGEST_SLUG).join('');
  const isCut = all.length > LONGEST_SLUG && all[LONGEST_SLUG] !== '-';
  return withoutEnds(isCut ? withoutLastWord(start) : start, '-');
}

/** All words but the last, unless there is no other. */
function withoutLastWord(words: string): string {
  const last = words.lastIndexOf('-');
  return words.indexOf('-') < last ? words.slice(0, last) : words;
}

function cleanPart(part: string): string {
  const plain = part
    .replace(/[^\p{L}\p{N}\p{M}._#+-]+/gu, '-')
    .replace(/\.{2,}/g, '.')
    .replace(/-{2,}/g, '-');
  let cleaned = withoutEnds(plain, '.-');
  while (cleaned.endsWith(LOCK)) cleaned = cleaned.slice(0, -LOCK.length);
  return cleaned;
}
