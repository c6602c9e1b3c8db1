import { createTransport, type SendMailOptions } from 'nodemailer';
import type { MailServer } from './mailSettings.ts';

/** Milliseconds. */
const PATIENCE = { connectionTimeout: 20_000, greetingTimeout: 20_000, socketTimeout: 60_000, dnsTimeout: 20_000 };

/** The server will never take this mail; trying again is of no use. */
export class RefusedMail extends Error {
  override readonly name = 'RefusedMail';
}

/** Hands a mail over to the server. Throws `RefusedMail`, or what went wrong for now. */
export async function sendMail(server: MailServer, mail: SendMailOptions): Promise<void> {
  const { host, port, tls, user, password } = server;
  const transport = createTransport({
    ...{ host, port, secure: tls === 'implicit', requireTLS: tls === 'required', ignoreTLS: tls === 'never' },
    // Any encryption is better than none; where it is required, the server has to prove who it is.
    ...(tls === 'offered' && { tls: { rejectUnauthorized: false } }),
    ...(user !== undefined && { auth: { user, pass: password ?? '' } }),
    ...PATIENCE,
  });
  try {
    await transport.sendMail(mail);
  } catch (error) {
    if (isRefusal(error)) throw new RefusedMail(error.message, { cause: error });
    throw error;
  } finally {
    transport.close();
  }
}

/** What is said of the recipient or the mail itself; a login that fails may be mended. */
function isRefusal(error: unknown): error is Error {
  if (!(error instanceof Error) || !('code' in error) || !('responseCode' in error)) return false;
  const isOfMail = error.code === 'EENVELOPE' || error.code === 'EMESSAGE';
  return isOfMail && Number(error.responseCode) >= 500;
}
