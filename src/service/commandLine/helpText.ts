import type { CommandFacts, CommandOption } from './command.ts';

const WIDTH = 110;
const COLUMN = 24;

/** What `--help` says of one command. */
export function helpOfCommand({ name, about, options, operands = [], examples }: CommandFacts): string {
  const all = Object.entries(options);
  const needed = all.filter(([, { isNeeded }]) => isNeeded === true).map(([option, facts]) => signature(option, facts));
  const usage = ['service', name, ...operands, ...needed, '[options]'].join(' ');
  const lines = all.map(([option, facts]) => row(signature(option, facts), sentence(facts)));
  const shown = examples.map((example) => `  service ${name} ${example}`.trimEnd());
  return [`Usage: ${usage}`, '', wrapped(about, 0), '', ...lines, '', 'Examples:', ...shown, ''].join('\n');
}

/** What `--help` says of several commands: all, or those that begin with the same word. */
export function helpOfCommands(commands: readonly CommandFacts[], group?: string): string {
  const usage = ['service', ...(group === undefined ? [] : [group]), 'COMMAND', '[options]'].join(' ');
  const lines = commands.map(({ name, summary }) =>
    row(group === undefined ? name : name.slice(group.length + 1), summary),
  );
  return [`Usage: ${usage}`, '', ...lines, '', 'Run a command with --help for details.', ''].join('\n');
}

function signature(option: string, { value }: CommandOption): string {
  return value === undefined ? `--${option}` : `--${option} ${value}`;
}

function sentence({ help, multiple, default: given, usually }: CommandOption): string {
  const plain = typeof given === 'string' && given !== '' ? given : undefined;
  const value = usually ?? plain;
  return [help, multiple === true ? '; can be repeated' : '', value === undefined ? '' : ` (default: ${value})`].join(
    '',
  );
}

function row(left: string, right: string): string {
  const isLong = left.length > COLUMN - 2;
  const text = wrapped(right, COLUMN + 2);
  return isLong ? `  ${left}\n${' '.repeat(COLUMN + 2)}${text}` : `  ${left.padEnd(COLUMN)}${text}`;
}

/** Text in lines that begin `indent` columns to the right, but for the first, which is begun already. */
function wrapped(text: string, indent: number): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && indent + line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join(`\n${' '.repeat(indent)}`);
}

/** `--help` or `-h` wins over whatever else is said, but not behind `--`. */
export function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return (end < 0 ? args : args.slice(0, end)).some((arg) => arg === '--help' || arg === '-h');
}
