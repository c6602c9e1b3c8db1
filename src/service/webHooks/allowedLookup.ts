import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { DeliveryFailure } from '../queue/deliveryFailure.ts';
import type { FindAddresses } from './nameLookups.ts';
import { type ReceiverRules, receiverObjection } from './receiverRules.ts';

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
