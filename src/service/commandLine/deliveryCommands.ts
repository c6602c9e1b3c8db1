import { UsageError } from '../ground/errors.ts';
import { readNumber } from '../input/optionValues.ts';
import { discardJobs, retryJobs, type WaitingJob, waitingJobs } from '../store/jobs/queues.ts';
import { command, jsonOption, moment, table } from './command.ts';
import { storeOptions, withStore } from './withStore.ts';

const parked = { type: 'boolean', default: false, help: 'only those that were given up' } as const;

export const deliveriesList = command({
  name: 'deliveries list',
  summary: 'web hooks and mails that were not delivered yet, or were given up',
  about:
    'Lists what was not delivered yet, oldest first: id, kind, for what (the project of a web hook), waiting or parked, when it was queued, attempts, when it is tried next, and what went wrong last. What fails for a day is parked: it is tried again only when deliveries retry asks for it.',
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

const all = { type: 'boolean', default: false, help: 'everything that waits or is parked' } as const;

const deliveryOption = {
  id: { type: 'string', value: 'ID', help: 'one delivery, as deliveries list numbers it' },
} as const;

export const deliveriesRetry = command({
  name: 'deliveries retry',
  summary: 'try deliveries again now',
  about:
    'Has services that are running, or the next that runs, try a delivery again now, and for another day if need be. The order in which a project tells of its activity is kept as far as it has not gone on already.',
  options: { ...deliveryOption, all, ...storeOptions, ...jsonOption },
  examples: ['--id 12', '--all'],
  run: async (given) => {
    const chosen = chosenDelivery(given.id, given.all ? 'all' : undefined, '--all');
    const count = await withStore(given, (database) =>
      database.write(async (tx) => chosen.found(await retryJobs(tx, chosen.what, Date.now()))),
    );
    return { text: `${count} ${count === 1 ? 'delivery is' : 'deliveries are'} tried again.\n`, data: { count } };
  },
});

const allParked = { type: 'boolean', default: false, help: 'everything that was given up' } as const;

export const deliveriesDiscard = command({
  name: 'deliveries discard',
  summary: 'forget deliveries that nobody waits for',
  about:
    'Forgets a delivery, so that it never arrives. The activity that it tells of stays; one that is under way may still arrive.',
  options: { ...deliveryOption, 'all-parked': allParked, ...storeOptions, ...jsonOption },
  examples: ['--id 12', '--all-parked'],
  run: async (given) => {
    const chosen = chosenDelivery(given.id, given['all-parked'] ? 'allParked' : undefined, '--all-parked');
    const count = await withStore(given, (database) =>
      database.write(async (tx) => chosen.found(await discardJobs(tx, chosen.what, Date.now()))),
    );
    return { text: `${count} ${count === 1 ? 'delivery is' : 'deliveries are'} forgotten.\n`, data: { count } };
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
  if ((id === undefined) === (all === undefined)) throw new UsageError(`Give either --id or ${allOption}.`);
  if (all !== undefined) return { what: all, found: (count) => count };
  const number = readNumber(id ?? '', 'id', 1, Number.MAX_SAFE_INTEGER);
  const found = (count: number): number => {
    if (count === 0) throw new UsageError(`There is no delivery ${number}.`);
    return count;
  };
  return { what: number, found };
}
