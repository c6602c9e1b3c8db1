/** What is used of VS Code's memory, which may hold what other versions of ours wrote. */
interface Memory {
  get(name: string): unknown;
}

/** The texts that a memory has in a list; what is there in any other form counts as nothing. */
export function rememberedTexts(memory: Memory, name: string): readonly string[] {
  const kept = memory.get(name);
  return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string') : [];
}

/** The values that a memory has by their names, but for those that are none of these. */
export function rememberedTable<T>(
  memory: Memory,
  name: string,
  isValue: (value: unknown) => value is T,
): Readonly<Record<string, T>> {
  const kept = memory.get(name);
  if (typeof kept !== 'object' || kept === null || Array.isArray(kept)) return {};
  const entries: readonly (readonly [string, unknown])[] = Object.entries(kept);
  return Object.fromEntries(entries.flatMap(([key, value]) => (isValue(value) ? [[key, value]] : [])));
}

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}
