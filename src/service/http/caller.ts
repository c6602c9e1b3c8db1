import type { IncomingMessage } from 'node:http';

/** Ends long work that nobody waits for any more. */
export class CallerGone extends Error {
  override readonly name = 'CallerGone';

  constructor() {
    super('The caller went away.');
  }
}

/** Whether nobody is left to take the answer to a request. */
function isGone({ socket }: Pick<IncomingMessage, 'socket'>): boolean {
  return socket.destroyed;
}

/** Throws `CallerGone` when nobody is left to take the answer. */
export function requireCaller(request: Pick<IncomingMessage, 'socket'>): void {
  if (isGone(request)) throw new CallerGone();
}
