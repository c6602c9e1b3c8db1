import { UsageError } from '../ground/errors.ts';
import { isRuleName, RULES, ruleValue, setRule } from '../store/projects/rules.ts';
import { command, jsonOption, table } from './command.ts';
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

export const ruleSet = command({
  name: 'rule set',
  summary: 'set a rule of the service, such as who may be added to projects',
  about:
    'Sets a rule for the whole service, which running services keep from then on. adding-people says whom the owners of a project may make a member: users, who are users of this service already; anyone, also a new address, which becomes a user; administrators, nobody but by the command project member.',
  options: { ...storeOptions, ...jsonOption },
  operands: ['NAME', 'VALUE'],
  examples: ['adding-people users', 'adding-people administrators'],
  run: async (given, [name = '', text = '']) => {
    if (!isRuleName(name)) throw new UsageError(`There is no rule ${name}. Rules: ${Object.keys(RULES).join(', ')}.`);
    const values: readonly (typeof RULES)[typeof name][number][] = RULES[name];
    const value = values.find((one) => one === text);
    if (value === undefined) throw new UsageError(`${name} must be one of ${values.join(', ')}.`);
    await withStore(given, (database) => database.write((tx) => setRule(tx, name, value)));
    return { text: `${name} is ${value}.\n`, data: { name, value } };
  },
});
