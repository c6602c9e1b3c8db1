import { messageOf } from '../../core/errors.ts';
import { UsageError } from '../ground/errors.ts';
import { readHost } from '../http/hostNames.ts';
import { readHostName, readNumber } from '../input/optionValues.ts';
import type { MailSettings } from '../mail/mailContext.ts';
import { mailModule } from '../mail/openMails.ts';
import type { GivenMail } from '../mail/readMailSettings.ts';
import { startService } from '../start/startService.ts';
import { command } from './command.ts';
import { readDatabase, readDataFolder, readFiles } from './options.ts';
import { reachOptions, readReach } from './reachOptions.ts';
import {
  afterFirst,
  eventPrinter,
  giveBackSlack,
  restartWithAllocator,
  startOrStop,
  stopSignal,
} from './servingProcess.ts';
import { dataOptions, startFailure } from './withStore.ts';

/** The options of `serve` by which mails go out and replies come in. */
const mailOptions = {
  smtp: {
    type: 'string',
    value: 'URL',
    help: 'SMTP server for outgoing email, such as smtp://user@mail.example.org:587 or smtps://mail.example.org. Uses STARTTLS unless the server is on this machine or the address ends with ?tls=offered or ?tls=never. The password comes from SMTP_PASSWORD. Without a server, emails are saved as files in the data folder',
  },
  'smtp-password-file': { type: 'string', value: 'FILE', help: 'file that contains the password for --smtp' },
  'mail-from': { type: 'string', value: 'ADDRESS', help: 'sender of emails' },
  'reply-domain': { type: 'string', value: 'DOMAIN', help: 'domain of reply addresses' },
  'reply-port': { type: 'string', value: 'NUMBER', help: 'port to receive replies on over SMTP; 0 uses a free one' },
  'reply-host': { type: 'string', value: 'NAME', help: 'address to receive replies on', usually: '127.0.0.1' },
} as const;

const options = {
  ...dataOptions,
  host: { type: 'string', default: '127.0.0.1', value: 'NAME', help: 'address to listen on' },
  port: { type: 'string', default: '0', value: 'NUMBER', help: 'port to listen on; 0 uses a free one' },
  ...reachOptions,
  'max-upload': { type: 'string', default: '1024', value: 'MIB', help: 'largest attachment in MiB' },
  'allow-private-hooks': {
    type: 'boolean',
    default: false,
    help: 'allow web hooks to private networks, and to this machine if the service is on a network or on PostgreSQL',
  },
  demo: { type: 'boolean', default: false, help: 'fill an empty store with a demo project and sign in its user' },
  embedded: {
    type: 'boolean',
    default: false,
    help: 'create a user for the person at this machine; stop when standard input closes',
  },
  'log-requests': { type: 'boolean', default: false, help: 'log each answered request, without its query' },
  metrics: {
    type: 'string',
    value: 'HOST:PORT',
    help: 'address to read metrics at, in the text form of Prometheus, at the path /metrics; a port alone is one of this machine. Anyone who reaches it can read them',
  },
  ...mailOptions,
  json: { type: 'boolean', default: false, help: 'write one JSON object per line to standard output' },
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
    '--data /srv/tracker --host 0.0.0.0 --port 443 --allowed-host tracker.example.org --cert fullchain.pem --key privkey.pem',
    '--data /srv/tracker --port 8080 --public-url https://example.org/tracker --trust-proxy 127.0.0.1',
    '--database postgres://ada@db.example.org/tracker --data /srv/tracker --host 0.0.0.0 --allowed-host tracker.example.org',
  ],
  run: async (given) => {
    if (!given.embedded) restartWithAllocator();
    giveBackSlack();
    const print = eventPrinter(given.json);
    const stopped = stopSignal(given.embedded);
    const place = {
      data: readDataFolder(given.data),
      ...readDatabase(given.database),
      host: readHostName(given.host, 'host'),
      port: readNumber(given.port, 'port', 0, 65_535),
    };
    const mail = await readMail(given);
    let reload = (): void => undefined; // A signal that comes before there is anything to read anew ends nothing.
    if (given.cert !== undefined) process.on('SIGHUP', () => reload());
    const log = afterFirst(print);
    const started = startService({
      ...place,
      ...readFiles(given.files),
      ...readReach(given),
      ...mail,
      ...readMetrics(given.metrics),
      dataFolder: place.data,
      maxUpload: readNumber(given['max-upload'], 'max-upload', 1, 1_048_576) * 1024 * 1024,
      allowPrivateHooks: given['allow-private-hooks'],
      logsRequests: given['log-requests'],
      demo: given.demo,
      embedded: given.embedded,
      notesAddress: !given.embedded,
      log: log.hear,
    });
    const service = await startOrStop(started, stopped).catch((error: unknown) => {
      throw startFailure(error, place);
    });
    const { url, token, replyAddress, folder, madeFile, metricsUrl } = service;
    print({
      event: 'listening',
      url,
      data: folder,
      ...(token !== undefined && { token }),
      ...(replyAddress !== undefined && { replies: replyAddress }),
      ...(metricsUrl !== undefined && { metrics: metricsUrl }),
    });
    if (madeFile !== undefined && !given.demo && !given.embedded) print({ event: 'newDatabase', file: madeFile });
    log.release();
    reload = () => {
      service.reloadTls().then(
        () => print({ event: 'reloaded' }),
        (error: unknown) => print({ event: 'error', during: 'reload', message: messageOf(error) }),
      );
    };
    await stopped;
    print({ event: 'stopping' });
    await service.stop();
    return undefined;
  },
});

/** Where `--metrics` says, on this machine where it names no host. Throws `UsageError`. */
function readMetrics(given: string | undefined) {
  if (given === undefined) return {};
  const [, host, port = ''] = /^(?:(.+):)?(\d{1,5})$/.exec(given.trim()) ?? [];
  const name = host === undefined ? undefined : readHost(host)?.name;
  if (port === '' || (host !== undefined && name === undefined))
    throw new UsageError('--metrics must be an address such as 127.0.0.1:9100, or a port.');
  return { metrics: { host: name ?? '127.0.0.1', port: readNumber(port, 'metrics', 0, 65_535) } };
}

/** How mails are sent and taken, if any option says so. Throws `UsageError`. */
async function readMail(given: GivenMail): Promise<{ readonly mail?: MailSettings }> {
  const names = Object.keys(mailOptions) as readonly (keyof GivenMail)[];
  if (names.every((name) => given[name] === undefined)) return {};
  const { readMailSettings } = await mailModule();
  return { mail: await readMailSettings(given, process.env) };
}
