import { UsageError } from '../ground/usageError.ts';
import { readNumber } from '../input/optionValues.ts';
import { removeToken } from '../store/people/tokens.ts';
import { command, jsonOption } from './command.ts';
import { storeOptions, withStore } from './withStore.ts';

export const tokenRevoke = command({
  name: 'token revoke',
  summary: 'end an API token',
  about: 'Ends an API token, at once, also in services that are running.',
  options: {
    id: { type: 'string', isNeeded: true, value: 'ID', help: 'the token, as token list numbers it' },
    ...storeOptions,
    ...jsonOption,
  },
  examples: ['--id 12'],
  run: async (given) => {
    const id = readNumber(given.id ?? '', 'id', 1, 2_147_483_647);
    const isRemoved = await withStore(given, (database) => database.write((tx) => removeToken(tx, id)));
    if (!isRemoved) throw new UsageError(`There is no token ${id}.`);
    return { text: `Token ${id} is no longer good.\n`, data: { id } };
  },
});
