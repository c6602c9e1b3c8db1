import { randomBytes } from 'node:crypto';
import type { PreferencesRequest } from '../call/mails.ts';
import type { Reply } from '../http/reply.ts';
import type { Job } from '../store/jobs/queues.ts';
import { sharedSecret } from '../store/secrets.ts';
import { deliverAssigned } from './assigned/deliverAssigned.ts';
import { deliverInvitation } from './invited/invitationMail.ts';
import type { MailContext, MailNeeds } from './mailContext.ts';
import { answerPreferences } from './preferencesPage.ts';
import { type RunningReplies, startReplies } from './reply/replyListener.ts';

export { readMailSettings } from './readMailSettings.ts';

/** The part of the service that knows mail programs and servers. It is a bundle of its own, which the extension comes without. */
export interface MailPart {
  /** Throws `UnsentMail`. */
  deliver(job: Job, signal: AbortSignal): Promise<void>;
  answerPreferences(request: PreferencesRequest): Promise<Reply>;
  takeReplies(): Promise<RunningReplies>;
}

export async function openMail(needs: MailNeeds): Promise<MailPart> {
  const newKey = (): string => randomBytes(32).toString('base64url');
  const room: MailContext = { ...needs, key: await sharedSecret(needs.database, 'mailKey', newKey) };
  if (!needs.settings.server) {
    const message = `No SMTP server is set (--smtp), so emails are saved to ${needs.mailFolder}.`;
    needs.log({ event: 'mailFiles', message });
  }
  return {
    deliver: (job, signal) => {
      const invitationId = invitationOf(job);
      if (invitationId !== undefined) return deliverInvitation(room, job, invitationId, signal);
      return deliverAssigned(room, job, signal);
    },
    answerPreferences: (request) => answerPreferences(room, request),
    takeReplies: () => startReplies(room),
  };
}

/** The invitation that a job is to send; undefined for one of another kind. */
function invitationOf({ payload }: Job): number | undefined {
  return typeof payload === 'object' && payload && 'invitationId' in payload ? Number(payload.invitationId) : undefined;
}
