import assert from 'node:assert/strict';
import { helpOfCommand, helpOfCommands } from '../../../../src/service/commandLine/helpText.ts';
import { refuseWrongArguments } from '../../../../src/service/commandLine/options.ts';
import { commands } from '../../../../src/service/commandLine/runCommand.ts';
import { UsageError } from '../../../../src/service/ground/errors.ts';

describe('the commands of the service', () => {
  it('are listed with what they do', () => {
    const help = helpOfCommands(commands);
    for (const { name, summary } of commands)
      assert.match(help, new RegExp(`^  ${name} .*${summary.slice(0, 20)}`, 'm'));
  });

  for (const one of commands) {
    it(`${one.name}: its help names every option, what it needs, and examples that are understood`, () => {
      const help = helpOfCommand(one);
      for (const [name, { isNeeded }] of Object.entries(one.options)) {
        assert.match(help, new RegExp(`^  --${name}\\b`, 'm'));
        if (isNeeded === true) assert.match(help.split('\n')[0] ?? '', new RegExp(`--${name} `));
      }
      for (const operand of one.operands ?? []) assert.match(help.split('\n')[0] ?? '', new RegExp(` ${operand}\\b`));
      assert.ok('json' in one.options, 'programs can use it');
      assert.ok(one.examples.length > 0);
      for (const example of one.examples) refuseWrongArguments(typed(example), one.options, one.operands ?? []);
    });
  }

  it('name the option that was likely meant', () => {
    assertRefused(['serve', '--prot', '1'], 'Unknown option --prot. Did you mean --port?');
    assertRefused(['serve', '--colour'], 'Unknown option --colour.');
    assertRefused(['user add', '--nam=Ada'], 'Unknown option --nam. Did you mean --name?');
    assertRefused(['serve', 'here'], 'Unexpected argument "here".');
  });

  it('refuse a value that is missing or too many', () => {
    assertRefused(['serve', '--port'], /--port/);
    assertRefused(['serve', '--demo=yes'], /--demo/);
  });
});

/** The arguments as a shell takes them apart, up to where it would read a file. */
function typed(example: string): readonly string[] {
  return [...example.replace(/ [<>|].*$/, '').matchAll(/"([^"]*)"|(\S+)/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? '',
  );
}

function assertRefused([name, ...args]: readonly string[], sentence: string | RegExp): void {
  const found = commands.find((one) => one.name === name);
  assert.ok(found);
  const message = typeof sentence === 'string' ? { message: sentence } : sentence;
  assert.throws(() => refuseWrongArguments(args, found.options, found.operands ?? []), message);
  assert.throws(() => refuseWrongArguments(args, found.options, found.operands ?? []), UsageError);
}
