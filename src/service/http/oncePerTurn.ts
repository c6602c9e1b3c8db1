/**
 * A question that is asked once for all requests that lie ready together, as those of many clients do under load: the answer is
 * shared until the event loop has been through them. To be used where a request begins, and only there. An answer that is yet to
 * come is not shared, since who has to wait for it may come too late for it.
 */
export function oncePerTurn<T>(ask: () => T | Promise<T>): () => T | Promise<T> {
  let answer: { readonly value: T } | undefined;
  const forget = (): void => {
    answer = undefined;
  };
  return () => {
    if (answer !== undefined) return answer.value;
    const value = ask();
    if (value instanceof Promise) return value;
    answer = { value };
    setImmediate(forget);
    return value;
  };
}
