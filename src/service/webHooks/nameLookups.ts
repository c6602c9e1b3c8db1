import { type LookupAddress, promises } from 'node:dns';
import { dnsAddresses } from './dnsAddresses.ts';
import { HostsFile } from './hostsFile.ts';

/** Finds all addresses of a name. */
export type FindAddresses = (name: string) => Promise<readonly LookupAddress[]>;

export interface NameSources {
  /** What this machine knows by itself. */
  readonly hosts?: FindAddresses;
  /** What name servers answer; none for names that they do not know. */
  readonly dns?: FindAddresses;
  /** What the system finds in its other ways: domains that it searches, names that are shouted into the local network. */
  readonly system?: FindAddresses;
}

/**
 * The system looks names up in threads, of which there are four, for files too, and can hold one for long. So it is asked only for names
 * that nobody else knows, for two at most at once.
 */
const SYSTEM_AT_ONCE = 2;

/** Looks names up so that one whose name server keeps silent holds up no other; a name that is being looked up is not looked up again. */
export class NameLookups {
  private readonly sources: Required<NameSources>;
  private readonly underWay = new Map<string, Promise<readonly LookupAddress[]>>();
  private readonly waiting: (() => void)[] = [];
  private free = SYSTEM_AT_ONCE;

  constructor(sources: NameSources = {}) {
    const file = new HostsFile();
    this.sources = {
      hosts: (name) => file.addressesOf(name),
      dns: dnsAddresses,
      system: (name) => promises.lookup(name, { all: true }),
      ...sources,
    };
  }

  addressesOf(name: string): Promise<readonly LookupAddress[]> {
    const known = this.underWay.get(name);
    if (known) return known;
    const asked = this.find(name).finally(() => this.underWay.delete(name));
    this.underWay.set(name, asked);
    return asked;
  }

  private async find(name: string): Promise<readonly LookupAddress[]> {
    const { hosts, dns } = this.sources;
    const known = await hosts(name);
    if (known.length > 0) return known;
    const found = await dns(name).catch((error: unknown) => {
      if (isLocal(name)) return [];
      throw error;
    });
    return found.length > 0 ? found : this.askSystem(name);
  }

  private async askSystem(name: string): Promise<readonly LookupAddress[]> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await this.sources.system(name);
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.free += 1;
    }
  }
}

/** Names that nobody in public has; name servers may refuse to be asked for them, and some say so as trouble of theirs. */
function isLocal(name: string): boolean {
  return /^[^.]+\.?$|\.local\.?$/i.test(name);
}
