import { BlockList, isIP } from 'node:net';
import { bareHost } from './baseUrl.ts';

/**
 * Whether an entry of a list of exceptions means the server: `*`, a name with all names below it (`example.com`, `.example.com`,
 * `*.example.com`), an address, a range of addresses (`10.0.0.0/8`), each but the last perhaps with a port. Lower case.
 */
export function isException(entry: string, target: URL): boolean {
  if (entry === '') return false;
  if (entry === '*') return true;
  const host = bareHost(target.hostname.toLowerCase());
  if (entry.includes('/')) return isInRange(host, entry);
  const { name, port } = parts(entry);
  if (port !== undefined && port !== portOf(target)) return false;
  if (isIP(host) !== 0) return name === host;
  return name !== '' && (host === name || host.endsWith(`.${name}`));
}

function parts(entry: string): { readonly name: string; readonly port: string | undefined } {
  const [, bracketed, plain, port] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/.exec(entry) ?? [];
  const name = bracketed ?? plain ?? entry;
  return { name: name.replace(/^\*?\.+/, ''), port };
}

function portOf({ port, protocol }: URL): string {
  return port || (protocol === 'https:' ? '443' : '80');
}

function isInRange(host: string, range: string): boolean {
  const [address = '', bits = ''] = range.split('/');
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  const isWithin = /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 'ipv6' ? 128 : 32);
  if (!isWithin || isIP(address) === 0 || isIP(host) !== isIP(address)) return false;
  const ranges = new BlockList();
  ranges.addSubnet(address, Number(bits), family);
  return ranges.check(host, family);
}
