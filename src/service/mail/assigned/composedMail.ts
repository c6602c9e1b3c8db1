import type { SendMailOptions } from 'nodemailer';
import { visibleLine } from '../../../core/visibleText.ts';
import { assignedHtml } from './assignedHtml.ts';
import type { AssignedMail } from './assignedMail.ts';
import { assignedText } from './assignedText.ts';

/** Characters of a subject. */
const LONGEST_SUBJECT = 160;
const LONGEST_NAME = 80;

/** The assignment e-mail as nodemailer takes it. Whatever people wrote is one line in a header and escaped in HTML. */
export function composedMail(mail: AssignedMail): SendMailOptions {
  const { from, to, story, replyTo } = mail;
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  return {
    from: { name: visibleLine(`${mail.by} (${from.name})`, LONGEST_NAME), address: from.address },
    to: { name: visibleLine(to.name, LONGEST_NAME), address: to.address },
    envelope: { from: from.address, to: [{ name: '', address: to.address }] },
    ...(replyTo !== undefined && { replyTo: { name: visibleLine(from.name, LONGEST_NAME), address: replyTo } }),
    subject: visibleLine(subject(mail), LONGEST_SUBJECT),
    date: new Date(mail.at),
    messageId: messageId(mail, domain),
    references: [`<story-${story.id}@${domain}>`],
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      'List-Unsubscribe': `<${mail.preferencesUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
    text: assignedText(mail),
    html: assignedHtml(mail),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** The same however often the mail is sent, so that receivers can tell. */
export function messageId({ story, key }: Pick<AssignedMail, 'story' | 'key'>, domain: string): string {
  return `<story-${story.id}.${key}.assigned@${domain}>`;
}

function subject({ by, story }: AssignedMail): string {
  return story.shown ? `#${story.id} ${story.shown.name}` : `${by} gave you story #${story.id}`;
}
