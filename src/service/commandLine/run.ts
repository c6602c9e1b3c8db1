import { messageOf } from '../../core/errors.ts';
import { project } from './project.ts';
import { serve } from './serve.ts';
import { UsageError } from './usageError.ts';
import { userAdd } from './userAdd.ts';
import { version } from './version.ts';

const help = `Usage: service COMMAND [options]

  serve       answer the tracking API
  user add    add a user and print an API token for them
  project     list projects, change their settings, integrations and iterations
  --version   print the version

Every command explains itself with --help.
`;

/** Runs the command that the arguments name and gives the exit code: 0 done, 1 failed, 2 not understood. */
export async function run(args: readonly string[]): Promise<number> {
  try {
    await command(args);
    return 0;
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`);
    if (!(error instanceof UsageError)) return 1;
    process.stderr.write('Use --help to see what can be said.\n');
    return 2;
  }
}

async function command(args: readonly string[]): Promise<void> {
  const [first, second] = args;
  if (first === 'serve') return serve(args.slice(1));
  if (first === 'user' && second === 'add') return userAdd(args.slice(2));
  if (first === 'project') return project(args.slice(1));
  if (first === '--version') return void process.stdout.write(`${await version(process.argv[1] ?? '')}\n`);
  if (first === '--help' || first === 'help') return void process.stdout.write(help);
  if (first === 'user' && (second === '--help' || second === undefined)) return void process.stdout.write(help);
  throw new UsageError(
    first === undefined ? 'Say what to do: serve, user add, or project.' : `There is no command ${first}.`,
  );
}
