import { run } from './commandLine/run.ts';

// Who reads what is printed may go before the service does: that is no reason to stop serving.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

run(process.argv.slice(2)).then((code) => process.stdout.write('', () => process.exit(code)));
