import { randomBytes } from 'node:crypto';
import type { AttachmentFiles } from '../attachments/attachmentFiles.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Reply } from '../http/reply.ts';
import type { Job } from '../queue/job.ts';
import type { ServiceLog } from '../serviceLog.ts';
import type { Database } from '../store/database.ts';
import { sharedSecret } from '../store/secrets.ts';
import { deliverAssigned } from './deliverAssigned.ts';
import type { MailSettings } from './mailSettings.ts';
import { answerPreferences } from './preferencesPage.ts';
import { type RunningReplies, startReplies } from './reply/replyListener.ts';

export { readMailSettings } from './readMailSettings.ts';

/** What mails are made of and replies become. */
export interface MailNeeds {
  readonly database: Database;
  readonly files: AttachmentFiles;
  /** Bytes of one attachment. */
  readonly maxUpload: number;
  readonly log: ServiceLog;
  readonly clock: () => number;
  /** Where mails are written to that no server is named for. */
  readonly mailFolder: string;
  /** By which people reach this service, with base path and without a slash at the end. */
  readonly url: () => string;
  readonly settings: MailSettings;
}

/** The same with the key that all processes on this data sign addresses with. */
export interface MailRoom extends MailNeeds {
  readonly key: string;
}

/** The part of the service that knows mail programs and servers. It is a bundle of its own, which the extension comes without. */
export interface MailPart {
  /** Throws `RefusedMail`, by name, for a mail that will never be taken. */
  deliver(job: Job): Promise<void>;
  answerPreferences(exchange: Exchange): Promise<Reply>;
  takeReplies(): Promise<RunningReplies>;
}

export async function openMail(needs: MailNeeds): Promise<MailPart> {
  const newKey = (): string => randomBytes(32).toString('base64url');
  const room: MailRoom = { ...needs, key: await needs.database.write((tx) => sharedSecret(tx, 'mailKey', newKey)) };
  if (!needs.settings.server) {
    const message = `No SMTP server is named (--smtp), so mails are written to ${needs.mailFolder}.`;
    needs.log({ event: 'mailFiles', message });
  }
  return {
    deliver: (job) => deliverAssigned(room, job),
    answerPreferences: (exchange) => answerPreferences(room, exchange),
    takeReplies: () => startReplies(room),
  };
}
