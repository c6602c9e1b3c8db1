/** The text of the first element of that name in a request body; `undefined` when there is none. Empty when it is blank. */
export function fieldIn(body: string, name: string): string | undefined {
  const found = new RegExp(`<${name}(?:\\s[^>]*)?(?:/>|>([^<]*)</${name}\\s*>)`).exec(body);
  return found ? decoded(found[1] ?? '') : undefined;
}

/** Every element directly inside the root, in order, with its text. */
export function fieldsIn(body: string): readonly (readonly [name: string, text: string])[] {
  const inside = body.replace(/^[\s\S]*?<(\w+)[^>?]*>([\s\S]*)<\/\1\s*>\s*$/, '$2');
  return [...inside.matchAll(/<(\w+)(?:\s[^>]*)?(?:\/>|>([^<]*)<\/\1\s*>)/g)].map(([, name = '', text = '']) => [
    name,
    decoded(text),
  ]);
}

const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function decoded(text: string): string {
  return text.replace(/&(#x?)?(\w+);/g, (whole, sign: string | undefined, name: string) => {
    if (sign === '#x') return String.fromCodePoint(Number.parseInt(name, 16));
    return sign === '#' ? String.fromCodePoint(Number(name)) : (named[name] ?? whole);
  });
}

export interface Part {
  readonly name: string;
  readonly filename: string;
  readonly bytes: Buffer;
}

/** The parts of a multipart body (RFC 7578). */
export function partsIn(body: Buffer, contentType: string): readonly Part[] {
  const boundary = /boundary="?([^";]+)"?/.exec(contentType)?.[1];
  if (!boundary) return [];
  const separator = Buffer.from(`\r\n--${boundary}`);
  const whole = Buffer.concat([Buffer.from('\r\n'), body]);
  const parts: Part[] = [];
  let from = whole.indexOf(separator);
  for (let next = whole.indexOf(separator, from + 1); next >= 0; next = whole.indexOf(separator, from + 1)) {
    parts.push(partOf(whole.subarray(from + separator.length + 2, next)));
    from = next;
  }
  return parts;
}

function partOf(part: Buffer): Part {
  const headEnd = part.indexOf('\r\n\r\n');
  const head = part.subarray(0, headEnd).toString('utf8');
  return {
    name: /\bname="([^"]*)"/.exec(head)?.[1] ?? '',
    filename: /\bfilename="([^"]*)"/.exec(head)?.[1] ?? '',
    bytes: part.subarray(headEnd + 4),
  };
}
