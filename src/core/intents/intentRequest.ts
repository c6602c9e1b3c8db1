import type { Intent } from './intent.ts';

/** What is sent for an intent; what says who sends it, a token above all, is no part of it. */
export interface IntentRequest {
  readonly method: string;
  /** Below the server's address, with the query where there is one. */
  readonly path: string;
  /** XML, to the letter; absent where the request has none. */
  readonly body?: string;
}

/** Tells beforehand what would be sent. */
export interface IntentRequests {
  requestFor(projectId: number, intent: Intent): Promise<IntentRequest>;
}
