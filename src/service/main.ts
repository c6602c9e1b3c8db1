import { run } from './commandLine/run.ts';

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
