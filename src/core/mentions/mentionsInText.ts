import { isComment, type Marks, placeOfNote } from './commentMarks.ts';
import { lineNumbers, type MentionPlace, type StoryMention, storyMentions } from './storyMentions.ts';

/** How the comments of a text are told from its code. */
interface CommentStyle {
  /** `undefined` where the language has none, or nobody knows them: then only notes are found. */
  readonly marks: Marks | undefined;
  /** Words of notes, such as TODO: what follows one at the beginning of a line is a comment, whatever the language. */
  readonly words: readonly string[];
}

/** Numbers that are told of one text: more than anyone follows. */
const MOST = 2_000;
/** Characters of a text that are looked at. */
const LONGEST_TEXT = 2_000_000;

/** What begins a block of code, also in a quotation or a point of a list; backticks with others behind them are code within a line. */
const FENCE = /^(?:[\s>]|[-*+]\s|\d{1,9}[.)]\s){0,20}(`{3,200}(?=[^`]*$)|~{3,200})/;
const FENCE_END = /^[\s>]{0,20}(`{3,200}|~{3,200})\s*$/;

/** The numbers in a Markdown text that stories may have, but for those in blocks of code. */
export function mentionsInMarkdown(text: string): readonly StoryMention[] {
  const found: StoryMention[] = [];
  let fence = '';
  for (const { line, start } of linesOf(text)) {
    const [, mark = ''] = (fence === '' ? FENCE : FENCE_END).exec(line) ?? [];
    if (fence === '' && mark !== '') fence = mark;
    else if (fence !== '' && mark.startsWith(fence)) fence = '';
    else if (fence === '') found.push(...within(line, start, 'markdown'));
    if (found.length >= MOST) break;
  }
  return found;
}

/** The numbers in the comments of code that stories may have. Comments are told line by line, by how they begin. */
export function mentionsInComments(text: string, style: CommentStyle): readonly StoryMention[] {
  const found: StoryMention[] = [];
  for (const { line, start } of linesWithNumbers(text)) {
    const begin = commentStart(line, style);
    if (begin >= 0) found.push(...within(line.slice(begin), start + begin, 'comment'));
    if (found.length >= MOST) break;
  }
  return found;
}

/**
 * The numbers in a commit message that stories may have. One that is something else's anywhere in it, as behind the word *request*,
 * is so everywhere in it but in markers.
 */
export function mentionsInMessage(message: string): readonly StoryMention[] {
  const found: StoryMention[] = [];
  const others = new Set<number>();
  const likeOthers = new Set<number>();
  for (const { line, start } of linesWithNumbers(message)) {
    const numbers = lineNumbers(line, 'commit');
    for (const id of numbers.others) others.add(id);
    for (const { id, isLikePullRequest } of numbers.mentions) if (isLikePullRequest) likeOthers.add(id);
    found.push(...numbers.mentions.map((mention) => movedBy(start, mention)));
    if (found.length >= MOST) break;
  }
  return found
    .filter(({ id, isMarked }) => isMarked || !others.has(id))
    .map((one) => (!one.isMarked && likeOthers.has(one.id) ? { ...one, isLikePullRequest: true } : one));
}

function within(line: string, offset: number, place: MentionPlace): readonly StoryMention[] {
  return storyMentions(line, place).map((mention) => movedBy(offset, mention));
}

function movedBy(offset: number, mention: StoryMention): StoryMention {
  const { start, end } = mention.range;
  return { ...mention, range: { start: start + offset, end: end + offset } };
}

interface PlacedLine {
  readonly line: string;
  readonly start: number;
}

function* linesOf(text: string): Generator<PlacedLine> {
  const length = Math.min(text.length, LONGEST_TEXT);
  for (let start = 0; start < length; ) {
    const end = endOfLine(text, start);
    yield { line: text.slice(start, end), start };
    start = end + 1;
  }
}

/** Only those in which a number of a story can be: code has far more lines than those. */
function* linesWithNumbers(text: string): Generator<PlacedLine> {
  const number = /#[1-9]/g;
  for (let match = number.exec(text); match && match.index < LONGEST_TEXT; match = number.exec(text)) {
    const start = text.lastIndexOf('\n', match.index) + 1;
    const end = endOfLine(text, match.index);
    yield { line: text.slice(start, end), start };
    number.lastIndex = end;
  }
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

/** What begins comments besides the marks of a comment of one line. */
const MORE_MARKS: Readonly<Record<string, readonly string[]>> = { '//': ['/*'], '<!--': ['//', '/*'] };

/** Where the comment of a line begins; -1 where it has none. */
function commentStart(line: string, { marks, words }: CommentStyle): number {
  const looked = line.slice(0, 2_000);
  const [mark = ''] = marks?.map((one) => one.trim()) ?? [];
  if (mark !== '' && beginsAsComment(looked, mark)) return 0;
  const starts = mark === '' ? [] : [mark, ...(MORE_MARKS[mark] ?? [])].map((one) => placeOfMark(looked, one));
  const notes = words.map((word) => placeOfNote(looked, word));
  const found = [...starts, ...notes].filter((at) => at >= 0);
  return found.length === 0 ? -1 : Math.min(...found);
}

/** Within a block that lines of stars go through, or after the mark itself. */
function beginsAsComment(line: string, mark: string): boolean {
  const begun = line.trimStart();
  if (mark === '//' || mark === '/*') return /^(?:\/\/|\/\*|\*[\s/])/.test(begun);
  return begun.startsWith(mark) && isComment(line);
}

/** Behind code: the mark is a word of its own, and no text in quotes that has begun before it goes on, as far as counting tells. */
function placeOfMark(line: string, mark: string): number {
  const open = { '"': false, "'": false, '`': false };
  for (let at = 0; at < line.length; at += 1) {
    const character = line.charAt(at);
    const isQuote = character === '"' || character === "'" || character === '`';
    if (isQuote && character !== mark) open[character] = !open[character];
    if (!line.startsWith(mark, at) || open['"'] || open["'"] || open['`']) continue;
    const [before, after] = [line.charAt(at - 1), line.charAt(at + mark.length)];
    if (/^[\s;,(){}>]?$/.test(before) && /^[\s!*/#;%-]?$/.test(after)) return at;
  }
  return -1;
}
