import { run } from './commandLine/run.ts';

run(process.argv.slice(2)).then((code) => process.stdout.write('', () => process.exit(code)));
