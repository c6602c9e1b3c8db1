import * as vscode from 'vscode';
import type { Attachment } from '../../core/story/attachment.ts';
import type { ProjectKey } from '../../core/story/projectKey.ts';
import { safeFileName } from '../shell/safeFileName.ts';
import { ATTACHMENT_SCHEME } from './attachmentScheme.ts';

/** Which attachment a `Uri` means. */
export interface AttachmentPlace {
  readonly key: ProjectKey;
  readonly storyId: number;
  readonly attachmentId: number;
}

/**
 * Names an attachment for editors, which show its story and its name; the rest is in the query. Neither a token nor a temporary
 * address is in it.
 */
export function attachmentUri(key: ProjectKey, storyId: number, { id, filename }: Attachment): vscode.Uri {
  const ids = new URLSearchParams({ account: key.accountId, project: `${key.projectId}`, attachment: `${id}` });
  const path = `/#${storyId}/${safeFileName(filename)}`;
  return vscode.Uri.from({ scheme: ATTACHMENT_SCHEME, path, query: ids.toString() });
}

/** `undefined` for what `attachmentUri` never gives. */
export function attachmentPlace({ scheme, path, query }: vscode.Uri): AttachmentPlace | undefined {
  const ids = new URLSearchParams(query);
  const accountId = ids.get('account');
  const projectId = numberIn(ids.get('project'));
  const attachmentId = numberIn(ids.get('attachment'));
  const storyId = numberIn(/^\/#(\d+)\/[^/]+$/.exec(path)?.[1]);
  if (scheme !== ATTACHMENT_SCHEME || accountId === null) return undefined;
  if (projectId === undefined || attachmentId === undefined || storyId === undefined) return undefined;
  return { key: { accountId, projectId }, storyId, attachmentId };
}

function numberIn(text: string | null | undefined): number | undefined {
  return text && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
