import { isPlainObject } from '../../host/commands.ts';
import { attach } from './attach.ts';
import { type AttachCommandNeeds, storyOf } from './attachFiles.ts';
import { readyBytes } from './candidate.ts';

/** Attaches files that were pasted, as bytes with a name each, to the story of a row. */
export async function attachPasted(needs: AttachCommandNeeds, story: unknown, files: unknown): Promise<void> {
  const pasted = Array.isArray(files) ? files.flatMap(readyFile) : [];
  const found = pasted.length > 0 ? await storyOf(needs, story) : undefined;
  if (found) await attach(needs, found, pasted, 'person');
}

function readyFile(file: unknown) {
  if (!isPlainObject(file) || typeof file.name !== 'string' || !(file.bytes instanceof Uint8Array)) return [];
  return [readyBytes(file.name, file.bytes)];
}
