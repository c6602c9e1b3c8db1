/**
 * A question that is asked once for all requests that lie ready together, as those of many clients do under load: the answer is
 * shared until the event loop has been through them. To be used where a request begins, and only there.
 */
export function oncePerTurn<T>(ask: () => T): () => T {
  let answer: { readonly value: T } | undefined;
  return () => {
    if (answer === undefined) {
      answer = { value: ask() };
      setImmediate(() => {
        answer = undefined;
      });
    }
    return answer.value;
  };
}
