import type { AddressInfo } from 'node:net';
import {
  SMTPServer,
  type SMTPServerAddress,
  type SMTPServerDataStream,
  type SMTPServerOptions,
  type SMTPServerSession,
} from 'smtp-server';
import { messageOf } from '../../../core/errors.ts';
import { FairLock } from '../../ground/fairQueue.ts';
import { callerOf } from '../../http/clientAddress.ts';
import { isLoopback } from '../../http/hostNames.ts';
import type { TlsIdentity } from '../../http/tls.ts';
import type { MailContext } from '../mailContext.ts';
import { MailReader } from './mailReader.ts';
import { MailSpool } from './mailSpool.ts';
import { MailRefusal, type ReplyRecipient, replyRecipient } from './refusedMail.ts';
import { takeReply } from './takeReply.ts';

export interface RunningReplies {
  readonly host: string;
  readonly port: number;
  /** For connections from now on. */
  useTls(identity: TlsIdentity): void;
  /** Waits for the mails that are being taken. */
  stop(): Promise<void>;
}

/** Bytes of one mail, with its files as they are written in it. */
const LONGEST_MAIL = 32 * 1024 * 1024;
/** Of bytes in files, so that a large mail may wait while others are read. */
const SPOOL_LIMITS = {
  longest: LONGEST_MAIL,
  short: 1024 * 1024,
  mostOfOne: 4 * LONGEST_MAIL,
  most: 16 * LONGEST_MAIL,
  readOn: 4 * 1024 * 1024,
} as const;
const MOST_CONNECTIONS = 50;
/** Bytes of one command, far more than an address and its parameters take (RFC 5321, 4.5.3.1). */
const LONGEST_COMMAND = 2_048;
/** Commands of one connection that are refused before it is closed, each of which is a line of the log. */
const MOST_REFUSALS = 100;
/** Milliseconds without a byte, and for which one connection lasts. */
const IDLE = 60_000;
const LONGEST_CONNECTION = 10 * 60_000;
const STOP_PATIENCE = 5_000;

/** Takes replies over SMTP. It is nobody's mail server: it knows no addresses but those that were given out. */
export async function startReplies(room: MailContext): Promise<RunningReplies> {
  const listener = new ReplyListener(room);
  const { host, port } = room.settings.replies ?? { host: '127.0.0.1', port: 0 };
  const taken = await listener.listen(host, port).catch((cause: unknown) => {
    throw new Error(`Could not receive replies on port ${port} of ${host}: ${messageOf(cause)}.`, { cause });
  });
  const useTls = (identity: TlsIdentity): void => listener.useTls(identity);
  return { host, port: taken, useTls, stop: () => listener.stop() };
}

class ReplyListener {
  private readonly room: MailContext;
  private readonly spool: MailSpool;
  private readonly reader = new MailReader();
  private readonly turns = new FairLock();
  private readonly recipients = new WeakMap<SMTPServerSession, ReplyRecipient>();
  private readonly refusals = new WeakMap<SMTPServerSession, number>();
  private readonly server: SMTPServer;
  private readonly sweeper: NodeJS.Timeout;

  constructor(room: MailContext) {
    this.room = room;
    this.spool = new MailSpool(room.mailFolder, SPOOL_LIMITS);
    this.server = new SMTPServer(this.options());
    this.server.on('error', (error) => room.log({ event: 'error', during: 'mail replies', message: messageOf(error) }));
    this.sweeper = this.endOldConnections();
  }

