import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { isLoopback } from './hostNames.ts';

/** Who sent a request, as far as can be known. */
export interface Sender {
  /** IP address; for the throttle of sign-ins. */
  readonly address: string;
  /** Whether nobody on the way can read along. */
  readonly isPrivate: boolean;
}

/** Proxies whose word about who sent a request is taken. Throws `TypeError` for what is no IP address or network such as 10.0.0.0/8. */
export class TrustedProxies {
  private readonly list = new BlockList();
  private readonly isEmpty: boolean;

  constructor(addresses: readonly string[]) {
    this.isEmpty = addresses.length === 0;
    for (const each of addresses) this.add(each);
  }

  /** Takes the word of trusted proxies only, which each add the address that they were called from to a list. */
  senderOf({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): Sender {
    const peer = plainAddress(socket.remoteAddress ?? '');
    const own = { address: peer, isPrivate: isPrivateLine({ socket }) };
    if (this.isEmpty || !this.has(peer)) return own;
    const chain = listOf(headers['x-forwarded-for']).map(plainAddress);
    const address = chain.findLast((each) => !this.has(each)) ?? chain[0] ?? peer;
    const scheme = listOf(headers['x-forwarded-proto']).at(-1)?.toLowerCase();
    if (scheme === undefined) return { ...own, address };
    return { address, isPrivate: scheme === 'https' || isLoopback(address) };
  }

  private add(text: string): void {
    const [address = '', length] = text.split('/');
    const family = isIP(address);
    if (family === 0) throw new TypeError(`${text} is not an IP address.`);
    const kind = family === 6 ? 'ipv6' : 'ipv4';
    if (length === undefined) {
      this.list.addAddress(address, kind);
      return;
    }
    if (!/^\d{1,3}$/.test(length) || Number(length) > (family === 6 ? 128 : 32)) {
      throw new TypeError(`${text} is not a network.`);
    }
    this.list.addSubnet(address, Number(length), kind);
  }

  private has(address: string): boolean {
    const family = isIP(address);
    return family !== 0 && this.list.check(address, family === 6 ? 'ipv6' : 'ipv4');
  }
}

/** Without what IPv6 puts before addresses of IPv4, and without a port. */
export function plainAddress(address: string): string {
  const bare = address.trim().replace(/^::ffff:(?=\d+\.)/i, '');
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(bare)?.[1];
  return bracketed ?? bare.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
}

/** The part of an address that its owner has no say in: all of one of IPv4, and of IPv6 the first 64 bits, behind which anyone has as many as they like. */
export function networkOf(address: string): string {
  return isIP(address) === 6 ? `${hextetsOf(address).slice(0, 4).join(':')}::/64` : address;
}

/** The network around an address, in which it is cheap to have many: 24 bits of one of IPv4, 48 of one of IPv6. */
export function wideNetworkOf(address: string): string {
  const family = isIP(address);
  if (family === 4) return `${address.split('.').slice(0, 3).join('.')}.0/24`;
  return family === 6 ? `${hextetsOf(address).slice(0, 3).join(':')}::/48` : address;
}

/** Whose turn, room and connections something takes: those of a user who is known. Whoever is not is called by their network. */
export function callerOf(user: number): string {
  return `user ${user}`;
}

function listOf(header: string | readonly string[] | undefined): readonly string[] {
  const text = typeof header === 'string' ? header : (header ?? []).join(',');
  return text.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]));
}

/** Whether nobody on the way can read along: over TLS, or from this machine, where a proxy that speaks TLS may stand. */
function isPrivateLine({ socket }: Pick<IncomingMessage, 'socket'>): boolean {
  return 'encrypted' in socket || isLoopback((socket.remoteAddress ?? '').replace(/^::ffff:/, ''));
}

/** The eight parts of an address of IPv6; an address of IPv4 at its end counts as two, which are not told. */
function hextetsOf(address: string): readonly string[] {
  const [plainAddress = ''] = address.split('%');
  const [before = [], after = []] = plainAddress
    .split('::')
    .map((side) => side.split(':').flatMap((part) => (part === '' ? [] : part.includes('.') ? ['0', '0'] : [part])));
  const between = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...between, ...after].map((part) => Number.parseInt(part, 16).toString(16));
}
