import { discardJobs } from '../store/jobs/queues.ts';
import { chosenDelivery, deliveryOption } from './chosenDelivery.ts';
import { command, jsonOption } from './command.ts';
import { storeOptions, withStore } from './withStore.ts';

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
