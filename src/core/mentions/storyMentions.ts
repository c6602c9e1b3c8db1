import { notOfStories } from '../marker/commitHints.ts';
import { effectOf, type MarkedId, parseMarkers } from '../marker/markerSyntax.ts';

/** Where a line stands, which decides what else `#12` may be there. */
export type MentionPlace = 'commit' | 'terminal' | 'markdown' | 'comment';

/** A number in a text that a story may have, with its place in the text. */
export interface StoryMention extends MarkedId {
  /** It is in a marker, such as `[fixes #12]`. */
  readonly isMarked: boolean;
  /** It ends its line in parentheses, as hosts of repositories write the number of a pull request: `Sort (#12)`. */
  readonly isLikePullRequest: boolean;
}

/** Characters of a line that are looked at. */
const LONGEST = 2_000;

/**
 * A number that is part of nothing longer: of a word, an address, an entity, a version or a series of numbers. In scripts that put
 * no spaces between words a letter beside it is another word's, and emphasis may begin right before it.
 */
const NUMBER =
  /(?<!(?![\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}])[\p{L}\p{M}\p{N}#/&\\$%@=.?!+^{<-])(?<!\]\(|\burl\(|=["'`])(?:(?<![_~])|(?<=(?:^|[\s\p{Ps}\p{Pi}\p{Po}\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}](?<![/\\#&%@.?!])\*{0,3})(?:_{1,3}|~~)))#([1-9]\d{0,14})(?!(?![\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}])[\p{L}\p{M}\p{N}]|[#%=(&@-])(?!_{0,8}(?![\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}])[\p{L}\p{N}]|[.,:/](?![\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}])[\p{L}\p{N}_]|\s{1,3}(?:of|out of|\/)\s{0,3}\d)/gu;
/** One as it may stand in a marker, whatever is around it. */
const PLAIN = /^[1-9]\d{0,14}$/;

const ADDRESS = /\b[a-z][a-z\d+.-]{0,30}:\/\/[^\s<>"]*/gi;
const CODE = /`[^`]*`/g;
const LINK = /\[[^[\]]*\](?:\([^()]*\)?|\[[^[\]]*\])/g;
const LINK_TARGET = /^\s{0,3}\[[^[\]]*\]:\s.*/;
const WIKI_LINK = /\[\[[^[\]]*\]\]/g;
const TAG = /<[a-z/!?][^<>]*>/gi;

/** What stands right before a number: a word, or a word and the parenthesis that belongs to it. */
const WORD_BEFORE = /(?<!\p{L})(\p{L}{1,20})[.:]?[ \t]{1,4}[([]?$/u;
/** Words for pull requests and issues that stand right before a number, or with a space between, as in Chinese and Japanese. */
const REQUEST_BEFORE = /(?:请求|請求|リクエスト|プルリク|イシュー|议题|議題|요청|이슈)\s{0,2}$/u;
const NOTE_BEFORE = /(?<![\p{L}\p{N}_])\p{Lu}{3,20}\($/u;
/** Between numbers that are told of together. */
const CHAIN = /^(?:[\s,)&]|and|or){0,8}\(?$/;
const BEFORE_LENGTH = 60;

/** A line of a trace or a log that counts with `#12`. */
const FRAME = /^\s{0,20}#\d{1,6}\s{1,8}(?:0x|[/{[<\d]|[A-Z]{4,20}\b|sha256:|[^\s(]{1,200}\s?\()/;

/** Something with letters that can only be a colour. */
const COLOUR = /#(?=\d{0,7}[a-f])(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})(?![\p{L}\p{N}_])/iu;
const COLOUR_BEFORE =
  /(?:colou?r|background|border|fill|stroke|shadow|outline|accent|foreground|theme|gradient|tint|bg|fg|hex)["'`]?\s{0,4}[:=(,]?\s{0,4}["'`(]?$/i;
/** Of the values of a border or a shadow, the one before the colour. */
const VALUE_BEFORE = /(?:solid|dashed|dotted|\d(?:px|r?em|%))\s{1,4}$/i;
const CALL_BEFORE = /[\p{Ll}\p{N}_]\($/u;

/**
 * The numbers in a line that stories may have, in their order: all in markers, and others where nothing speaks against it, as that
 * it is a colour, a pull request or a part of something longer. Whether there is such a story is for others to tell.
 */
export function storyMentions(line: string, place: MentionPlace): readonly StoryMention[] {
  return lineNumbers(line, place).mentions;
}

interface LineNumbers {
  readonly mentions: readonly StoryMention[];
  /** Those behind words such as *pull request*. */
  readonly others: readonly number[];
}

/** As `storyMentions`, with the numbers that the line says are those of something else. */
export function lineNumbers(line: string, place: MentionPlace): LineNumbers {
  const looked = line.length > LONGEST ? line.slice(0, line.lastIndexOf(' ', LONGEST) + 1) : line;
  if (!looked.includes('#')) return { mentions: [], others: [] };
  const text = masked(looked, place);
  const marked = parseMarkers(text).flatMap(({ ids }) => ids);
  const inMarkers = new Set(marked.map(({ range }) => range.start));
  const ids = marked.filter(({ range }) => PLAIN.test(text.slice(range.start + 1, range.end)));
  const { mentions, others } = bareNumbers(text, place, inMarkers);
  const all = [...ids.map((one) => ({ ...one, isMarked: true, isLikePullRequest: false })), ...mentions];
  return { mentions: all.toSorted((one, other) => one.range.start - other.range.start), others };
}

function bareNumbers(text: string, place: MentionPlace, inMarkers: ReadonlySet<number>): LineNumbers {
  const hasColours = COLOUR.test(text);
  const isFrame = place === 'terminal' && FRAME.test(text);
  const mentions: StoryMention[] = [];
  const others: number[] = [];
  let otherEnd: number | undefined;
  for (const { 0: number, 1: digits = '', index: start } of text.matchAll(NUMBER)) {
    if (inMarkers.has(start)) continue;
    const end = start + number.length;
    const before = text.slice(Math.max(0, start - BEFORE_LENGTH), start);
    const [, word = ''] = WORD_BEFORE.exec(before) ?? [];
    const isChained = otherEnd !== undefined && CHAIN.test(text.slice(otherEnd, start).slice(0, 12));
    if (notOfStories.test(word) || REQUEST_BEFORE.test(before) || isChained) {
      otherEnd = end;
      others.push(Number(digits));
      continue;
    }
    if (!isNamed(before, word) && isColour(text, { start, digits, before, hasColours })) continue;
    // Programs count lines of their own with it: steps, frames, pull requests.
    if (place === 'terminal' && (start === 0 || (isFrame && before.trim() === ''))) continue;
    const isLikePullRequest = /(?:^|\s)\($/.test(before) && /^\)\s*$/.test(text.slice(end, end + 40));
    mentions.push({ id: Number(digits), range: { start, end }, isMarked: false, isLikePullRequest });
  }
  return { mentions, others };
}

/** Whether what stands before a number says that it is a story's: a note such as `TODO(`, a verb, or the word itself. */
function isNamed(before: string, word: string): boolean {
  if (COLOUR_BEFORE.test(before)) return false;
  return NOTE_BEFORE.test(before) || (word !== '' && effectOf(word) !== undefined) || /^stor(?:y|ies)$/i.test(word);
}

interface FoundNumber {
  readonly start: number;
  readonly digits: string;
  readonly before: string;
  /** The line has other numbers that are colours. */
  readonly hasColours: boolean;
}

/** Six digits are one wherever nothing says that a story is meant; three, four or eight where they stand as one does. */
function isColour(text: string, { start, digits, before, hasColours }: FoundNumber): boolean {
  if (digits.length === 6) return true;
  if (![3, 4, 8].includes(digits.length)) return false;
  const quote = text.charAt(start - 1);
  const after = text.charAt(start + 1 + digits.length);
  const isQuoted = /["'`]/.test(quote) && quote === after;
  const isValue = /[:,]\s{0,4}$/.test(before) && after === ';';
  const isBehind = [COLOUR_BEFORE, VALUE_BEFORE, CALL_BEFORE].some((pattern) => pattern.test(before));
  return hasColours || isQuoted || isValue || isBehind;
}

/** The line with a letter for each character of what is no text, so that everything else keeps its place. */
function masked(line: string, place: MentionPlace): string {
  const mask = (part: string) => 'x'.repeat(part.length);
  const isMarkdown = place === 'markdown' || place === 'comment';
  const text = isMarkdown ? withoutLinks(line.replace(CODE, mask), mask) : line;
  const plain = text.replace(ADDRESS, mask);
  return place === 'markdown' ? plain.replace(TAG, mask) : plain;
}

function withoutLinks(line: string, mask: (part: string) => string): string {
  const withoutTargets = line.replace(LINK_TARGET, mask).replace(WIKI_LINK, mask);
  return withoutTargets.replace(LINK, (link) => {
    const isTwoMarkers = link.endsWith(']') && parseMarkers(link).length === 2 && /^\[[^[\]]*\]\[/.test(link);
    return isTwoMarkers ? link : mask(link);
  });
}
