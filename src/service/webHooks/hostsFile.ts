import type { LookupAddress } from 'node:dns';
import { readFile, stat } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { isLoopback } from '../http/hostNames.ts';

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
