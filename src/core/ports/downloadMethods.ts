import type { Downloads } from './outgoingFiles.ts';

const all: Readonly<Record<keyof Downloads, true>> = { beginning: true, save: true };

/** Every call of `Downloads` by name; the compiler keeps it whole. */
export const downloadMethods = Object.keys(all) as readonly (keyof Downloads)[];
