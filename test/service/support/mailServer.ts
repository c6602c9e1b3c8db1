import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A mail as a server got it. */
export interface ReceivedMail extends Email {
  readonly raw: string;
  readonly recipients: readonly string[];
  readonly envelopeFrom: string;
  /** Whether the connection was encrypted. */
  readonly isSecure: boolean;
}

/** The mail server of someone else, which the service hands its mails to. */
export interface MailServer {
  readonly port: number;
  readonly mails: readonly ReceivedMail[];
  /** The code with which every mail is refused from now on; none when undefined. */
  refuse(code: number | undefined): void;
  stop(): Promise<void>;
}

export async function startMailServer(options: SMTPServerOptions = {}, port = 0): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  let code: number | undefined;
  const server = new SMTPServer({
    ...{ authOptional: true, disabledCommands: ['STARTTLS', 'AUTH'], logger: false, disableReverseLookup: true },
    ...options,
    onRcptTo: (_address, _session, done) =>
      done(code === undefined ? null : Object.assign(new Error('Refused by the test'), { responseCode: code })),
    onData: async (stream, { envelope, secure }, done) => {
      const raw = await buffer(stream);
      const recipients = envelope.rcptTo.map(({ address }) => address);
      const envelopeFrom = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
      mails.push({
        ...(await PostalMime.parse(raw)),
        raw: raw.toString('latin1'),
        recipients,
        envelopeFrom,
        isSecure: secure,
      });
      done();
    },
  });
  server.on('error', () => undefined);
  server.listen(port, '127.0.0.1');
  await once(server.server, 'listening');
  const address = server.server.address() as AddressInfo;
  return {
    port: address.port,
    mails,
    refuse: (refused) => {
      code = refused;
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
