import { isPlainObject } from '../../../host/shell/commands.ts';
import { attach } from './attach.ts';
import { type AttachCommandNeeds, storyOf } from './attachFiles.ts';
import { type Ready, readyBytes, tooLargeForMemory, type Unusable } from '../prepare/candidate.ts';

/** Attaches files that were pasted, as bytes with a name each, to the story of a row. */
export async function attachPasted(needs: AttachCommandNeeds, story: unknown, files: unknown): Promise<void> {
  const pasted = Array.isArray(files) ? files.flatMap(readyFile) : [];
  const found = pasted.length > 0 ? await storyOf(needs, story) : undefined;
  if (found) await attach(needs, found, pasted, 'person');
}

function readyFile(file: unknown): readonly (Ready | Unusable)[] {
  if (!isPlainObject(file) || typeof file.name !== 'string') return [];
  if (file.bytes instanceof Uint8Array) return [readyBytes(file.name, file.bytes)];
  return typeof file.size === 'number' ? [tooLargeForMemory(file.name, file.size)] : [];
}
