import { messageOf } from '../../core/errors.ts';
import { missingPart } from '../missingPart.ts';
import { asksForHelp } from './asksForHelp.ts';
import { serve } from './serve.ts';

/** Runs the command that the arguments name and gives the exit code: 0 done, 1 failed, 2 not understood. */
export async function run(args: readonly string[]): Promise<number> {
  try {
    await print(await outputOf(args));
    return 0;
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`);
    if (!isUsageError(error)) return 1;
    process.stderr.write('Use --help to see what can be said.\n');
    return 2;
  }
}

/** Throws when what was asked for is not printed, as where a disk is full; a service has nothing to say at its end. */
function print(text: string): Promise<void> {
  if (text === '') return Promise.resolve();
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** A service that only serves, as in the extension, does without the other commands, and so without reading them. */
async function outputOf(args: readonly string[]): Promise<string> {
  if (args[0] === 'serve' && !asksForHelp(args)) return serve.run(args.slice(1));
  const { runCommand } = await import('./runCommand.ts').catch(
    missingPart('commands.js', 'with all commands but serve'),
  );
  return runCommand(args);
}

/** By name, since parts that lie beside the service have a class of their own. */
function isUsageError(error: unknown): boolean {
  return error instanceof Error && error.name === 'UsageError';
}
