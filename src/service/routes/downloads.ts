import { contentDisposition } from '../attachments/contentDisposition.ts';
import { isDownloadAllowed } from '../attachments/downloadAddress.ts';
import { carried } from '../auth/projectAccess.ts';
import { type Exchange, param } from '../call/exchange.ts';
import { pageNotFound } from '../ground/errors.ts';
import type { Reply } from '../http/reply.ts';
import type { Tx } from '../store/database.ts';
import { projectById } from '../store/projects/projects.ts';
import { attachmentRow } from '../store/stories/attachments.ts';

/** The file of an attachment, for whoever holds an address that is signed and not yet too old. */
export async function sendDownload(exchange: Exchange): Promise<Reply> {
  const attachmentId = param(exchange, 'attachmentId');
  const { service, query, now } = exchange;
  const { database, files, downloadKey } = service;
  const isAllowed = isDownloadAllowed(attachmentId, query, downloadKey, now);
  const row = isAllowed ? await database.read((tx) => attachmentOver(tx, exchange, attachmentId)) : undefined;
  if (!row) throw pageNotFound('This download address is no longer valid. Ask for the attachment again.');
  const file = await files.read(row.storedAs, row.size);
  if (!file) {
    service.log({
      event: 'error',
      during: 'download',
      message: `The file of attachment ${attachmentId} is missing or cut.`,
    });
    throw pageNotFound('The file of this attachment is missing from the data of the service.');
  }
  return {
    status: 200,
    headers: {
      'Content-Type': 'application/octet-stream',
      'Content-Disposition': contentDisposition(row.filename),
      'Cache-Control': 'private, no-store',
      'Content-Security-Policy': "default-src 'none'; sandbox",
    },
    body: { size: row.size, open: () => file, discard: () => file.destroy() },
  };
}

async function attachmentOver(tx: Tx, exchange: Exchange, attachmentId: number) {
  const row = await attachmentRow(tx, attachmentId);
  const project = row && (await projectById(tx, row.projectId));
  if (project) carried(exchange, project);
  return row;
}
