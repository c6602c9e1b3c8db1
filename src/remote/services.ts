/** A service as the other thread sees it: every call takes a while. */
type Remote<Service> = {
  readonly [Method in keyof Service]: Service[Method] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : never;
};

export type RemoteServices<Services> = { readonly [Name in keyof Services]: Remote<Services[Name]> };

/** Who takes in what the other thread may ask for: a `Peer`. */
interface Exposing {
  expose(name: string, target: object): void;
}

/** Offers services to the other thread: the compiler sees to it that none is missing. */
export function serve<Services extends { readonly [Name in keyof Services]: object }>(
  peer: Exposing,
  services: Services,
): void {
  for (const [name, service] of Object.entries<object>(services)) peer.expose(name, service);
}

/** The services of the other thread, each call of which goes through `call`. */
export function connect<Services extends object>(
  call: (service: string, method: string, args: readonly unknown[]) => Promise<unknown>,
): RemoteServices<Services> {
  return named((service) => remoteService((method, args) => call(service, method, args))) as RemoteServices<Services>;
}

/** One service of the other thread. */
export function remoteService<Service extends object>(
  call: (method: string, args: readonly unknown[]) => Promise<unknown>,
): Remote<Service> {
  return named((method) => {
    return (...args: readonly unknown[]) => call(method, args);
  }) as Remote<Service>;
}

/** An object with something under every name that it is asked for. It is no promise, whoever awaits it. */
function named(make: (name: string) => unknown): object {
  const made = new Map<string, unknown>();
  return new Proxy(
    {},
    {
      get: (_target, name) => {
        if (typeof name === 'symbol' || name === 'then') return undefined;
        const known = made.get(name) ?? make(name);
        made.set(name, known);
        return known;
      },
    },
  );
}
