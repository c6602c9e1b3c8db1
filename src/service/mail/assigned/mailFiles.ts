import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport, type SendMailOptions } from 'nodemailer';

/**
 * Writes a mail as a file that mail programs open, for its owner only; the same mail to the same file. Complete and on disk when
 * this resolves.
 */
export async function writeMailFile(folder: string, name: string, mail: SendMailOptions): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { message } = await createTransport({ streamTransport: true, buffer: true, newline: 'windows' }).sendMail(mail);
  if (!Buffer.isBuffer(message)) throw new Error('The mail was not composed.');
  const path = join(folder, name);
  const draft = join(folder, `.${randomBytes(8).toString('hex')}`);
  try {
    await writeOwn(draft, message);
    await rename(draft, path);
  } catch (error) {
    await unlink(draft).catch(() => undefined);
    throw error;
  }
  return path;
}

async function writeOwn(path: string, bytes: Buffer): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}
