import { retryJobs } from '../store/jobs/queues.ts';
import { chosenDelivery, deliveryOption } from './chosenDelivery.ts';
import { command, jsonOption } from './command.ts';
import { storeOptions, withStore } from './withStore.ts';

const all = { type: 'boolean', default: false, help: 'everything that waits or is parked' } as const;

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
