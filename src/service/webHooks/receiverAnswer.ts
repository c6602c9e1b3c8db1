import type { IncomingMessage } from 'node:http';
import { DeliveryFailure } from '../queue/deliveryFailure.ts';
import { restAskedFor } from './restAskedFor.ts';

/** Bytes of an answer that are read, for the receiver's sake: what they say is of no interest. */
const READ_OF_ANSWER = 64 * 1024;

/** Whatever comes after the head changes nothing; a receiver that goes on for ever is cut off. */
export function drained(answer: IncomingMessage, time: number): Promise<void> {
  return new Promise((resolve) => {
    let left = READ_OF_ANSWER;
    const late = setTimeout(resolve, time);
    answer
      .on('data', (chunk: Buffer) => {
        left -= chunk.length;
        if (left < 0) answer.destroy();
      })
      .on('error', () => undefined)
      .once('close', () => {
        clearTimeout(late);
        resolve();
      });
  });
}

/** Throws `DeliveryFailure` for all but 2xx, with the rest that the receiver asks for. */
export function refuseStatus({ statusCode = 0, headers }: IncomingMessage): void {
  if (statusCode >= 200 && statusCode < 300) return;
  const redirects = statusCode >= 300 && statusCode < 400 ? '; redirects are not followed' : '';
  const restFor = restAskedFor(headers['retry-after'], Date.now());
  throw new DeliveryFailure(`The receiver answered ${statusCode}${redirects}.`, { restFor });
}
