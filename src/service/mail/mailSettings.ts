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
