import type { MailAddress } from '../mailSettings.ts';

/** All that an assignment e-mail tells. */
export interface AssignedMail {
  /** Names this mail among all, also when it is sent a second time. */
  readonly key: string;
  /** When the story was assigned, in milliseconds since the epoch. */
  readonly at: number;
  /** Who assigned it. */
  readonly by: string;
  readonly to: MailAddress;
  readonly from: MailAddress;
  readonly project: string;
  readonly story: AssignedStory;
  /** Of the page at which the recipient turns these mails off. */
  readonly preferencesUrl: string;
  /** Where the recipient, and nobody else, comments on this story. */
  readonly replyTo?: string;
}

export interface AssignedStory {
  readonly id: number;
  readonly url: string;
  /** Absent where the project may only be talked of over TLS. */
  readonly shown?: {
    readonly name: string;
    readonly type: string;
    readonly state: string;
    readonly estimate: number | null;
    readonly description: string;
  };
}
