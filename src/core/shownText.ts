// Controls but tab and line feed; marks that turn the direction of text after them, or that stand for nothing one can see.
const CONTROLS = /[^\P{Cc}\t\n]|[\u202a-\u202e\u2066-\u2069\u2028\u2029\ufff9-\ufffb]|\p{Cs}/gu;

/** What would hide or turn text shows as a replacement character, so that one reads what is there. */
export function withoutControls(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(CONTROLS, '\ufffd');
}

/** On one line, of at most so many characters, and with nothing in it that hides or turns text: for labels and messages. */
export function visibleLine(text: string, longest: number): string {
  const isLong = text.length > longest;
  const start = isLong ? text.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, '') : text;
  const line = withoutControls(start).replace(/\s+/g, ' ').trim();
  return isLong ? `${line}…` : line;
}
