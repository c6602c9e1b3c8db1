import { type LookupAddress, promises } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { readFile, stat } from 'node:fs/promises';
import { isIP, type LookupFunction } from 'node:net';
import { join } from 'node:path';
import { isLoopback } from '../http/hostNames.ts';
import { DeliveryFailure } from '../queue/jobHandler.ts';
import { type ReceiverRules, receiverObjection } from './receiverRules.ts';

/** Finds all addresses of a name. */
export type FindAddresses = (name: string) => Promise<readonly LookupAddress[]>;

interface NameSources {
  /** What this machine knows by itself. */
  readonly hosts: FindAddresses;
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

  constructor(sources: NameSources) {
    this.sources = { dns: dnsAddresses, system: (name) => promises.lookup(name, { all: true }), ...sources };
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

/** Milliseconds for the first of two questions to each name server, the second may take twice that. */
const PATIENCE = { timeout: 1_200, tries: 2 };
/** Milliseconds for which addresses of one family wait for those of the other. */
const OTHER_FAMILY = 100;
/** These say that a name has no such address, or that there is no name server; all else is trouble with one. */
const UNKNOWN = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED']);

/**
 * Asks name servers, those of the system unless others are named, without a thread that waits for them. None when they do not know
 * the name. Throws when they give no answer.
 */
export async function dnsAddresses(name: string, servers?: readonly string[]): Promise<readonly LookupAddress[]> {
  const resolver = new Resolver(PATIENCE);
  if (servers) resolver.setServers([...servers]);
  let late: NodeJS.Timeout | undefined;
  const ask = async (question: Promise<string[]>, family: 4 | 6): Promise<readonly LookupAddress[]> => {
    const addresses = await question;
    late ??= setTimeout(() => resolver.cancel(), OTHER_FAMILY);
    return addresses.map((address) => ({ address, family }));
  };
  const answers = await Promise.allSettled([ask(resolver.resolve4(name), 4), ask(resolver.resolve6(name), 6)]);
  clearTimeout(late);
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  const trouble = answers.find((answer) => answer.status === 'rejected' && !UNKNOWN.has(answer.reason?.code));
  if (found.length === 0 && trouble?.status === 'rejected') throw trouble.reason;
  return found;
}

/**
 * Finds the addresses of a name and keeps those that a receiver may have. The connection is made to what this gives and to nothing
 * else, so that a name which leads elsewhere the next moment gains nothing.
 */
export function allowedLookup(rules: ReceiverRules, addressesOf: FindAddresses): LookupFunction {
  return (name, options, callback) => {
    addressesOf(name)
      .then((found) => allowedOf(found, rules))
      .then(
        ([first, ...more]) =>
          options.all ? callback(null, [first, ...more]) : callback(null, first.address, first.family),
        (error: NodeJS.ErrnoException) => callback(error, '', 0),
      );
  };
}

function allowedOf(found: readonly LookupAddress[], rules: ReceiverRules): [LookupAddress, ...LookupAddress[]] {
  const [first, ...more] = found.filter(({ address }) => receiverObjection(address, rules) === undefined);
  if (first) return [first, ...more];
  const objection = found[0] && receiverObjection(found[0].address, rules);
  throw new DeliveryFailure(objection ?? "The receiver's name has no address.");
}

type Hosts = ReadonlyMap<string, readonly LookupAddress[]>;

const LOOPBACK: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** Names that this machine knows by itself: those of its hosts file, which is read anew when it has changed, and of itself. */
export class HostsFile {
  private readonly path: string;
  private readAs = '';
  private hosts: Hosts = new Map();

  constructor(path = systemPath()) {
    this.path = path;
  }

  /** None when the name must be looked up elsewhere. */
  async addressesOf(name: string): Promise<readonly LookupAddress[]> {
    const plain = name.toLowerCase().replace(/\.$/, '');
    const known = (await this.current()).get(plain);
    return known ?? (isLoopback(plain) ? LOOPBACK : []);
  }

  /** A machine without such a file has no such names. */
  private async current(): Promise<Hosts> {
    try {
      const { mtimeMs, size } = await stat(this.path);
      const as = `${mtimeMs} ${size}`;
      if (as !== this.readAs) {
        this.hosts = hostsOf(await readFile(this.path, 'utf8'));
        this.readAs = as;
      }
      return this.hosts;
    } catch {
      return new Map();
    }
  }
}

function hostsOf(text: string): Hosts {
  const hosts = new Map<string, LookupAddress[]>();
  for (const line of text.split(/\r?\n/)) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const family = isIP(address);
    if (family === 0) continue;
    for (const name of names) {
      const known = hosts.get(name.toLowerCase());
      if (known) known.push({ address, family });
      else hosts.set(name.toLowerCase(), [{ address, family }]);
    }
  }
  return hosts;
}

function systemPath(): string {
  if (process.platform !== 'win32') return '/etc/hosts';
  return join(process.env.SystemRoot ?? 'C:\\Windows', 'System32', 'drivers', 'etc', 'hosts');
}
