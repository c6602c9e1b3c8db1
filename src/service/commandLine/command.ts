import { type ParseArgsOptionDescriptor, parseArgs } from 'node:util';
import { withoutControls } from '../../core/text.ts';
import { errorCode, UsageError } from '../ground/errors.ts';
import { refuseWrongArguments } from './options.ts';

/** An option as `parseArgs` takes it, and what its help says. */
export interface CommandOption extends ParseArgsOptionDescriptor {
  readonly help: string;
  /** What a value is called in the help, for instance `ADDRESS`. */
  readonly value?: string;
  /** Shown in the help where the default is not a plain value of the option. */
  readonly usually?: string;
  /** Belongs into the line that says how the command is used. */
  readonly isNeeded?: true;
}

type CommandOptions = Readonly<Record<string, CommandOption>>;

/** What a command has to say: to people, and to programs that asked with `--json`. */
export interface Output {
  readonly text: string;
  readonly data?: unknown;
  /** Whether what was looked for is wrong, so that scripts are to know. */
  readonly isWrong?: boolean;
}

/** What a person can read about a command. */
export interface CommandFacts {
  /** One word or two, such as `user add`. */
  readonly name: string;
  /** In the list of commands: a few words, not capitalised. */
  readonly summary: string;
  /** Whole sentences on top of the command's own help. */
  readonly about: string;
  readonly options: CommandOptions;
  /** Required arguments besides options, such as `FILE`. */
  readonly operands?: readonly string[];
  /** As typed after the name of the program. */
  readonly examples: readonly string[];
}

/** A command of the service's command line; its help comes from its facts. */
export interface Command extends CommandFacts {
  /** What it prints when it is done. Throws `UsageError` for what it does not understand, `Finding` for what is wrong. */
  readonly run: (args: readonly string[]) => Promise<string>;
}

type Values<O extends CommandOptions> = ReturnType<
  typeof parseArgs<{ options: O & typeof helpOption; strict: true; allowPositionals: true }>
>['values'];

interface DeclaredCommand<O extends CommandOptions> extends CommandFacts {
  readonly options: O;
  readonly run: (given: Values<O>, operands: readonly string[]) => Promise<Output | undefined>;
}

const helpOption = { help: { type: 'boolean', default: false, help: 'show this help' } } as const;

/** Of commands that print data. */
export const jsonOption = {
  json: { type: 'boolean', default: false, help: 'print JSON, for programs' },
} as const;

/** Makes a command of its declaration; what is given on the command line is read before it runs. */
export function command<O extends CommandOptions>(declared: DeclaredCommand<O>): Command {
  const { operands = [] } = declared;
  const options = { ...declared.options, ...helpOption };
  return {
    ...declared,
    options,
    run: async (args) => {
      refuseWrongArguments(args, options, operands);
      const config = { args: [...args], options, strict: true, allowPositionals: true } as const;
      const { values, positionals } = parseArgs(config);
      const output = await declared.run(values, positionals).catch(refuseLongPath);
      if (output?.isWrong) throw new Finding(printed(output, args));
      return printed(output, args);
    },
  };
}

/** Whatever a path was given for. */
function refuseLongPath(error: unknown): never {
  throw errorCode(error) === 'ENAMETOOLONG'
    ? new UsageError('A name of a file or folder is too long. Pass a shorter one.')
    : error;
}

function printed(output: Output | undefined, args: readonly string[]): string {
  if (!output) return '';
  return output.data !== undefined && args.includes('--json') ? `${JSON.stringify(output.data)}\n` : output.text;
}

/** A command is done, and found something that is wrong: what it prints is the message, and it ends with 1. */
class Finding extends Error {
  override readonly name = 'Finding';
}

/** Rows for people: cells side by side, tabs between them, which programs can cut at too. Nothing in them moves a terminal's cursor. */
export function table(rows: readonly (readonly (string | number)[])[]): string {
  return rows
    .map((cells) => `${cells.map((cell) => withoutControls(String(cell).replace(/[\t\r\n]+/g, ' '))).join('\t')}\n`)
    .join('');
}

/** A moment for people and programs, or a dash where there was none. */
export function moment(time: number | null): string {
  return time === null ? '-' : new Date(time).toISOString();
}
