import { randomBytes } from 'node:crypto';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { AttachmentFiles } from '../attachments/attachmentFiles.ts';
import type { BucketAddress } from '../attachments/bucketAddress.ts';
import { FolderPairing } from '../attachments/folderPairing.ts';
import { openAttachmentFiles } from '../attachments/openAttachmentFiles.ts';
import { sweepAttachments } from '../attachments/sweepAttachments.ts';
import { SignInAttempts } from '../auth/passwordSignIn.ts';
import { Answers } from '../cache/answers.ts';
import { StoryTexts } from '../cache/listedStories.ts';
import { LongAnswers } from '../cache/longAnswers.ts';
import { ProjectFacts } from '../cache/projectFacts.ts';
import { ProjectViews } from '../cache/projectViews.ts';
import { TokenAccess } from '../cache/tokenAccess.ts';
import { type Mails, noMails } from '../call/mails.ts';
import type { Service } from '../call/service.ts';
import type { AnsweredRequest } from '../front/requestHandler.ts';
import { startServer } from '../front/server.ts';
import { Background, type ServiceLog, silentServiceLog } from '../ground/background.ts';
import { BodyRoom } from '../http/bodyRoom.ts';
import { TrustedProxies } from '../http/clientAddress.ts';
import { hostCheck, publicUrlOf } from '../http/hostNames.ts';
import { sweepSpooled } from '../http/spooledFile.ts';
import { readTls, type TlsFiles, type TlsIdentity, troubleWithAge } from '../http/tls.ts';
import { MAIL_FILES, type MailNeeds, type MailSettings } from '../mail/mailContext.ts';
import { sweepDrafts } from '../mail/mailFolder.ts';
import { openMails } from '../mail/openMails.ts';
import { UntilChanged } from '../memory/leastRecentlyUsed.ts';
import { type MetricsAddress, ServiceMetrics, startMetricsServer } from '../metrics/serviceMetrics.ts';
import { wakingDatabase } from '../queue/jobWorkers.ts';
import type { Database, Tx } from '../store/database.ts';
import { databaseId, noteServedAddress } from '../store/databaseState.ts';
import { openStore, type StoreOptions } from '../store/openStore.ts';
import { dropUnusedTokens, mintToken, revokeToken } from '../store/people/tokens.ts';
import { addUser, type UserRow, userByEmail } from '../store/people/users.ts';
import { sharedSecret } from '../store/secrets.ts';
import { sweepImports } from '../transfer/import/staging.ts';
import { type DeliveryOptions, deliveryWorkers } from './deliveryWorkers.ts';
import { demoUser, joinDemo, refuseUsed, seedDemo } from './seedDemo.ts';

interface ServiceOptions extends StoreOptions, DeliveryOptions {
  readonly dataFolder: string;
  /** What has the attached files, if the data folder has not. */
  readonly bucket?: BucketAddress;
  readonly host?: string;
  /** 0 takes a free one. */
  readonly port?: number;
  /** Host names by which this service is called besides its own. */
  readonly allowedHosts?: readonly string[];
  /** Empty, or a path that starts with a slash and does not end with one. */
  readonly basePath?: string;
  /** Speaks TLS, with what is in these files. */
  readonly tls?: TlsFiles;
  /** IP addresses and networks of proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed. */
  readonly trustedProxies?: readonly string[];
  /** Whether each answered request is told to the log. */
  readonly logsRequests?: boolean;
  /** Bytes of one attachment. */
  readonly maxUpload?: number;
  /** Milliseconds in which a body that is not a file has to arrive. */
  readonly bodyTime?: number;
  /** Milliseconds in which the head of a request has to arrive. */
  readonly headTime?: number;
  /** Milliseconds after which a reader is cut off who takes nothing of an answer. */
  readonly readerTime?: number;
  /** Milliseconds after which a stop is given up that waits for something that does not come. */
  readonly stopTime?: number;
  /** How mails are sent and taken: as files without it, and not at all where one person works alone (`embedded`). */
  readonly mail?: MailSettings;
  /** Where metrics are read; nowhere without it. */
  readonly metrics?: MetricsAddress;
  readonly demo?: boolean;
  readonly embedded?: boolean;
  /** Whether the address is noted in the store, for commands that print addresses. */
  readonly notesAddress?: boolean;
  readonly log?: ServiceLog;
  readonly clock?: () => number;
}

