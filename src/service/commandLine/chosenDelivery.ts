import { UsageError } from '../ground/usageError.ts';
import { readNumber } from '../input/optionValues.ts';

export const deliveryOption = {
  id: { type: 'string', value: 'ID', help: 'one delivery, as deliveries list numbers it' },
} as const;

export interface ChosenDelivery<A extends string> {
  readonly what: number | A;
  /** The number of deliveries that there were. Throws `UsageError` when the one that was named is not there. */
  found(count: number): number;
}

/** Either the delivery that `--id` names or all of a kind; throws `UsageError` unless it is one of the two. */
export function chosenDelivery<A extends string>(
  id: string | undefined,
  all: A | undefined,
  allOption: string,
): ChosenDelivery<A> {
  if ((id === undefined) === (all === undefined)) throw new UsageError(`Give either --id or ${allOption}.`);
  if (all !== undefined) return { what: all, found: (count) => count };
  const number = readNumber(id ?? '', 'id', 1, Number.MAX_SAFE_INTEGER);
  const found = (count: number): number => {
    if (count === 0) throw new UsageError(`There is no delivery ${number}.`);
    return count;
  };
  return { what: number, found };
}
