const NOT_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** A text with a replacement character for each that XML 1.0 cannot hold, so that it is seen to be gone. */
export function writableInXml(text: string): string {
  return text.replace(NOT_XML, '\ufffd');
}

/** A text for telling whether a server has it as it was written: servers trim, and have line feeds and what XML holds only. */
export function asServersKeep(text: string): string {
  return writableInXml(text).replaceAll(/\r\n?/g, '\n').trim();
}

/** Whether two texts are the same with the blanks at their beginnings, of which Markdown makes code, but for those at their ends. */
export function haveSameBlanks(one: string, other: string): boolean {
  const kept = (text: string) => writableInXml(text).replaceAll(/\r\n?/g, '\n').trimEnd();
  return one === other || kept(one) === kept(other);
}

/**
 * Whether a server may have made the one text of the other: servers compose accents, drop the blanks at the ends of lines, and some keep no
 * characters beyond the first 65,536, as emoji, but nothing or a question mark in their place.
 */
export function mayBeKeptAs(kept: string, text: string): boolean {
  const lost = /[\u{10000}-\u{10ffff}]/u.test(text) ? /[\u{10000}-\u{10ffff}\ufffd?]/gu : /(?!)/g;
  const plain = (one: string) =>
    normalized(asServersKeep(one).replaceAll(lost, ''), 'NFC')
      .split('\n')
      .map((line) => line.trimEnd())
      .join('\n')
      .trim();
  return kept === text || plain(kept) === plain(text);
}

/** Whether two texts have the same words, as servers keep them. */
export function haveSameWords(one: string, other: string): boolean {
  const plain = (text: string) => asServersKeep(text).replace(/\s+/g, ' ');
  return plain(one) === plain(other);
}

/** A text without the run of these characters at its end. A pattern such as `/x+$/` begins anew at every `x`, which takes time by the square. */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** A text without the runs of these characters at its beginning and its end. */
export function withoutEnds(text: string, characters: string): string {
  let start = 0;
  while (start < text.length && characters.includes(text.charAt(start))) start += 1;
  return withoutEnd(text.slice(start), characters);
}

/** Non-starters of a run that stay together: more than any language writes, and what the stream-safe text format of Unicode allows. */
const MOST_MARKS = 30;
/** Marks in a row that a grapheme joiner does not part yet; half-width sound marks become marks when they are normalised. */
const LONG_RUN = /(?:(?!\u034F)[\p{M}\uFF9E\uFF9F]){30}(?=(?!\u034F)[\p{M}\uFF9E\uFF9F])/gu;

/** Text as it is compared: without regard to case and to how accents are encoded. In linear time, whatever the text. */
export function folded(text: string): string {
  return normalized(text, 'NFC').toLowerCase();
}

/**
 * What `normalize` gives for all text that people write. Marks are put in order by exchanging neighbours, in square time of a
 * run's length; so an endless run is parted by grapheme joiners first (UAX #15, Stream-Safe Text Format).
 */
export function normalized(text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string {
  return (text.length > MOST_MARKS ? text.replaceAll(LONG_RUN, '$&\u034F') : text).normalize(form);
}

/** The beginning of a commit's ID, as Git and VS Code show it. */
export function shortHash(hash: string): string {
  return hash.slice(0, 7);
}

// Controls but tab and line feed; marks that turn the direction of text after them, or that stand for nothing one can see: tags but those
// of a flag, and variation selectors but the first of a character, both of which spell messages that models read and people do not.
const CONTROLS =
  /[^\P{Cc}\t\n]|[\u202a-\u202e\u2066-\u2069\u2028\u2029\ufff9-\ufffb]|\p{Cs}|[\u{e0000}-\u{e007f}](?<!\u{1f3f4}[\u{e0020}-\u{e007f}]{1,7})|[\ufe00-\ufe0f\u{e0100}-\u{e01ef}](?<=[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{2})/gu;

/** What would hide or turn text shows as a replacement character, so that one reads what is there. */
export function withoutControls(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(CONTROLS, '\ufffd');
}

/** With a capital first letter, as at the beginning of a sentence. The rules of one language do not apply to the text of another. */
export function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** On one line, of at most so many characters, and with nothing in it that hides or turns text: for labels and messages. */
export function visibleLine(text: string, longest: number): string {
  const isLong = text.length > longest;
  const start = isLong ? text.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, '') : text;
  const line = withoutControls(start).replace(/\s+/g, ' ').trim();
  return isLong ? `${line}…` : line;
}
