/** Whether two plain values (text, numbers, lists, objects of such) say the same. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) return Array.isArray(a) && Array.isArray(b) && sameLists(a, b);
  const keys = Object.keys(a);
  const same = (key: string) => Object.hasOwn(b, key) && sameValue(Reflect.get(a, key), Reflect.get(b, key));
  return keys.length === Object.keys(b).length && keys.every(same);
}

function sameLists(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => sameValue(item, b[index]));
}
