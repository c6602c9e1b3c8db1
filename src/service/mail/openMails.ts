import { messageOf } from '../../core/errors.ts';
import type { Mails } from '../call/mails.ts';
import { missingPart } from '../ground/errors.ts';
import { DeliveryFailure } from '../queue/jobHandler.ts';
import type { MailNeeds } from './mailContext.ts';
import type { MailPart } from './openMail.ts';
import type { RunningReplies } from './reply/replyListener.ts';

/** Mails of a service that sends some. */
export function openMails(needs: MailNeeds): Mails {
  let part: Promise<MailPart> | undefined;
  let replies: RunningReplies | undefined;
  const loaded = (): Promise<MailPart> => {
    part ??= mailModule().then(({ openMail }) => openMail(needs));
    part.catch(() => {
      part = undefined;
    });
    return part;
  };
  return {
    areSent: needs.settings.server !== undefined,
    deliver: async (job, signal) => {
      const { deliver } = await loaded().catch(notLoaded);
      await deliver(job, signal).catch(deliveryFailed);
    },
    answerPreferences: async (request) => (await loaded()).answerPreferences(request),
    takeReplies: async () => {
      if (!needs.settings.replies) return undefined;
      replies = await (await loaded()).takeReplies();
      const host = replies.host.includes(':') ? `[${replies.host}]` : replies.host;
      return `${host}:${replies.port}`;
    },
    useTls: (identity) => replies?.useTls(identity),
    stop: async () => replies?.stop(),
  };
}

/** What says that a part is missing says what to do about it, so it is kept. */
function notLoaded(error: unknown): never {
  throw new DeliveryFailure(messageOf(error), { cause: error });
}

/** The part itself. Throws a sentence where it is missing. */
export function mailModule(): Promise<typeof import('./openMail.ts')> {
  return import('./openMail.ts').catch(missingPart('mail.js', 'for mail'));
}

/** By name, since the part has classes of its own. */
function deliveryFailed(error: unknown): never {
  if (!(error instanceof Error) || error.name !== 'UnsentMail') throw error;
  throw new DeliveryFailure(error.message, { isFinal: 'isFinal' in error && error.isFinal === true, cause: error });
}