  async listen(host: string, port: number): Promise<number> {
    const { server } = this.server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      this.server.listen(port, host, () => resolve());
    });
    const address: AddressInfo | string | null = server.address();
    if (address === null || typeof address === 'string') throw new Error('The service does not listen for mail.');
    return address.port;
  }

  useTls({ cert, key }: TlsIdentity): void {
    this.server.updateSecureContext({ cert, key });
  }

  async stop(): Promise<void> {
    clearInterval(this.sweeper);
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
    await this.reader.stop();
  }

  private options(): SMTPServerOptions {
    const { tls } = this.room;
    return {
      banner: 'Story Tracker receives replies to its emails here',
      disabledCommands: tls ? ['AUTH'] : ['AUTH', 'STARTTLS'],
      ...(tls && { cert: tls.cert, key: tls.key }),
      disableReverseLookup: true,
      logger: false,
      size: LONGEST_MAIL,
      maxCommandLength: LONGEST_COMMAND,
      maxClients: MOST_CONNECTIONS,
      socketTimeout: IDLE,
      closeTimeout: STOP_PATIENCE,
      onMailFrom: (address, session, done) => settle(this.told(session, this.sender(address)), done),
      onRcptTo: (address, session, done) => settle(this.told(session, this.recipient(address, session)), done),
      onData: (stream, session, done) => {
        settle(this.data(stream, session), (error) => {
          done(error);
          if (!stream.readableEnded) this.close(session);
        });
      },
    };
  }

  /** Reports on mails come from nobody; answering one would begin a loop (RFC 3834). What is announced as too much is not sent in vain. */
  private async sender({ address, args }: SMTPServerAddress): Promise<void> {
    if (address === '') throw new MailRefusal(550, '5.7.1', 'Only emails written by a person become comments.');
    const { SIZE: announced = 0 } = args || {};
    this.spool.refuseBeyondRoom(Number(announced));
  }

  private async recipient({ address }: SMTPServerAddress, session: SMTPServerSession): Promise<void> {
    if (session.envelope.rcptTo.length > 0) throw new MailRefusal(452, '4.5.3', 'One recipient at a time.');
    this.recipients.set(session, await replyRecipient(this.room, address));
  }

  private async data(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> {
    const recipient = this.recipients.get(session);
    if (!recipient) throw new MailRefusal(503, '5.5.1', 'Send RCPT TO first.');
    const sender = callerOf(recipient.user.id);
    const mail = await this.told(session, this.spool.receive(stream, sender));
    try {
      const isPrivate = session.secure || isLoopback(session.remoteAddress);
      const taking = this.turns.take(sender, () =>
        takeReply(this.room, recipient, this.reader.read(mail.path), isPrivate),
      );
      this.room.log({ event: 'mailReply', story: recipient.storyId, outcome: await this.told(session, taking) });
    } finally {
      await mail.remove();
    }
  }

  /** For a sender that was answered before all of the mail was there: the rest is not read. */
  private close(session: SMTPServerSession): void {
    for (const connection of this.server.connections) if (connection.session === session) connection.close();
  }

  /** Hides from the sender what only we can mend, and keeps it in the log; mail systems try again after it. */
  private async told<T>(session: SMTPServerSession, work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (error instanceof MailRefusal) {
        this.room.log({ event: 'mailReply', outcome: 'refused', from: session.remoteAddress, message: error.message });
        throw this.isTiresome(session)
          ? new MailRefusal(421, '4.7.0', 'Too much was refused on this connection.')
          : error;
      }
      const message = error instanceof Error ? (error.stack ?? error.message) : messageOf(error);
      this.room.log({ event: 'error', during: 'mail replies', message });
      throw new MailRefusal(451, '4.3.0', 'This email cannot be accepted right now. Try again later.');
    }
  }

  private isTiresome(session: SMTPServerSession): boolean {
    const count = (this.refusals.get(session) ?? 0) + 1;
    this.refusals.set(session, count);
    return count >= MOST_REFUSALS;
  }

  /** A sender that only means to keep a connection busy is cut off. */
  private endOldConnections(): NodeJS.Timeout {
    const since = new WeakMap<object, number>();
    const sweep = (): void => {
      for (const connection of this.server.connections) {
        const begun = since.get(connection) ?? performance.now();
        since.set(connection, begun);
        if (performance.now() - begun > LONGEST_CONNECTION) connection.close();
      }
    };
    return setInterval(sweep, IDLE).unref();
  }
}

function settle(work: Promise<void>, done: (error?: Error | null) => void): void {
  work.then(
    () => done(),
    (error: unknown) => done(error instanceof Error ? error : new Error(messageOf(error))),
  );
}
