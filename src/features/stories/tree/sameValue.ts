/** Whether two plain values (text, numbers, lists, objects of such) say the same. Written for long lists of them. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (!isObject(a) || !isObject(b)) return false;
  if (Array.isArray(a) || Array.isArray(b)) return Array.isArray(a) && Array.isArray(b) && sameLists(a, b);
  return sameFields(a, b);
}

interface Fields {
  readonly [key: string]: unknown;
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

function sameFields(a: Fields, b: Fields): boolean {
  let more = 0;
  for (const key in a) {
    if (!sameValue(a[key], b[key]) || !(key in b)) return false;
    more++;
  }
  for (const _ in b) more--;
  return more === 0;
}

function sameLists(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => sameValue(item, b[index]));
}
