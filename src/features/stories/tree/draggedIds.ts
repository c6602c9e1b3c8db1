/** VS Code's handle for a row with an `id` of its own is that id behind this. */
const HANDLE = /^1\/(.+)$/;

/**
 * The ids of the rows that are dragged, as VS Code tells them in what it carries for a tree; `undefined` when that cannot be
 * read. `handleDrag` alone does not do: VS Code leaves it out for rows that are painted again just then.
 */
export function draggedIds(carried: unknown): readonly string[] | undefined {
  const handles = handlesIn(carried);
  const ids = handles?.map((handle) => (typeof handle === 'string' ? HANDLE.exec(handle)?.[1] : undefined));
  return ids?.every((id) => id !== undefined) ? ids : undefined;
}

function handlesIn(carried: unknown): readonly unknown[] | undefined {
  if (typeof carried !== 'string') return undefined;
  try {
    const told: unknown = JSON.parse(carried);
    const isTold = typeof told === 'object' && told !== null && 'itemHandles' in told;
    return isTold && Array.isArray(told.itemHandles) && told.itemHandles.length > 0 ? told.itemHandles : undefined;
  } catch {
    return undefined;
  }
}
