import { messageOf } from '../core/errors.ts';
import { backup } from './commandLine/backupCommand.ts';
import { asksForHelp } from './commandLine/helpText.ts';
import { serve } from './commandLine/serveCommand.ts';
import { errorCode, missingPart } from './ground/errors.ts';

/** Milliseconds in which who reads the log of a service may read its last words. */
const LAST_WORDS = 1_000;

// Who reads what is printed may go before the service does: that is no reason to stop serving.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

const args = process.argv.slice(2);

run(args).then((code) => {
  const end = (): never => process.exit(code);
  if (args[0] === 'serve') setTimeout(end, LAST_WORDS);
  process.stdout.write('', end); // What was asked for is waited for, however slowly it is read.
});

/** Runs the command that the arguments name and gives the exit code: 0 done, 1 failed, 2 not understood. */
async function run(args: readonly string[]): Promise<number> {
  try {
    return await printAll(args);
  } catch (error) {
    if (!isPipeClosed(error)) process.stderr.write(failureText(error, isForProgram(args)));
    return isUsageError(error) ? 2 : 1;
  }
}

async function printAll(args: readonly string[]): Promise<number> {
  try {
    await print(await outputOf(args));
    return 0;
  } catch (error) {
    if (!isFinding(error)) throw error;
    await print(error.message);
    return 1;
  }
}

function failureText(error: unknown, isForProgram: boolean): string {
  const message = messageOf(error);
  if (isForProgram) return `${JSON.stringify({ error: message })}\n`;
  return isUsageError(error) ? `${message}\nSee --help for the options.\n` : `${message}\n`;
}

/** Who read as much as they wanted, as `head` does, is told nothing. */
function isPipeClosed(error: unknown): boolean {
  return errorCode(error) === 'EPIPE';
}

/** Throws when what was asked for is not printed, as where a disk is full; a service has nothing to say at its end. */
function print(text: string): Promise<void> {
  if (text === '') return Promise.resolve();
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** A service that serves and makes backups, as in the extension, does without the other commands, and so without reading them. */
async function outputOf(args: readonly string[]): Promise<string> {
  const own = [serve, backup].find(({ name }) => name === args[0]);
  if (own && !asksForHelp(args)) return own.run(args.slice(1));
  const { runCommand } = await import('./commandLine/runCommand.ts').catch(
    missingPart('commands.js', 'with all commands but serve and backup'),
  );
  return runCommand(args);
}

/** Who starts a service with `--json` reads events, and shows the last sentence when it fails. */
function isForProgram(args: readonly string[]): boolean {
  return args[0] !== 'serve' && args.includes('--json');
}

/** By name, too. */
function isFinding(error: unknown): error is Error {
  return error instanceof Error && error.name === 'Finding';
}

/** By name, since parts that lie beside the service have a class of their own. */
function isUsageError(error: unknown): boolean {
  return error instanceof Error && error.name === 'UsageError';
}
