/**
 * The names of a value's fields, in their order. With a record over all fields of a type, such as `Record<keyof Story, …>`,
 * a field that is forgotten there does not compile.
 */
export function fieldNames<T extends object>(value: T): readonly Extract<keyof T, string>[] {
  const names: Extract<keyof T, string>[] = [];
  for (const name in value) names.push(name);
  return names;
}
