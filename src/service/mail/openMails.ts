import { missingPart } from '../missingPart.ts';
import { DeliveryFailure } from '../queue/deliveryFailure.ts';
import type { MailNeeds } from './mailRoom.ts';
import type { Mails } from './mails.ts';
import type { MailPart } from './openMail.ts';

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
      await loaded()
        .then(({ deliver }) => deliver(job))
        .catch(deliveryFailed);
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

export function mailModule(): Promise<typeof import('./openMail.ts')> {
  return import('./openMail.ts').catch(missingPart('mail.js', 'for mail'));
}

/** What a mail server says may be kept, since it speaks of the mail and not of what opens it. */
function deliveryFailed(error: unknown): never {
  if (!(error instanceof Error)) throw error;
  throw new DeliveryFailure(error.message, { isFinal: error.name === 'RefusedMail', cause: error });
}
