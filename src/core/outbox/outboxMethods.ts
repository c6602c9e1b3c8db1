import type { Outbox } from './outbox.ts';

const all: Readonly<Record<keyof Outbox, true>> = {
  add: true,
  outcome: true,
  entries: true,
  retry: true,
  discard: true,
  withdraw: true,
  attend: true,
  follow: true,
};

/** Every call of `Outbox` by name; the compiler keeps it whole. */
export const outboxMethods = Object.keys(all) as readonly (keyof Outbox)[];
