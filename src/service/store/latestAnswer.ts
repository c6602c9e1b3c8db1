/**
 * A question whose answer must not be older than the asking: those who ask while it is out share the next one, so that one at
 * a time is out however many ask.
 */
export function latestAnswer<T>(ask: () => Promise<T>): () => Promise<T> {
  let out: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | undefined;
  const begin = (): Promise<T> => {
    next = undefined;
    const asked = ask();
    out = asked.catch(() => undefined);
    return asked;
  };
  return () => {
    next ??= out.then(begin);
    return next;
  };
}
