import { Socket } from 'node:net';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { messageOf } from '../../core/errors.ts';
import type { ServiceEvent } from '../ground/background.ts';
import type { MailContext, MailServer } from './mailContext.ts';
import { writeMailFile } from './mailFolder.ts';

/** Milliseconds. */
const PATIENCE = { connectionTimeout: 20_000, greetingTimeout: 20_000, socketTimeout: 60_000, dnsTimeout: 20_000 };
/** Milliseconds for one mail, so that a server which goes on and on says nothing for ever. */
const LONGEST = 5 * 60_000;

/** What a server answers to who has not signed in as it wants (RFC 4954, 6). */
const OF_LOGIN = [530, 534, 535, 538];

/** A mail that did not go out, in words that name no secrets. */
class UnsentMail extends Error {
  override readonly name = 'UnsentMail';
  /** The server will never take this mail; trying again is of no use. */
  readonly isFinal: boolean;

  constructor(cause: unknown) {
    super(messageOf(cause), { cause });
    this.isFinal = isRefusal(cause);
  }
}

/** How one mail is told of: to the log, and as the name of a file. */
interface Telling {
  readonly told: ServiceEvent;
  readonly name: string;
}

/** Hands a mail over to the server, or writes it to a file where there is none. Throws `UnsentMail`. */
export async function deliverMail(
  { settings: { server }, mailFolder, log }: Pick<MailContext, 'log' | 'mailFolder' | 'settings'>,
  mail: SendMailOptions,
  { told, name }: Telling,
  signal: AbortSignal,
): Promise<void> {
  if (server) await sendMail(server, mail, signal);
  log(server ? told : { ...told, file: await writeMailFile(mailFolder, name, await bytesOf(mail)) });
}

async function bytesOf(mail: SendMailOptions): Promise<Buffer> {
  const { message } = await createTransport({ streamTransport: true, buffer: true, newline: 'windows' }).sendMail(mail);
  if (!Buffer.isBuffer(message)) throw new Error('The email could not be composed.');
  return message;
}

/** Hands a mail over to the server. Throws `UnsentMail`, at once when `signal` aborts. */
async function sendMail(server: MailServer, mail: SendMailOptions, signal: AbortSignal): Promise<void> {
  const { host, port, tls, user, password } = server;
  const socket = new Socket().on('error', () => undefined);
  const transport = createTransport({
    ...{ host, port, secure: tls === 'implicit', requireTLS: tls === 'required', ignoreTLS: tls === 'never' },
    // Any encryption is better than none; where it is required, the server has to prove who it is.
    ...(tls === 'offered' && { tls: { rejectUnauthorized: false } }),
    ...(user !== undefined && { auth: { user, pass: password ?? '' } }),
    ...PATIENCE,
    socket,
  });
  try {
    await before(AbortSignal.any([signal, AbortSignal.timeout(LONGEST)]), transport.sendMail(mail));
  } catch (error) {
    socket.destroy();
    throw new UnsentMail(error);
  } finally {
    transport.close();
  }
}

/** What comes of the work, unless the signal aborts first. */
function before<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const broken = (): void => reject(new Error('It took too long and was canceled.'));
    if (signal.aborted) broken();
    signal.addEventListener('abort', broken);
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', broken));
  });
}

/** What is said for good of the recipient or the mail itself. Who may send, and as whom, is of this service, where it may be mended. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || !('responseCode' in error) || !('command' in error))
    return false;
  const isOfMail = error.code === 'EMESSAGE' || (error.code === 'EENVELOPE' && error.command !== 'MAIL FROM');
  const code = Number(error.responseCode);
  return isOfMail && code >= 500 && !OF_LOGIN.includes(code);
}
