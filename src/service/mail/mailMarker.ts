/** Stands above what a mail says, so that a reply shows where its quoting begins, whatever program and language it was written in. */
export const REPLY_MARKER = 'Write your reply above this line';

/** Whether a line, quoted or not, is the marker. */
export function isReplyMarker(line: string): boolean {
  return line.includes(REPLY_MARKER);
}
