/** Where in a line a story is being named, and with which words. */
export interface CompletionContext {
  /** What has been typed of the story's id or name, without `#`. */
  readonly query: string;
  /** Column where the replaced text starts; it ends at the cursor. */
  readonly start: number;
  /** Column where the word ends that the cursor is in. */
  readonly wordEnd: number;
  readonly hash: boolean;
  /** Whether an open bracket is before it, so that only the id is to be inserted. */
  readonly inBracket: boolean;
}

/**
 * Tells whether a story may be named at the end of `before`, the line up to the cursor: behind a `#` that begins a word,
 * or at a word inside an open bracket, as in `[fixes log`; with `atWords` also at any other word of some letters. Not in `C#`,
 * nor in the comment lines of a commit file, but at a `#` that begins a line, where `commentChar` as in `readCommitMessage` is one.
 */
export function completionContext(
  before: string,
  after: string,
  commentChar: string,
  atWords = false,
): CompletionContext | undefined {
  if (isComment(before, commentChar)) return undefined;
  const [rest = ''] = /^[\p{L}\p{N}_-]*/u.exec(after) ?? [];
  const wordEnd = before.length + rest.length;
  const inBracket = /\[[^[\]]*$/.test(before);
  const [, hashed] = /(?:^|[\s[(,])#([\p{L}\p{N}_-]*)$/u.exec(before) ?? [];
  if (hashed !== undefined) {
    return { query: hashed, start: before.length - hashed.length - 1, wordEnd, hash: true, inBracket };
  }
  const [, bracketed] = /\[(?:[^[\]]*[\s,])?([\p{L}\p{N}][\p{L}\p{N}_-]*)$/u.exec(before) ?? [];
  const [, plain] = (atWords && /(?:^|[\s(,])(\p{L}[\p{L}\p{N}_-]{2,})$/u.exec(before)) || [];
  const word = bracketed ?? (inBracket ? undefined : plain);
  return word === undefined
    ? undefined
    : { query: word, start: before.length - word.length, wordEnd, hash: false, inBracket };
}

function isComment(before: string, commentChar: string): boolean {
  if (commentChar === '#') return /^#\s/.test(before);
  return commentChar !== '' && before.startsWith(commentChar);
}
