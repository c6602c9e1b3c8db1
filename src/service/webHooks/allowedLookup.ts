import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { DeliveryFailure } from '../queue/deliveryFailure.ts';
import { type ReceiverRules, receiverObjection } from './receiverRules.ts';

/** How a system finds all addresses of a name. */
export type Lookup = (
  name: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void;

/**
 * Finds the addresses of a name and keeps those that a receiver may have. The connection is made to what this gives and to nothing
 * else, so that a name which leads elsewhere the next moment gains nothing.
 */
export function allowedLookup(rules: ReceiverRules, addressesOf: Lookup = lookup): LookupFunction {
  return (name, options, callback) => {
    addressesOf(name, { ...options, all: true }, (error, found) => {
      const allowed = error ? [] : found.filter(({ address }) => receiverObjection(address, rules) === undefined);
      const [first] = allowed;
      if (error || !first) return callback(error ?? refusal(found, rules), '', 0);
      if (options.all) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };
}

function refusal(found: readonly LookupAddress[], rules: ReceiverRules): DeliveryFailure {
  const [first] = found;
  return new DeliveryFailure(
    (first && receiverObjection(first.address, rules)) ?? "The receiver's name has no address.",
  );
}
