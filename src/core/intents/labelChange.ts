/** Labels to put on a story and to take off it; all others stay, those that somebody else put on meanwhile too. */
export interface LabelChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

/** The labels after a change; the same list when they are already so. Capital letters make no other label. */
export function withLabels(labels: readonly string[], { add, remove }: LabelChange): readonly string[] {
  const kept = labels.filter((label) => !has(remove, label));
  const added = add.filter((label, index) => !has(labels, label) && !has(add.slice(0, index), label));
  return kept.length === labels.length && added.length === 0 ? labels : [...kept, ...added];
}

/** What makes `after` of `before`. */
export function labelChange(before: readonly string[], after: readonly string[]): LabelChange {
  return {
    add: after.filter((label) => !has(before, label)),
    remove: before.filter((label) => !has(after, label)),
  };
}

function has(labels: readonly string[], label: string): boolean {
  return labels.some((one) => one.toLowerCase() === label.toLowerCase());
}
