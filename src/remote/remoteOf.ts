type Calls<T> = {
  [K in keyof T]: T[K] extends (...args: infer A) => Promise<infer R> ? (...args: A) => Promise<R> : never;
};

/** An object with the named methods, each of which goes through `call`: the near side of a port of `core`. */
export function remoteOf<T extends object>(
  methods: readonly (keyof T & string)[],
  call: (method: string, args: readonly unknown[]) => Promise<unknown>,
): T {
  const calls = methods.map((method) => [method, (...args: readonly unknown[]) => call(method, args)] as const);
  return Object.fromEntries(calls) as Calls<T> as T;
}
