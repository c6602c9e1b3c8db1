import { notFound } from '../ground/errors.ts';
import type { Reply } from '../http/reply.ts';
import type { TlsIdentity } from '../http/tls.ts';
import type { Job } from '../store/jobs/queues.ts';

/** Mails of one service. What makes and reads them is loaded when the first one is needed. */
export interface Mails {
  /** Whether they go out to a mail server, rather than into files. */
  readonly areSent: boolean;
  /** For the queue: throws `DeliveryFailure`, soon after `signal` aborts. */
  deliver(job: Job, signal: AbortSignal): Promise<void>;
  answerPreferences(request: PreferencesRequest): Promise<Reply>;
  /** Where replies are taken, if that is asked for. */
  takeReplies(): Promise<string | undefined>;
  /** For replies that come from now on, if they are taken over TLS. */
  useTls(identity: TlsIdentity): void;
  stop(): Promise<void>;
}

/** A request to `PREFERENCES_PATH`. */
export interface PreferencesRequest {
  /** GET also for HEAD. */
  readonly method: string;
  readonly query: URLSearchParams;
  /** What `read` makes of the form that was sent, of which it keeps nothing else. */
  readonly form: <T>(read: (form: URLSearchParams) => T) => Promise<T>;
}

/** Where recipients say which mails they want. */
export const PREFERENCES_PATH = '/mail/preferences';

/** A service that sends no mails: the editor's own, in which one person works. */
export const noMails: Mails = {
  areSent: false,
  deliver: async () => undefined,
  answerPreferences: async () => {
    throw notFound('There is nothing at this address.');
  },
  takeReplies: async () => undefined,
  useTls: () => undefined,
  stop: async () => undefined,
};
