import type { AttachmentFiles } from '../attachments/attachmentFiles.ts';
import type { ServiceLog } from '../ground/background.ts';
import type { TlsIdentity } from '../http/tls.ts';
import type { Database } from '../store/database.ts';

/** How this service sends mails and takes replies to them. */
export interface MailSettings {
  /** Where mails are handed over; without one they are written to files. */
  readonly server?: MailServer;
  /** What mails are from. */
  readonly from: MailAddress;
  /** Behind the `@` of the addresses to which mails are answered; none are offered without it. */
  readonly replyDomain?: string;
  /** Where this process takes the answers; another one may. */
  readonly replies?: { readonly host: string; readonly port: number };
}

/** Mails are files, for who looks at what would be sent. */
export const MAIL_FILES: MailSettings = { from: { name: 'Story Tracker', address: 'story-tracker@localhost' } };

export interface MailAddress {
  readonly name: string;
  readonly address: string;
}

export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** From the first byte; by STARTTLS, without which nothing is sent; by STARTTLS where it is offered; not at all. */
  readonly tls: 'implicit' | 'required' | 'offered' | 'never';
  readonly user?: string;
  readonly password?: string;
}

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
  /** With what this service proves who it is, if it speaks TLS. */
  readonly tls?: TlsIdentity | undefined;
}

/** The same with the key that all processes on this data sign addresses with. */
export interface MailContext extends MailNeeds {
  readonly key: string;
}
