import { UsageError } from '../ground/errors.ts';
import { readNumber } from '../input/optionValues.ts';
import { discardJobs, retryJobs, type WaitingJob, waitingJobs } from '../store/jobs/queues.ts';
import { command, jsonOption, moment, table } from './command.ts';
import { storeOptions, withStore } from './withStore.ts';

const parked = { type: 'boolean', default: false, help: 'only parked deliveries' } as const;

export const deliveriesList = command({
  name: 'deliveries list',
  summary: 'list web hooks and emails that are waiting or parked',
  about:
    'Lists undelivered web hooks and emails, oldest first: ID, kind, target (the project of a web hook), waiting or parked, time queued, attempts, time of the next attempt, and last error. A delivery that fails for a day is parked. It is only tried again when you run deliveries retry.',
  options: { parked, ...storeOptions, ...jsonOption },
  examples: ['', '--parked --json'],
  run: async (given) => {
    const all = await withStore(given, (database) => database.read(waitingJobs));
    const shown = given.parked ? all.filter(({ parkedAt }) => parkedAt !== null) : all;
    return { text: table(shown.map(rowOf)), data: shown.map(dataOf) };
  },
});

function rowOf(job: WaitingJob): readonly (string | number)[] {
  const { id, kind, key, queuedAt, attempts, parkedAt, dueAt, lastError } = job;
  const state = parkedAt === null ? 'waiting' : 'parked';
  return [id, kind, key, state, moment(queuedAt), attempts, moment(dueAt), lastError ?? '-'];
}

function dataOf({ key, queuedAt, parkedAt, dueAt, ...rest }: WaitingJob): unknown {
  return {
    ...rest,
    for: key,
    queuedAt: moment(queuedAt),
    parkedAt: parkedAt === null ? null : moment(parkedAt),
    dueAt: dueAt === null ? null : moment(dueAt),
  };
}

const all = { type: 'boolean', default: false, help: 'all waiting and parked deliveries' } as const;

const deliveryOption = {
  id: { type: 'string', value: 'ID', help: 'delivery ID from deliveries list' },
} as const;

export const deliveriesRetry = command({
  name: 'deliveries retry',
  summary: 'try deliveries again now',
  about:
    'Makes running services, or the next one to start, try a delivery again now, and keep trying for another day. Activity of a project is sent in order, except for what has already been sent.',
  options: { ...deliveryOption, all, ...storeOptions, ...jsonOption },
  examples: ['--id 12', '--all'],
  run: async (given) => {
    const chosen = chosenDelivery(given.id, given.all ? 'all' : undefined, '--all');
    const count = await withStore(given, (database) =>
      database.write(async (tx) => chosen.found(await retryJobs(tx, chosen.what, Date.now()))),
    );
    return { text: `Retrying ${count} ${count === 1 ? 'delivery' : 'deliveries'}.\n`, data: { count } };
  },
});

const allParked = { type: 'boolean', default: false, help: 'all parked deliveries' } as const;

export const deliveriesDiscard = command({
  name: 'deliveries discard',
  summary: 'discard deliveries that are no longer needed',
  about:
    'Discards a delivery so that it is never sent. The activity it reports is kept. A delivery already being sent may still arrive.',
  options: { ...deliveryOption, 'all-parked': allParked, ...storeOptions, ...jsonOption },
  examples: ['--id 12', '--all-parked'],
  run: async (given) => {
    const chosen = chosenDelivery(given.id, given['all-parked'] ? 'allParked' : undefined, '--all-parked');
    const count = await withStore(given, (database) =>
      database.write(async (tx) => chosen.found(await discardJobs(tx, chosen.what, Date.now()))),
    );
    return { text: `Discarded ${count} ${count === 1 ? 'delivery' : 'deliveries'}.\n`, data: { count } };
  },
});

interface ChosenDelivery<A extends string> {
  readonly what: number | A;
  /** The number of deliveries that there were. Throws `UsageError` when the one that was named is not there. */
  found(count: number): number;
}

/** Either the delivery that `--id` names or all of a kind; throws `UsageError` unless it is one of the two. */
function chosenDelivery<A extends string>(
  id: string | undefined,
  all: A | undefined,
  allOption: string,
): ChosenDelivery<A> {
  if ((id === undefined) === (all === undefined)) throw new UsageError(`Pass either --id or ${allOption}.`);
  if (all !== undefined) return { what: all, found: (count) => count };
  const number = readNumber(id ?? '', 'id', 1, Number.MAX_SAFE_INTEGER);
  const found = (count: number): number => {
    if (count === 0) throw new UsageError(`No delivery has the ID ${number}.`);
    return count;
  };
  return { what: number, found };
}
