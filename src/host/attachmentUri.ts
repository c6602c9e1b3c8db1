import * as vscode from 'vscode';
import type { Attachment } from '../core/attachment.ts';
import type { ProjectKey } from './nodes.ts';
import { safeFileName } from './safeFileName.ts';

export const ATTACHMENT_SCHEME = 'storytracker-attachment';

/** Which attachment a `Uri` means. */
export interface AttachmentPlace {
  readonly key: ProjectKey;
  readonly storyId: number;
  readonly attachmentId: number;
}

/** Names an attachment for editors, by ids only: neither a token nor a temporary address is in it. */
export function attachmentUri(key: ProjectKey, storyId: number, { id, filename }: Attachment): vscode.Uri {
  const account = encodeURIComponent(key.accountId);
  const path = ['', account, key.projectId, storyId, id, safeFileName(filename)].join('/');
  return vscode.Uri.from({ scheme: ATTACHMENT_SCHEME, path });
}

/** `undefined` for what `attachmentUri` never gives. */
export function attachmentPlace({ scheme, path }: vscode.Uri): AttachmentPlace | undefined {
  const found = /^\/([^/]+)\/(\d{1,15})\/(\d{1,15})\/(\d{1,15})\/[^/]+$/.exec(path);
  if (scheme !== ATTACHMENT_SCHEME || !found) return undefined;
  const [, account = '', projectId, storyId, attachmentId] = found;
  const key = { accountId: decodeURIComponent(account), projectId: Number(projectId) };
  return { key, storyId: Number(storyId), attachmentId: Number(attachmentId) };
}
