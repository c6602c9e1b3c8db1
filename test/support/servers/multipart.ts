import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Busboy } from '@fastify/busboy';

/** The one file of a multipart request, as a parser of someone else understands it. */
export function busboy(
  request: IncomingMessage,
): Promise<{ field: string; filename: string; size: number; hash: string }> {
  return new Promise((resolve, reject) => {
    const headers = { ...request.headers, 'content-type': request.headers['content-type'] ?? '' };
    const parser = new Busboy({ headers });
    parser.on('file', (field, stream, filename) => {
      const hash = createHash('sha256');
      let size = 0;
      stream.on('data', (chunk: Buffer) => {
        size += chunk.length;
        hash.update(chunk);
      });
      stream.on('end', () => resolve({ field, filename, size, hash: hash.digest('hex') }));
    });
    parser.on('error', reject);
    request.on('error', reject);
    request.pipe(parser);
  });
}
