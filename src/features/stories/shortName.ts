/** Characters, as people count them, that leave room for what follows a name in a side bar of usual width. */
export const SHORT_NAME = 40;

const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The beginning of a long name, up to the end of a word where one is near, with an ellipsis for the rest. */
export function shortName(name: string, length = SHORT_NAME): string {
  if (name.length <= length) return name;
  // No character is longer than some dozens of units: a name of any length is looked at no further than needed.
  const beginning = [...characters.segment(name.slice(0, length * 32))].slice(0, length + 1);
  if (beginning.length <= length) return name;
  const kept = beginning.slice(0, length - 1).map(({ segment }) => segment);
  const next = beginning[length - 1]?.segment ?? '';
  const space = kept.findLastIndex((character) => /\s/u.test(character));
  const end = /\s/u.test(next) || space < length / 2 ? kept.length : space;
  return `${kept.slice(0, end).join('').trimEnd()}…`;
}
