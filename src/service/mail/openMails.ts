import { DeliveryFailure } from '../queue/deliveryFailure.ts';
import type { MailNeeds } from './mailRoom.ts';
import type { Mails } from './mails.ts';
import type { MailPart } from './openMail.ts';

const NO_MAIL_PART =
  'This copy of the service came without mail.js, its part for mail. Take the whole service: `npm run build` leaves both in dist.';

/** Mails of a service that sends some. */
export function openMails(needs: MailNeeds): Mails {
  let part: Promise<MailPart> | undefined;
  let stop = async (): Promise<void> => undefined;
  const loaded = (): Promise<MailPart> => {
    part ??= mailModule().then(({ openMail }) => openMail(needs));
    part.catch(() => {
      part = undefined;
    });
    return part;
  };
  return {
    deliver: async (job) => {
      const { deliver } = await loaded();
      await deliver(job).catch(deliveryFailed);
    },
    answerPreferences: async (request) => (await loaded()).answerPreferences(request),
    takeReplies: async () => {
      if (!needs.settings.replies) return undefined;
      const replies = await (await loaded()).takeReplies();
      stop = replies.stop;
      return `${replies.host}:${replies.port}`;
    },
    stop: () => stop(),
  };
}

/** The extension's own copy of the service has no use for this part and comes without. */
export function mailModule(): Promise<typeof import('./openMail.ts')> {
  return import('./openMail.ts').catch((error: unknown) => {
    const isMissing = error instanceof Error && 'code' in error && String(error.code).endsWith('MODULE_NOT_FOUND');
    throw isMissing ? new DeliveryFailure(NO_MAIL_PART, { cause: error }) : error;
  });
}

/** What a mail server says may be kept, since it speaks of the mail and not of what opens it. */
function deliveryFailed(error: unknown): never {
  if (!(error instanceof Error)) throw error;
  throw new DeliveryFailure(error.message, { isFinal: error.name === 'RefusedMail', cause: error });
}
