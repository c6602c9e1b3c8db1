import type { SendMailOptions } from 'nodemailer';
import { visibleLine, withoutControls } from '../../../core/text.ts';
import { escaped } from '../../http/html.ts';
import type { MailAddress } from '../mailContext.ts';

/** All that an assignment email tells. */
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

interface AssignedStory {
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

/** Characters of a line, so that programs that quote it do not break it anew. */
const WIDTH = 72;
const LONGEST_DESCRIPTION = 20_000;

/** The assignment email as plain text. */
function assignedText(mail: AssignedMail): string {
  const { story, by, project, replyTo, preferencesUrl } = mail;
  const parts = [
    ...(replyTo === undefined ? [] : [`--- ${REPLY_MARKER} ---`]),
    `${visibleLine(by, WIDTH)} assigned you a story${story.shown ? ` in ${visibleLine(project, WIDTH)}` : ''}:`,
    [...storyLines(story), story.url].join('\n'),
    ...(story.shown?.description ? [wrapped(shortened(story.shown.description))] : []),
    [
      ...(replyTo === undefined ? [] : ['Reply to this email to comment on the story.']),
      `Unsubscribe: ${preferencesUrl}`,
    ].join('\n'),
  ];
  return `${parts.join('\n\n')}\n`;
}

function storyLines({ id, shown }: AssignedStory): readonly string[] {
  if (!shown) return [`Story #${id}`];
  return [wrapped(`#${id} ${visibleLine(shown.name, 500)}`), factsOf(shown)];
}

/** `feature, unstarted, 3 points` */
function factsOf({ type, state, estimate }: NonNullable<AssignedStory['shown']>): string {
  const points = estimate === null ? [] : [`${estimate} ${estimate === 1 ? 'point' : 'points'}`];
  return [visibleLine(type, 40), visibleLine(state, 40), ...points].join(', ');
}

function shortened(description: string): string {
  const text = withoutControls(description.slice(0, LONGEST_DESCRIPTION)).trim();
  return description.length > LONGEST_DESCRIPTION ? `${text}…` : text;
}

function wrapped(text: string): string {
  return text.split('\n').map(wrappedLine).join('\n');
}

/** Words longer than a line, such as addresses, stay whole. */
function wrappedLine(line: string): string {
  const lines: string[] = [];
  let current: string | undefined;
  for (const word of line.trimEnd().split(' ')) {
    const longer: string = current === undefined ? word : `${current} ${word}`;
    if (current === undefined || longer.length <= WIDTH) {
      current = longer;
    } else {
      lines.push(current);
      current = word;
    }
  }
  return [...lines, current ?? ''].join('\n');
}

/** The assignment email as HTML: no images, no scripts, nothing from elsewhere. */
function assignedHtml(mail: AssignedMail): string {
  const { story, by, project, replyTo, preferencesUrl } = mail;
  const { shown } = story;
  const title = shown ? `#${story.id} ${visibleLine(shown.name, 500)}` : `Story #${story.id}`;
  const where = shown ? ` in ${escaped(visibleLine(project, 200))}` : '';
  return `<!doctype html>
<html lang="en">
<body style="font-family:system-ui,sans-serif">
${replyTo === undefined ? '' : `<p style="color:#767676;font-size:small">--- ${REPLY_MARKER} ---</p>\n`}<p>${escaped(visibleLine(by, 200))} assigned you a story${where}:</p>
<p><a href="${escaped(story.url)}"><b>${escaped(title)}</b></a>${shown ? `<br>${escaped(factsOf(shown))}` : ''}</p>
${shown?.description ? `<div style="white-space:pre-wrap">${escaped(shortened(shown.description))}</div>\n` : ''}<p style="color:#767676;font-size:small">${replyTo === undefined ? '' : 'Reply to this email to comment on the story.<br>'}<a href="${escaped(preferencesUrl)}">Unsubscribe</a></p>
</body>
</html>
`;
}

/** Stands above what a mail says, so that a reply shows where its quoting begins, whatever program and language it was written in. */
const REPLY_MARKER = 'Write your reply above this line';

/** Whether a line, quoted or not, is the marker. */
export function isReplyMarker(line: string): boolean {
  return line.includes(REPLY_MARKER);
}

/** Characters of a subject. */
const LONGEST_SUBJECT = 160;
const LONGEST_NAME = 80;

/** The assignment email as nodemailer takes it. Whatever people wrote is one line in a header and escaped in HTML. */
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
function messageId({ story, key }: Pick<AssignedMail, 'story' | 'key'>, domain: string): string {
  return `<story-${story.id}.${key}.assigned@${domain}>`;
}

function subject({ by, story }: AssignedMail): string {
  return story.shown ? `#${story.id} ${story.shown.name}` : `${by} assigned story #${story.id} to you`;
}