interface RunningService {
  /** With base path, without a slash at the end. */
  readonly url: string;
  /** Of the demo user or of the person at this machine, where one was asked for. */
  readonly token: string | undefined;
  readonly database: Database;
  /** Absolute path of the data folder. */
  readonly folder: string;
  /** The file of the database where there was none before. */
  readonly madeFile: string | undefined;
  /** Reads the files of TLS anew, for connections that come from now on. Throws when they are wrong, and goes on with the old ones. */
  reloadTls(): Promise<void>;
  /** Where metrics are read, where that was asked for. */
  readonly metricsUrl: string | undefined;
  /** Host and port at which replies to mails are taken, where that was asked for. */
  readonly replyAddress: string | undefined;
  /** Finishes what is under way and closes everything. Throws when that takes too long: then something is still open. */
  stop(): Promise<void>;
}

/** Bytes of written activities that are kept. */
const FEED_MEMORY = 8 * 1024 * 1024;
/** Bytes that are counted for those that are too long to be kept. */
const FEED_MARK = 100;
const DEFAULT_MAX_UPLOAD = 1024 * 1024 * 1024;
const DEFAULT_BODY_TIME = 30_000;
const DEFAULT_HEAD_TIME = 15_000;
const DEFAULT_READER_TIME = 30_000;
/** Milliseconds between two looks for files that no attachment names, and for mails that were never finished. */
const SWEEP_PERIOD = 6 * 60 * 60 * 1000;
/** The same for what killed imports have left, which takes up the ids of their stories. */
const IMPORT_SWEEP_PERIOD = 60_000;
/** Milliseconds after the start when damage of the stored data is looked for. */
const SEARCH_AFTER = 10_000;
const NOTE = 'note of the database';
const CERTIFICATE_PERIOD = 24 * 60 * 60 * 1000;
/** Requests have half a minute of it. */
const DEFAULT_STOP_TIME = 45_000;
const STOP_GIVEN_UP = 'Not everything finished in time. Work in progress was canceled.';

/** A service that answers when this resolves. */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { host = '127.0.0.1', port = 0, basePath = '', clock = Date.now } = options;
  let tls = options.tls && (await readTls(options.tls));
  const publicUrl = options.publicUrl === undefined ? undefined : publicUrlOf(options.publicUrl);
  const opened = await openStore(options.dataFolder, { searchAfter: SEARCH_AFTER, ...options });
  const { folder, database: store } = opened;
  const metrics = options.metrics && new ServiceMetrics();
  const database = wakingDatabase(metrics?.measured(store) ?? store, () => workers.wake());
  const service = await makeService(database, folder, options, { url: () => options.publicUrl ?? url, tls });
  const workers = deliveryWorkers(service, options, () => url);
  const start = await prepareStart(service, options, clock());
  const replyAddress = await service.mails.takeReplies();
  const ownNames = publicUrl ? [publicUrl.hostname] : [];
  const hostAllowed = hostCheck(host, [...(options.allowedHosts ?? []), ...ownNames]);
  const proxies = new TrustedProxies(options.trustedProxies ?? []);
  const { headTime = DEFAULT_HEAD_TIME, readerTime = DEFAULT_READER_TIME } = options;
  const rules = { host, port, basePath, hostAllowed, publicUrl, proxies, tls, headTime, readerTime, clock };
  const logsRequests = options.logsRequests === true;
  const onAnswered = metrics && ((answered: AnsweredRequest) => metrics.noteAnswer(answered, basePath));
  const server = await startServer(service, { ...rules, logsRequests, onAnswered });
  const metricsServer =
    options.metrics &&
    (await startMetricsServer(options.metrics, async () => (await metrics?.text(store, server.figures())) ?? ''));
  const url = `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${server.port}${basePath}`;
  workers.start();
  if (options.notesAddress)
    service.background.run('address', () => noteServedAddress(database, publicUrl?.href ?? url));
  service.background.every(CERTIFICATE_PERIOD, 'certificate', async () => tellOfAge(tls, service, clock()));
  return {
    url,
    token: start.token,
    folder,
    madeFile: opened.madeFile,
    database,
    reloadTls: async () => {
      if (!options.tls) return;
      tls = await readTls(options.tls);
      server.useTls(tls);
      service.mails.useTls(tls);
      tellOfAge(tls, service, clock());
    },
    replyAddress,
    metricsUrl: metricsServer?.url,
    stop: () => {
      const stopped = async (): Promise<void> => {
        const served = server.stop();
        service.background.run('stop', start.end);
        await served;
        await service.mails.stop();
        await service.background.end();
        await workers.stop();
        await metricsServer?.stop();
        metrics?.stop();
        await database.close();
      };
      return inTime(options.stopTime ?? DEFAULT_STOP_TIME, stopped(), STOP_GIVEN_UP);
    },
  };
}

function tellOfAge(tls: TlsIdentity | undefined, { log }: Service, now: number): void {
  const message = tls && troubleWithAge(tls, now);
  if (message !== undefined) log({ event: 'warning', about: 'certificate', message });
}

