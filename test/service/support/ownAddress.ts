import { networkInterfaces } from 'node:os';

/** An address of this machine that is not loopback, so that what comes over it counts as coming from a network. */
export function ownAddress(): string | undefined {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
}
