import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';

const STORED = /^[0-9a-f]{32}$/;
const DAY = 24 * 60 * 60;

/** Names of the attached files in a data folder that are in their places, sorted. */
export function storedFiles(folder: string): Promise<readonly string[]> {
  return filesIn(join(folder, 'attachments'));
}

/** Of those whose upload is under way, or was cut off. */
export function incomingFiles(folder: string): Promise<readonly string[]> {
  return filesIn(join(folder, 'attachments', 'incoming'));
}

/** Of those that were swept, whenever it was. */
export async function sweptFiles(folder: string): Promise<readonly string[]> {
  const trash = join(folder, 'attachments', 'trash');
  const days = await readdir(trash).catch(() => []);
  return (await Promise.all(days.map((day) => filesIn(join(trash, day))))).flat().sort();
}

/** Makes all that lies there look so many days old. */
export async function ageFiles(folder: string, days: number): Promise<void> {
  const moment = Date.now() / 1000 - days * DAY;
  const attachments = join(folder, 'attachments');
  for (const name of await storedFiles(folder)) await utimes(join(attachments, name), moment, moment);
  for (const name of await incomingFiles(folder)) await utimes(join(attachments, 'incoming', name), moment, moment);
}

async function filesIn(folder: string): Promise<readonly string[]> {
  return (await readdir(folder)).filter((name) => STORED.test(name)).sort();
}
