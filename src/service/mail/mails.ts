import type { Exchange } from '../http/exchange.ts';
import type { Reply } from '../http/reply.ts';
import { DeliveryFailure } from '../queue/deliveryFailure.ts';
import type { Job } from '../queue/job.ts';
import { notFound } from '../refusal.ts';
import type { MailNeeds, MailPart } from './openMail.ts';

/** Mails of one service. What makes and reads them is loaded when the first one is needed. */
export interface Mails {
  /** For the queue: throws `DeliveryFailure`. */
  deliver(job: Job): Promise<void>;
  answerPreferences(exchange: Exchange): Promise<Reply>;
  /** Where replies are taken, if that is asked for. */
  takeReplies(): Promise<string | undefined>;
  stop(): Promise<void>;
}

/** Where recipients say which mails they want. */
export const PREFERENCES_PATH = '/mail/preferences';

export const NO_MAIL_PART =
  'This copy of the service came without mail.js, its part for mail. Take the whole service: `npm run build` leaves both in dist.';

/** A service that sends no mails: the editor's own, in which one person works. */
export const noMails: Mails = {
  deliver: async () => undefined,
  answerPreferences: async () => {
    throw notFound('There is nothing at this address.');
  },
  takeReplies: async () => undefined,
  stop: async () => undefined,
};

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
    answerPreferences: async (exchange) => (await loaded()).answerPreferences(exchange),
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
