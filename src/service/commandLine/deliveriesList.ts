import { type WaitingJob, waitingJobs } from '../store/jobs/queues.ts';
import { command, jsonOption } from './command.ts';
import { moment, table } from './table.ts';
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
