import { withoutEnds } from '../../../core/text.ts';
import { isReplyMarker } from '../assigned/composedMail.ts';
import { attributionLength } from './attribution.ts';
import { beforeQuotedHead } from './quotedHead.ts';
import { withoutSignature } from './signature.ts';

const QUOTED = /^\s?>/;

/**
 * What a person wrote in a reply: its text without what is quoted, however their program and language introduce it, and without
 * the signature. Answers between quoted lines are kept, the lines that they answer are not.
 */
export function ownText(text: string): string {
  const lines = text.replace(/\r\n?|\u2028|\u2029/g, '\n').split('\n');
  const marker = lines.findIndex(isReplyMarker);
  const above = marker < 0 ? lines : beforeQuotation(lines.slice(0, marker));
  const below = marker < 0 ? [] : answersBelow(lines.slice(marker + 1), QUOTED.test(lines[marker] ?? ''));
  const own = withoutSignature(withoutQuotes(beforeQuotedHead([...above, ...below])));
  const trimmed = own.map((line) => line.trimEnd()).join('\n');
  return withoutEnds(trimmed.replace(/\n{3,}/g, '\n\n'), '\n');
}

/** The lines before the first quoted one of our mail, without their introduction. */
function beforeQuotation(lines: readonly string[]): readonly string[] {
  const end = lines.findLastIndex((line) => !/^[\s>]*$/.test(line));
  const before = lines.slice(0, end + 1);
  return before.slice(0, before.length - attributionLength(before));
}

/** Where our mail is quoted line by line, an answer may stand between and below them; else all of it is quoted. */
function answersBelow(lines: readonly string[], isQuotedByLine: boolean): readonly string[] {
  return isQuotedByLine ? ['', ...lines] : [];
}

function withoutQuotes(lines: readonly string[]): readonly string[] {
  const own: string[] = [];
  for (const [index, line] of lines.entries()) {
    if (!QUOTED.test(line)) {
      own.push(line);
    } else if (!QUOTED.test(lines[index - 1] ?? '')) {
      own.length -= attributionLength(own);
      own.push('');
    }
  }
  return own;
}
