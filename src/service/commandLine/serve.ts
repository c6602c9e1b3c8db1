import { defaultDataFolder } from '../dataFolder.ts';
import { startService } from '../startService.ts';
import { eventPrinter } from './eventPrinter.ts';
import { readDatabase, readDataFolder, readNumber, readOptions } from './options.ts';
import { startFailure } from './startFailure.ts';
import { stopSignal } from './stopSignal.ts';
import { UsageError } from './usageError.ts';

const serveHelp = `Usage: service serve [options]

Answers the tracking API over HTTP until it is stopped.

  --data DIR            folder of the data (default: ${defaultDataFolder()})
  --database URL        PostgreSQL database of the data, such as postgres://ada@db.example.org/tracker;
                        the folder then holds the attachments only. Leave the password to PGPASSWORD or ~/.pgpass
  --host NAME           address to listen on (default: 127.0.0.1)
  --port NUMBER         port to listen on; 0 takes a free one (default: 0)
  --allowed-host NAME   a further host name this service is called by; may be given several times
  --base-path PATH      path under which a proxy offers this service, for instance /tracker
  --max-upload MIB      largest attachment in MiB (default: 1024)
  --demo                fill an empty store with a demo project and sign in its user
  --embedded            make a user for the person at this machine; stop when standard input closes
  --json                one JSON object a line on standard output
  --help                this text
`;

const options = {
  data: { type: 'string' },
  database: { type: 'string' },
  host: { type: 'string', default: '127.0.0.1' },
  port: { type: 'string', default: '0' },
  'allowed-host': { type: 'string', multiple: true, default: [] as string[] },
  'base-path': { type: 'string', default: '' },
  'max-upload': { type: 'string', default: '1024' },
  demo: { type: 'boolean', default: false },
  embedded: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/** Serves until told to stop. */
export async function serve(args: readonly string[]): Promise<void> {
  const given = readOptions(args, options);
  if (given.help) return void process.stdout.write(serveHelp);
  const print = eventPrinter(given.json);
  const stopped = stopSignal(given.embedded);
  const place = {
    data: readDataFolder(given.data),
    ...readDatabase(given.database),
    host: given.host,
    port: readNumber(given.port, 'port', 0, 65_535),
  };
  const service = await startService({
    ...place,
    dataFolder: place.data,
    allowedHosts: given['allowed-host'],
    basePath: readBasePath(given['base-path']),
    maxUpload: readNumber(given['max-upload'], 'max-upload', 1, 1_048_576) * 1024 * 1024,
    demo: given.demo,
    embedded: given.embedded,
    log: print,
  }).catch((error: unknown) => {
    throw startFailure(error, place);
  });
  print({ event: 'listening', url: service.url, ...(service.token !== undefined && { token: service.token }) });
  await stopped;
  print({ event: 'stopping' });
  await service.stop();
}

function readBasePath(text: string): string {
  const path = text.replace(/\/+$/, '');
  if (path !== '' && !/^(?:\/[\w.~-]+)+$/.test(path)) {
    throw new UsageError('--base-path has to be a path that starts with a slash, for instance /tracker.');
  }
  return path;
}
