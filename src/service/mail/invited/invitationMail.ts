import type { SendMailOptions } from 'nodemailer';
import { visibleLine } from '../../../core/text.ts';
import { invitationPath, isGoodAt, linkForMail } from '../../auth/invitations.ts';
import { escaped } from '../../http/html.ts';
import type { Tx } from '../../store/database.ts';
import type { Job } from '../../store/jobs/queues.ts';
import { invitationById } from '../../store/people/invitations.ts';
import { userById } from '../../store/people/users.ts';
import { projectById } from '../../store/projects/projects.ts';
import type { MailAddress, MailContext } from '../mailContext.ts';
import { deliverMail } from '../sendMail.ts';

/** All that an invitation by email tells. */
interface InvitationMail {
  /** Names this mail among all, also when it is sent a second time. */
  readonly key: string;
  /** When it was queued, in milliseconds since the epoch. */
  readonly at: number;
  /** Who invites. */
  readonly by: string;
  readonly to: MailAddress;
  readonly from: MailAddress;
  /** Undefined where the project may only be talked of over TLS, and for the service alone. */
  readonly project: string | undefined;
  /** Where the recipient, and nobody else, sets a password. */
  readonly url: string;
  /** Until when it works, in milliseconds since the epoch. */
  readonly until: number;
}

const LONGEST_SUBJECT = 160;
const LONGEST_NAME = 80;

/** As nodemailer takes it. Whatever people wrote is one line, and escaped in HTML. */
function invitationMail(mail: InvitationMail): SendMailOptions {
  const { from, to, by, key } = mail;
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  return {
    from: { name: visibleLine(`${by} (${from.name})`, LONGEST_NAME), address: from.address },
    to: { name: visibleLine(to.name, LONGEST_NAME), address: to.address },
    envelope: { from: from.address, to: [{ name: '', address: to.address }] },
    subject: visibleLine(invites(mail), LONGEST_SUBJECT),
    date: new Date(mail.at),
    messageId: `<${key}.invited@${domain}>`,
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    text: invitationText(mail),
    html: invitationHtml(mail),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function invites({ by, project }: InvitationMail): string {
  return `${visibleLine(by, LONGEST_NAME)} invited you to ${project === undefined ? 'Story Tracker' : visibleLine(project, 200)}`;
}

const SET = 'Set your password to join:';
const UNKNOWN = 'If you do not know the sender, ignore this email.';

function onceUntil({ until }: InvitationMail): string {
  return `The link works once, until ${new Date(until).toISOString().slice(0, 16).replace('T', ' ')} UTC.`;
}

function invitationText(mail: InvitationMail): string {
  return `${[`${invites(mail)}.`, `${SET}\n${mail.url}`, onceUntil(mail), UNKNOWN].join('\n\n')}\n`;
}

/** No images, no scripts, nothing from elsewhere. */
function invitationHtml(mail: InvitationMail): string {
  const url = escaped(mail.url);
  return `<!doctype html>
<html lang="en">
<body style="font-family:system-ui,sans-serif">
<p>${escaped(invites(mail))}.</p>
<p>${SET}<br><a href="${url}">${url}</a></p>
<p>${onceUntil(mail)}</p>
<p style="color:#767676;font-size:small">${UNKNOWN}</p>
</body>
</html>
`;
}

/** Sends the invitation of a job, with a link that is made for it; nothing when it was used or replaced or is over. */
export async function deliverInvitation(room: MailContext, job: Job, invitationId: number, signal: AbortSignal) {
  const mail = await room.database.write((tx) => mailOf(room, tx, job, invitationId));
  if (!mail) return;
  const name = `${new Date(mail.at).toISOString().replace(/[:.]/g, '-')}-invitation-${mail.key}.eml`;
  await deliverMail(room, invitationMail(mail), { told: { event: 'mail', delivery: job.deliveryId }, name }, signal);
}

async function mailOf(room: MailContext, tx: Tx, job: Job, invitationId: number): Promise<InvitationMail | undefined> {
  const now = room.clock();
  const invitation = await invitationById(tx, invitationId);
  const user = invitation && (await userById(tx, invitation.userId));
  if (!user || !isGoodAt(invitation, now)) return undefined;
  const { projectId, invitedBy, expiresAt: until } = invitation;
  const project = projectId === null ? undefined : await projectById(tx, projectId);
  const url = room.url() + invitationPath(await linkForMail(tx, invitation, now));
  return {
    ...{ key: job.deliveryId, at: job.queuedAt, by: invitedBy ?? 'An administrator', from: room.settings.from },
    to: { name: user.name, address: user.email },
    project: project?.useHttps === 0 ? project.name : undefined,
    ...{ url, until },
  };
}
