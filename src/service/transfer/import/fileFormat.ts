import { open } from 'node:fs/promises';

export type FileFormat = 'xml' | 'csv';

const HEAD = 256;

/** XML begins with a bracket, whatever the file is called. */
export async function formatOf(path: string): Promise<FileFormat> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD), 0, HEAD, 0);
    return /^\uFEFF?\s*</.test(buffer.toString('utf8', 0, bytesRead)) ? 'xml' : 'csv';
  } finally {
    await file.close();
  }
}
