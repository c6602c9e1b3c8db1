import type { History } from './history.ts';

const all: Readonly<Record<keyof History, true>> = { commits: true, commitsNamed: true, commitUrl: true };

/** Every call of `History` by name; the compiler keeps it whole. */
export const historyMethods = Object.keys(all) as readonly (keyof History)[];
