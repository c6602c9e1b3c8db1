import { isIP } from 'node:net';
import { UsageError } from '../ground/errors.ts';
import { type AddressKind, addressKind } from './addressKind.ts';

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
  const url = URL.parse(trimmed);
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
