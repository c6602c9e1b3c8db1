import { open } from 'node:fs/promises';
import { TextDecoder } from 'node:util';

/**
 * The text of a table, in pieces: UTF-8, or UTF-16 where it begins by saying so. Throws for other encodings, which spreadsheets
 * write too, since what cannot be read would be lost.
 */
export async function* csvText(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  for await (const chunk of bytes) {
    decoder ??= new TextDecoder(encodingOf(chunk), { fatal: true });
    yield decoded(decoder, chunk);
  }
  if (decoder) yield decoded(decoder);
}

/** The first line of a table, or as much of it as a few thousand bytes hold. */
export async function firstLine(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4096), 0, 4096, 0);
    const bytes = buffer.subarray(0, bytesRead);
    return new TextDecoder(encodingOf(bytes)).decode(bytes).split(/\r?\n/, 1)[0] ?? '';
  } finally {
    await file.close();
  }
}

function encodingOf(start: Uint8Array): string {
  return start[0] === 0xff && start[1] === 0xfe ? 'utf-16le' : 'utf-8';
}

function decoded(decoder: TextDecoder, chunk?: Uint8Array): string {
  try {
    return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
  } catch {
    throw new Error('The table is not in UTF-8. Save it as "CSV UTF-8", so that no character is lost.');
  }
}
