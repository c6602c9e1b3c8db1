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
