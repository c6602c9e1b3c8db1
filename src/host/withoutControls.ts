// Controls but tab and line feed; marks that turn the direction of text after them, or that stand for nothing one can see.
const CONTROLS = /[^\P{Cc}\t\n]|[\u202a-\u202e\u2066-\u2069\u2028\u2029\ufff9-\ufffb]|\p{Cs}/gu;

/** What would hide or turn text shows as a replacement character, so that one reads what is there. */
export function withoutControls(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(CONTROLS, '\ufffd');
}

/** A server's text on one line, in a row or a sentence. */
export function plainLine(text: string): string {
  return withoutControls(text).replace(/\s+/g, ' ').trim();
}

/** A server's text within a title, which knows no markup: isolated by characters. */
export function isolatedInTitle(text: string): string {
  return `\u2068${plainLine(text)}\u2069`;
}
