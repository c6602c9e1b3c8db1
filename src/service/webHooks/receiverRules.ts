import { type AddressKind, addressKind } from './addressKind.ts';

/** Which receivers besides public ones this service posts to. */
export interface ReceiverRules {
  readonly allowsLoopback: boolean;
  readonly allowsPrivate: boolean;
  /** Nobody but this machine, since what is sent could be read on the way. */
  readonly isClearLine?: boolean;
}

const REASONS: Readonly<Record<Exclude<AddressKind, 'public'>, string>> = {
  private: 'is private; serve allows it with --allow-private-hooks',
  loopback: 'is this machine; serve allows it with --allow-private-hooks',
  forbidden: 'is none that web hooks may go to',
};

/** Why a receiver may not have this address, if so. Nothing else decides, least of all its name. */
export function receiverObjection(
  address: string,
  { allowsLoopback, allowsPrivate, isClearLine = false }: ReceiverRules,
): string | undefined {
  const kind = addressKind(address);
  if (isClearLine && kind !== 'loopback') return 'This project uses HTTPS: its web hook must begin with https.';
  if (kind === 'public' || (kind === 'loopback' && allowsLoopback) || (kind === 'private' && allowsPrivate)) return;
  return `The receiver's address ${address} ${REASONS[kind]}.`;
}
