import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, unlink } from 'node:fs/promises';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { messageOf } from '../../../core/errors.ts';
import type { MailServer } from '../mailContext.ts';

/** Milliseconds. */
const PATIENCE = { connectionTimeout: 20_000, greetingTimeout: 20_000, socketTimeout: 60_000, dnsTimeout: 20_000 };
/** Milliseconds for one mail, so that a server which goes on and on says nothing for ever. */
const LONGEST = 5 * 60_000;

/** What a server answers to who has not signed in as it wants (RFC 4954, 6). */
const OF_LOGIN = [530, 534, 535, 538];

/** A mail that did not go out, in words that name no secrets. */
export class UnsentMail extends Error {
  override readonly name = 'UnsentMail';
  /** The server will never take this mail; trying again is of no use. */
  readonly isFinal: boolean;

  constructor(cause: unknown) {
    super(messageOf(cause), { cause });
    this.isFinal = isRefusal(cause);
  }
}

/** Hands a mail over to the server. Throws `UnsentMail`, at once when `signal` aborts. */
export async function sendMail(server: MailServer, mail: SendMailOptions, signal: AbortSignal): Promise<void> {
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
    const broken = (): void => reject(new Error('It took too long, and was broken off.'));
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

/**
 * Writes a mail as a file that mail programs open, for its owner only; the same mail to the same file. Complete and on disk when
 * this resolves.
 */
export async function writeMailFile(folder: string, name: string, mail: SendMailOptions): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { message } = await createTransport({ streamTransport: true, buffer: true, newline: 'windows' }).sendMail(mail);
  if (!Buffer.isBuffer(message)) throw new Error('The mail was not composed.');
  const path = join(folder, name);
  const draft = join(folder, `.${randomBytes(8).toString('hex')}`);
  try {
    await writeOwn(draft, message);
    await rename(draft, path);
  } catch (error) {
    await unlink(draft).catch(() => undefined);
    throw error;
  }
  return path;
}

async function writeOwn(path: string, bytes: Buffer): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}