function mailsOf(needs: Omit<MailNeeds, 'settings'>, { mail, embedded = false }: ServiceOptions): Mails {
  if (mail === undefined && embedded) return noMails;
  return openMails({ ...needs, settings: mail ?? MAIL_FILES });
}

async function makeService(
  database: Database,
  folder: string,
  options: ServiceOptions,
  own: Pick<MailNeeds, 'url' | 'tls'>,
): Promise<Service> {
  const {
    log = silentServiceLog,
    clock = Date.now,
    maxUpload = DEFAULT_MAX_UPLOAD,
    bodyTime = DEFAULT_BODY_TIME,
  } = options;
  const background = new Background(log);
  const views = new ProjectViews(database);
  const long = new LongAnswers();
  const place = { folder, ...(options.bucket && { bucket: options.bucket }) };
  const files: AttachmentFiles = await openAttachmentFiles(place, {
    requireOwn: () => pairing.requireOwn(),
    noteNamed: () => pairing.noteSoon((work) => background.run(NOTE, work)),
  });
  const pairing = new FolderPairing(files, database);
  background.atEnd(NOTE, () => pairing.noteProgress());
  await databaseId(database);
  await pairing.begin().catch(() => undefined); // What is wrong with the folder is told by the sweep.
  background.every(SWEEP_PERIOD, 'attachment sweep', () => sweepAttachments({ files, pairing, database, log }));
  background.every(SWEEP_PERIOD, 'transfer sweep', () => sweepSpooled(folder, Date.now()));
  background.every(IMPORT_SWEEP_PERIOD, 'import sweep', () => sweepImports(database, Date.now()));
  const mailFolder = join(folder, 'mail');
  background.every(SWEEP_PERIOD, 'mail sweep', () => sweepDrafts(mailFolder));
  const mailNeeds = { database, files, maxUpload, log, clock, mailFolder, ...own };
  return {
    database,
    folder,
    files,
    mails: mailsOf(mailNeeds, options),
    views,
    facts: new ProjectFacts(views),
    texts: new StoryTexts(),
    feeds: new UntilChanged(FEED_MEMORY, (body) => body?.length ?? FEED_MARK),
    background,
    log,
    maxUpload,
    bodyTime,
    bodyRoom: new BodyRoom(),
    answers: new Answers(views, long),
    long,
    tokens: new TokenAccess(database, background),
    attempts: new SignInAttempts(database),
    downloadKey: await sharedSecret(database, 'downloadKey', () => randomBytes(32).toString('base64url')),
  };
}

/** What comes of the work; throws the sentence when that takes longer than so many milliseconds. */
async function inTime<T>(milliseconds: number, work: Promise<T>, otherwise: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(otherwise)), milliseconds);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

const WEEK = 7 * 24 * 60 * 60 * 1000;

interface Started {
  readonly token: string | undefined;
  /** Takes back what was meant for this run only. */
  end(): Promise<void>;
}

/**
 * Makes the data and the token that a start asks for. Tokens are kept as hashes, so each start makes a new one; the demo's stay good
 * until they were not used for a week, the embedded one until its service stops.
 */
async function prepareStart(
  service: Service,
  options: Pick<ServiceOptions, 'database' | 'demo' | 'embedded'>,
  now: number,
): Promise<Started> {
  const { demo = false, embedded = false } = options;
  if (!demo && !embedded) return { token: undefined, end: async () => undefined };
  const { database } = service;
  if (demo) {
    if (!embedded) await refuseUsed(database, options.database === undefined ? service.folder : undefined);
    await seedDemo(service, now);
  }
  const token = await database.write(async (tx) => {
    await dropUnusedTokens(tx, 'demo', now - WEEK);
    await dropUnusedTokens(tx, 'embedded', now - WEEK);
    if (!embedded) return mintToken(tx, (await demoUser(tx, now)).id, 'demo', now);
    const user = await localUser(tx, now);
    if (demo) await joinDemo(tx, user);
    return mintToken(tx, user.id, 'embedded', now);
  });
  const end = async (): Promise<void> => {
    if (embedded) await database.write((tx) => revokeToken(tx, token));
  };
  return { token, end };
}

const EMAIL = 'you@localhost';

/** The person at this machine, who has no account elsewhere. Made at the first start. */
async function localUser(tx: Tx, now: number): Promise<UserRow> {
  return (await userByEmail(tx, EMAIL)) ?? addUser(tx, { name: systemName(), email: EMAIL }, now);
}

function systemName(): string {
  try {
    return userInfo().username || 'You';
  } catch {
    // Containers may run as a user without a name.
    return 'You';
  }
}
