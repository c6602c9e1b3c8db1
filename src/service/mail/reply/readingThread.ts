import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { messageOf } from '../../../core/errors.ts';
import { type IncomingMail, pages, readMail } from './incomingMail.ts';

/** What came of a mail: what is in it, or why it cannot be read. */
export type ReadAnswer =
  | { readonly mail: IncomingMail; readonly failure?: undefined }
  | { readonly mail?: undefined; readonly failure: string };

/** The thread of `MailReader`: the name of a file comes in, and its mail goes out, the bytes of its files without being copied again. */
parentPort?.on('message', async (path: string) => {
  const raw = bytesOf(path);
  const { answer, moved } = await answerTo(raw);
  raw.buffer.transfer(0);
  parentPort?.postMessage(answer, moved);
});

async function answerTo(raw: Buffer): Promise<{ answer: ReadAnswer; moved: ArrayBuffer[] }> {
  try {
    const mail = await readMail(raw);
    const files = mail.files.map(({ filename, bytes }) => ({ filename, bytes: ownBytes(bytes) }));
    return { answer: { mail: { ...mail, files } }, moved: files.map((file) => file.bytes.buffer) };
  } catch (error) {
    return { answer: { failure: messageOf(error) }, moved: [] };
  }
}

/** The same bytes where they are all that their buffer holds, so that it can be handed over; else a copy. */
function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  const isAlone = buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength;
  return isAlone ? new Uint8Array(buffer) : new Uint8Array(bytes);
}

function bytesOf(path: string): Buffer<ArrayBuffer> {
  const file = openSync(path, 'r');
  try {
    const raw = Buffer.from(pages(fstatSync(file).size));
    for (let at = 0; at < raw.length; ) {
      const read = readSync(file, raw, { offset: at });
      if (read === 0) throw new Error('The file of an email became shorter.');
      at += read;
    }
    return raw;
  } finally {
    closeSync(file);
  }
}
