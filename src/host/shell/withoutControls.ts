import { visibleLine, withoutControls } from '../../core/text.ts';

export { withoutControls };

/** A server's text on one line, in a row or a sentence. */
export function plainLine(text: string): string {
  return withoutControls(text).replace(/\s+/g, ' ').trim();
}

const LONGEST_TITLE = 200;

/** A server's text within a title, which knows no markup: short, and isolated by characters. */
export function isolatedInTitle(text: string): string {
  return `\u2068${visibleLine(text, LONGEST_TITLE)}\u2069`;
}
