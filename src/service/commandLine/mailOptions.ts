import type { MailSettings } from '../mail/mailSettings.ts';
import { mailModule } from '../mail/openMails.ts';
import type { GivenMail } from '../mail/readMailSettings.ts';

/** The options of `serve` by which mails go out and replies come in. */
export const mailOptions = {
  smtp: {
    type: 'string',
    value: 'URL',
    help: 'server that mails are handed to, such as smtp://user@mail.example.org:587 or smtps://mail.example.org; with STARTTLS unless it is on this machine or the address ends with ?tls=offered or ?tls=never. The password comes from SMTP_PASSWORD. Without a server mails are files in the data folder',
  },
  'smtp-password-file': { type: 'string', value: 'FILE', help: 'file of the password for --smtp' },
  'mail-from': { type: 'string', value: 'ADDRESS', help: 'what mails are from' },
  'reply-domain': { type: 'string', value: 'DOMAIN', help: 'offer addresses of this domain for replies' },
  'reply-port': { type: 'string', value: 'NUMBER', help: 'port to take replies on, over SMTP; 0 takes a free one' },
  'reply-host': { type: 'string', value: 'NAME', help: 'address to take replies on', usually: '127.0.0.1' },
} as const;

/** How mails are sent and taken, if any option says so. Throws `UsageError`. */
export async function readMail(given: GivenMail): Promise<{ readonly mail?: MailSettings }> {
  const names = Object.keys(mailOptions) as readonly (keyof GivenMail)[];
  if (names.every((name) => given[name] === undefined)) return {};
  const { readMailSettings } = await mailModule();
  return { mail: await readMailSettings(given, process.env) };
}
