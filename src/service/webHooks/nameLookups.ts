import { type LookupAddress, promises } from 'node:dns';

/** Finds all addresses of a name, as the system does. */
export type FindAddresses = (name: string) => Promise<readonly LookupAddress[]>;

/**
 * The system looks names up in threads, of which there are four, for files too, and a name server that is silent holds one for long. So two
 * at most are looked up at once, and a name that is being looked up already is not looked up again.
 */
const AT_ONCE = 2;

/** Looks names up without letting those that take long hold up the service. */
export class NameLookups {
  private readonly find: FindAddresses;
  private readonly underWay = new Map<string, Promise<readonly LookupAddress[]>>();
  private readonly waiting: (() => void)[] = [];
  private free = AT_ONCE;

  constructor(find: FindAddresses = (name) => promises.lookup(name, { all: true })) {
    this.find = find;
  }

  addressesOf(name: string): Promise<readonly LookupAddress[]> {
    const known = this.underWay.get(name);
    if (known) return known;
    const asked = this.ask(name).finally(() => this.underWay.delete(name));
    this.underWay.set(name, asked);
    return asked;
  }

  private async ask(name: string): Promise<readonly LookupAddress[]> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await this.find(name);
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.free += 1;
    }
  }
}
