/** A source of numbers that a seed repeats: from 0 up to 1. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const PIECES = [
  '<',
  '>',
  '</',
  '/>',
  '&',
  ';',
  '&#',
  '&#x',
  '&lt;',
  '&eacute;',
  '&__proto__;',
  '"',
  "'",
  '=',
  ' ',
  '\n',
  '\r',
  '\0',
  ']]>',
  '<![CDATA[',
  '<!--',
  '-->',
  '--',
  '<?',
  '?>',
  '<!DOCTYPE a [',
  '<!ENTITY x "y">',
  '<__proto__>',
  ' __proto__="1"',
  ' type="array"',
  '<?xml version="1.1"?>',
  ' encoding="utf-16"',
  '\ufeff',
  '\ud83d',
  '\ufffe',
  '99999999999999999999',
  '-0',
  'NaN',
  '<id>',
  '</id>',
  '<story>',
  '</story>',
  '<constructor/>',
];

/** One to a few changes of a document: pieces cut, doubled, swapped in, bytes changed. */
export function mutated(document: string, random: () => number): string {
  let text = document;
  const changes = 1 + Math.floor(random() * 4);
  for (let change = 0; change < changes; change += 1) {
    const start = Math.floor(random() * (text.length + 1));
    const end = Math.min(text.length, start + Math.floor(random() ** 3 * 200));
    const piece = PIECES[Math.floor(random() * PIECES.length)] ?? '';
    const kinds = [
      piece,
      '',
      text.slice(start, end).repeat(2),
      String.fromCharCode(Math.floor(random() * 0x10000)),
      piece.repeat(1 + Math.floor(random() * 40)),
    ];
    text = text.slice(0, start) + (kinds[Math.floor(random() * kinds.length)] ?? '') + text.slice(end);
  }
  return text;
}

/** Bytes that may be anything, more often such as XML has. */
export function noise(random: () => number): Uint8Array {
  const letters = '<>/&;="\' ![]-?#xa1\n';
  const length = Math.floor(random() ** 2 * 300);
  return Uint8Array.from({ length }, () =>
    random() < 0.8 ? letters.charCodeAt(Math.floor(random() * letters.length)) : Math.floor(random() * 256),
  );
}
