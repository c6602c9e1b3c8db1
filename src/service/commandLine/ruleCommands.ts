import { UsageError } from '../ground/errors.ts';
import { isRuleName, RULES, ruleValue, setRule } from '../store/projects/rules.ts';
import { command, jsonOption, table } from './command.ts';
import { storeOptions, withStore } from './withStore.ts';

export const ruleList = command({
  name: 'rule list',
  summary: 'list the rules of the service: name, value and allowed values, one per line',
  about: 'Lists the rules of the whole service: name, value, and allowed values, the default first.',
  options: { ...storeOptions, ...jsonOption },
  examples: ['', '--json'],
  run: async (given) => {
    const value = await withStore(given, (database) => database.read((tx) => ruleValue(tx, 'adding-people')));
    const rules = [{ name: 'adding-people', value, values: RULES['adding-people'] }];
    return { text: table(rules.map(({ name, value, values }) => [name, value, values.join('|')])), data: rules };
  },
});

export const ruleSet = command({
  name: 'rule set',
  summary: 'set a rule of the service, such as who may be added to projects',
  about:
    'Sets a rule for the whole service. Running services apply it immediately. adding-people controls whom project owners can add as members: users (existing users of this service), anyone (also new addresses, which become users) or administrators (no one; only the command project member adds people).',
  options: { ...storeOptions, ...jsonOption },
  operands: ['NAME', 'VALUE'],
  examples: ['adding-people users', 'adding-people administrators'],
  run: async (given, [name = '', text = '']) => {
    if (!isRuleName(name))
      throw new UsageError(`Unknown rule ${name}. The rules are ${Object.keys(RULES).join(', ')}.`);
    const values: readonly (typeof RULES)[typeof name][number][] = RULES[name];
    const value = values.find((one) => one === text);
    if (value === undefined) throw new UsageError(`${name} must be one of ${values.join(', ')}.`);
    await withStore(given, (database) => database.write((tx) => setRule(tx, name, value)));
    return { text: `${name} is now ${value}.\n`, data: { name, value } };
  },
});
