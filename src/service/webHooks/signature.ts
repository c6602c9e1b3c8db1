import { createHmac } from 'node:crypto';
import { WEB_HOOK_DELIVERY_HEADER, WEB_HOOK_SIGNATURE_HEADER, WEB_HOOK_TIME_HEADER } from '../../v3/assumptions.ts';

export interface SignedPost {
  readonly deliveryId: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly body: string;
  /** Nothing is signed without one. */
  readonly secret: string | undefined;
}

/**
 * The headers by which a receiver tells what it had already and, with the project's secret, that it comes from here: the signature is
 * over delivery, time in seconds and body, with a dot between them, so that none of them can be put to other use.
 */
export function deliveryHeaders({ deliveryId, now, body, secret }: SignedPost): Readonly<Record<string, string>> {
  const seconds = String(Math.floor(now / 1000));
  const told = { [WEB_HOOK_DELIVERY_HEADER]: deliveryId, [WEB_HOOK_TIME_HEADER]: seconds };
  if (secret === undefined) return told;
  const signature = createHmac('sha256', secret).update(`${deliveryId}.${seconds}.${body}`).digest('hex');
  return { ...told, [WEB_HOOK_SIGNATURE_HEADER]: `sha256=${signature}` };
}
