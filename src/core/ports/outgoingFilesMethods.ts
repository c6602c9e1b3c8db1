import type { OutgoingFiles } from './outgoingFiles.ts';

const all: Readonly<Record<keyof OutgoingFiles, true>> = {
  secretsIn: true,
  filesBelow: true,
  zip: true,
  discard: true,
};

/** Every call of `OutgoingFiles` by name; the compiler keeps it whole. */
export const outgoingFilesMethods = Object.keys(all) as readonly (keyof OutgoingFiles)[];
