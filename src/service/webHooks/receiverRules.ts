import { BlockList, isIP } from 'node:net';
import { UsageError } from '../ground/errors.ts';

/** Whom an address leads to: anyone, a private network, this machine, or what nobody has any business with. */
type AddressKind = 'public' | 'private' | 'loopback' | 'forbidden';

/** Which receivers besides public ones this service posts to. */
export interface ReceiverRules {
  readonly allowsLoopback: boolean;
  readonly allowsPrivate: boolean;
  /** Nobody but this machine, since what is sent could be read on the way. */
  readonly isClearLine?: boolean;
}

const REASONS: Readonly<Record<Exclude<AddressKind, 'public'>, string>> = {
  private: 'is private; allow it with serve --allow-private-hooks',
  loopback: 'is this machine; allow it with serve --allow-private-hooks',
  forbidden: 'is not an allowed web hook address',
};

/** Why a receiver may not have this address, if so. Nothing else decides, least of all its name. */
export function receiverObjection(
  address: string,
  { allowsLoopback, allowsPrivate, isClearLine = false }: ReceiverRules,
): string | undefined {
  const kind = addressKind(address);
  if (isClearLine && kind !== 'loopback') return 'This project requires HTTPS. Its web hook must start with https.';
  if (kind === 'public' || (kind === 'loopback' && allowsLoopback) || (kind === 'private' && allowsPrivate)) return;
  return `The receiver's address ${address} ${REASONS[kind]}.`;
}

/** The IP address that stands in the place of a name, in the URL parser's spelling; undefined where there is a name. */
export function literalAddress({ hostname }: URL): string | undefined {
  const bare = hostname.replace(/^\[|\]$/g, '');
  return isIP(bare) === 0 ? undefined : bare;
}

const LONGEST_URL = 2000;

/** Where a project's activity is posted to; null for nowhere. Which addresses its name leads to is looked at when it is used. */
export function readWebHookUrl(given: string): string | null {
  const trimmed = given.trim();
  if (trimmed === '') return null;
  const url = trimmed.length > LONGEST_URL ? null : URL.parse(trimmed);
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.href.length > LONGEST_URL) {
    throw new UsageError('web_hook_url must be an address such as https://ci.example.org/activity, or empty.');
  }
  const literal = literalAddress(url);
  if (literal !== undefined && addressKind(literal) === 'forbidden') {
    throw new UsageError(`${literal} is not an allowed web hook address.`);
  }
  url.hash = '';
  return url.href;
}

/** This network, link-local (where clouds answer who they are), multicast, reserved, and metadata services elsewhere. */
const FORBIDDEN = ['0.0.0.0/8', '169.254.0.0/16', '224.0.0.0/4', '240.0.0.0/4'];
const METADATA = ['100.100.100.200/32', '168.63.129.16/32', '192.0.0.192/32', 'fd00:ec2::/32', 'fd20:ce::/32'];
const PRIVATE = [
  ...['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '198.18.0.0/15'],
  ...['192.0.0.0/24', '192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', 'fc00::/7', 'fec0::/10', '2001:db8::/32'],
];
/** Of IPv6 only this was ever given out; tunnels in it are looked at apart. */
const GLOBAL = ['2000::/3'];
const TUNNELS = ['2001::/32'];

const forbidden = listOf([...FORBIDDEN, ...METADATA, ...TUNNELS]);
const inside = listOf(PRIVATE);
const global = listOf(GLOBAL);

/** Sorts an IP address, in any of its spellings; what is none is forbidden. */
function addressKind(address: string): AddressKind {
  const bare = address.replace(/%.*$/s, '');
  if (isIP(bare) === 4) return kindOfIpv4(bare);
  if (isIP(bare) !== 6) return 'forbidden';
  const groups = groupsOf(bare);
  if (groups.slice(0, 7).every((group) => group === 0) && groups[7] === 1) return 'loopback';
  const carried = carriedIpv4(groups);
  if (carried !== undefined) return kindOfIpv4(carried);
  if (forbidden.check(bare, 'ipv6')) return 'forbidden';
  if (inside.check(bare, 'ipv6')) return 'private';
  return global.check(bare, 'ipv6') ? 'public' : 'forbidden';
}

function kindOfIpv4(address: string): AddressKind {
  if (address.startsWith('127.')) return 'loopback';
  if (forbidden.check(address, 'ipv4')) return 'forbidden';
  return inside.check(address, 'ipv4') ? 'private' : 'public';
}

/** The IPv4 address that an IPv6 one stands for: mapped, compatible, translated (NAT64) or tunnelled (6to4). */
function carriedIpv4(groups: readonly number[]): string | undefined {
  const head = groups.slice(0, 6).map((group) => group.toString(16));
  const carriers = ['0:0:0:0:0:ffff', '0:0:0:0:ffff:0', '0:0:0:0:0:0', '64:ff9b:0:0:0:0'];
  if (carriers.includes(head.join(':'))) return dotted(groups[6], groups[7]);
  return head[0] === '2002' ? dotted(groups[1], groups[2]) : undefined;
}

function dotted(high = 0, low = 0): string {
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}

/** The eight numbers of an IPv6 address; the URL parser writes all its spellings alike. */
function groupsOf(address: string): readonly number[] {
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const numbers = (text = '') => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)));
  const [first, last] = [numbers(head), numbers(tail)];
  return [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last];
}

function listOf(subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [network = '', bits] = subnet.split('/');
    list.addSubnet(network, Number(bits), network.includes(':') ? 'ipv6' : 'ipv4');
  }
  return list;
}
