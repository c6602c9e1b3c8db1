const CHUNK = 64 * 1024;

/** A body as a socket hands it over: in chunks of 64 KiB. */
export async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += CHUNK) yield bytes.subarray(start, start + CHUNK);
}
