import { RULES, ruleValue } from '../store/projects/rules.ts';
import { command, jsonOption } from './command.ts';
import { table } from './table.ts';
import { storeOptions, withStore } from './withStore.ts';

export const ruleList = command({
  name: 'rule list',
  summary: 'the rules of the service: name, value and what else it can be, one a line',
  about:
    'Lists the rules that hold for the whole service: name, value, and the values that each can have, the usual one first.',
  options: { ...storeOptions, ...jsonOption },
  examples: ['', '--json'],
  run: async (given) => {
    const value = await withStore(given, (database) => database.read((tx) => ruleValue(tx, 'adding-people')));
    const rules = [{ name: 'adding-people', value, values: RULES['adding-people'] }];
    return { text: table(rules.map(({ name, value, values }) => [name, value, values.join('|')])), data: rules };
  },
});
