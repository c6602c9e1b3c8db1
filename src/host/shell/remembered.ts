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
  const entries = Object.entries(tableIn(memory.get(name)));
  return Object.fromEntries(entries.flatMap(([key, value]) => (isValue(value) ? [[key, value]] : [])));
}

/** One of them, which is found at once. */
export function rememberedEntry<T>(
  memory: Memory,
  name: string,
  key: string,
  isValue: (value: unknown) => value is T,
): T | undefined {
  const table = tableIn(memory.get(name));
  const value = Object.hasOwn(table, key) ? table[key] : undefined;
  return isValue(value) ? value : undefined;
}

function tableIn(kept: unknown): Readonly<Record<string, unknown>> {
  return isTable(kept) ? kept : {};
}

function isTable(kept: unknown): kept is Readonly<Record<string, unknown>> {
  return typeof kept === 'object' && kept !== null && !Array.isArray(kept);
}

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}
