import type { AttachmentFiles } from '../attachments/attachmentFiles.ts';
import type { ServiceLog } from '../ground/serviceLog.ts';
import type { TlsIdentity } from '../http/tls.ts';
import type { Database } from '../store/database.ts';
import type { MailSettings } from './mailSettings.ts';

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
export interface MailRoom extends MailNeeds {
  readonly key: string;
}
