import { parentPort } from 'node:worker_threads';
import { messageOf } from '../../../core/errors.ts';
import { type IncomingMail, readMail } from './incomingMail.ts';

/** What came of a mail: what is in it, or why it cannot be read. */
export type ReadAnswer =
  | { readonly mail: IncomingMail; readonly failure?: undefined }
  | { readonly mail?: undefined; readonly failure: string };

/** The thread of `MailReader`: bytes come in, and their mail goes out, the bytes of its files without being copied again. */
parentPort?.on('message', async (bytes: ArrayBuffer) => {
  const { answer, moved } = await answerTo(bytes);
  parentPort?.postMessage(answer, moved);
});

async function answerTo(bytes: ArrayBuffer): Promise<{ answer: ReadAnswer; moved: ArrayBuffer[] }> {
  try {
    const mail = await readMail(Buffer.from(bytes));
    const files = mail.files.map(({ filename, bytes: shared }) => ({ filename, bytes: new Uint8Array(shared) }));
    return { answer: { mail: { ...mail, files } }, moved: files.map((file) => file.bytes.buffer) };
  } catch (error) {
    return { answer: { failure: messageOf(error) }, moved: [] };
  }
}
