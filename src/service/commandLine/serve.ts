import { startService } from '../startService.ts';
import { command } from './command.ts';
import { eventPrinter } from './eventPrinter.ts';
import { readDatabase, readDataFolder, readNumber } from './options.ts';
import { startFailure } from './startFailure.ts';
import { stopSignal } from './stopSignal.ts';
import { UsageError } from './usageError.ts';
import { storeOptions } from './withStore.ts';

const options = {
  ...storeOptions,
  host: { type: 'string', default: '127.0.0.1', value: 'NAME', help: 'address to listen on' },
  port: { type: 'string', default: '0', value: 'NUMBER', help: 'port to listen on; 0 takes a free one' },
  'allowed-host': {
    type: 'string',
    multiple: true,
    default: [] as string[],
    value: 'NAME',
    help: 'a further host name this service is called by',
  },
  'base-path': {
    type: 'string',
    default: '',
    value: 'PATH',
    help: 'path under which a proxy offers this service, for instance /tracker',
  },
  'max-upload': { type: 'string', default: '1024', value: 'MIB', help: 'largest attachment in MiB' },
  'public-url': {
    type: 'string',
    value: 'URL',
    help: 'address by which others reach this service, for web hooks and mails; usually its own',
  },
  'allow-private-hooks': {
    type: 'boolean',
    default: false,
    help: 'let web hooks go to private networks, and to this machine when the service is on a network or on PostgreSQL',
  },
  demo: { type: 'boolean', default: false, help: 'fill an empty store with a demo project and sign in its user' },
  embedded: {
    type: 'boolean',
    default: false,
    help: 'make a user for the person at this machine; stop when standard input closes',
  },
  json: { type: 'boolean', default: false, help: 'one JSON object a line on standard output' },
} as const;

/** Serves until told to stop. */
export const serve = command({
  name: 'serve',
  summary: 'answer the tracking API',
  about: 'Answers the tracking API over HTTP until it is stopped.',
  options,
  examples: [
    '--demo',
    '--data /srv/tracker --port 8080',
    '--database postgres://ada@db.example.org/tracker --data /srv/tracker --host 0.0.0.0 --allowed-host tracker.example.org',
  ],
  run: async (given) => {
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
      ...readPublicUrl(given['public-url']),
      allowPrivateHooks: given['allow-private-hooks'],
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
    return undefined;
  },
});

function readBasePath(text: string): string {
  const path = text.replace(/\/+$/, '');
  if (path !== '' && !/^(?:\/[\w.~-]+)+$/.test(path)) {
    throw new UsageError('--base-path has to be a path that starts with a slash, for instance /tracker.');
  }
  return path;
}

function readPublicUrl(text: string | undefined): { readonly publicUrl?: string } {
  if (text === undefined) return {};
  const url = URL.parse(text);
  if (!url || !/^https?:\/\/./.test(text) || url.search !== '' || url.hash !== '') {
    throw new UsageError('--public-url has to be an address such as https://tracker.example.org.');
  }
  return { publicUrl: url.href.replace(/\/+$/, '') };
}
