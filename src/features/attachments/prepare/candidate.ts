import type * as vscode from 'vscode';
import { messageOf } from '../../../core/errors.ts';
import type { OutgoingFiles } from '../../../core/ports/outgoingFiles.ts';
import type { SecretFinding } from '../../../core/ports/secretLines.ts';
import type { UploadSource } from '../../../core/story/attachment.ts';
import type { App } from '../../../host/app.ts';
import type { Messages } from '../../../host/shell/messages.ts';

/** Something that can be sent; `size` in bytes. */
export interface Ready {
  readonly kind: 'ready';
  /** What it is called on the story. */
  readonly filename: string;
  readonly size: number;
  /** Where it comes from, when it is a file or a document. */
  readonly uri?: vscode.Uri;
  /** The folder, named without links, that it must lie in when it is read. */
  readonly within?: string;
  /** The archive that it is to be a part of. */
  readonly bundle?: string;
  /** What is read only when its turn comes, so that memory does not grow with the number of files. */
  open(): Promise<UploadSource>;
  /** Removes what was made only to be sent. */
  discard?(): Promise<void>;
}

/** Something that cannot be sent; `sentence` says what it is and why. */
export interface Unusable {
  readonly kind: 'unusable';
  /** When it may be readable another time. */
  readonly uri?: vscode.Uri;
  readonly sentence: string;
}

export interface Folder {
  readonly kind: 'folder';
  readonly uri: vscode.Uri;
}

export type Candidate = Ready | Unusable | Folder;

/** What someone wants to attach: a file, a folder, a document, or something that was made for it. */
export type Offered = vscode.Uri | Ready | Unusable;

/** Bytes that are nowhere on disk, under a name. */
export function readyBytes(filename: string, bytes: Uint8Array): Ready {
  return { kind: 'ready', filename, size: bytes.byteLength, open: async () => ({ kind: 'bytes', bytes, filename }) };
}

/** What is odd about a file, as `oddity` tells it, and may be sent all the same: a person said so. */
type Allowed = ReadonlySet<string>;

/** Becomes another when the file does, so that it is asked about again. */
export function oddity({ uri, filename }: Ready, what: 'empty' | readonly SecretFinding[]): string {
  return JSON.stringify([uri?.toString(), filename, what]);
}

/** Removes what was made only to be sent; one that cannot be removed is told of in the log. */
export async function discard({ log }: Pick<App, 'log'>, files: readonly Ready[]): Promise<void> {
  try {
    for (const file of files) await file.discard?.();
  } catch (thrown) {
    log.warn(`could not remove a temporary file: ${messageOf(thrown)}`);
  }
}

export type FolderWish = 'zip' | 'files';

/** What is said beforehand: by a program that names the story, since it is not asked, or by a person an earlier time. */
export interface Wishes {
  readonly folders?: FolderWish;
  readonly evenSecrets?: boolean;
  /** What a person was asked before and said yes to. */
  readonly allowed?: Allowed;
}

export interface Prepared {
  readonly files: readonly Ready[];
  /** A sentence for each file that is not sent. */
  readonly leftOut: readonly string[];
  /** Those of them that could not be read, and may be another time. */
  readonly unread: readonly vscode.Uri[];
  readonly allowed: Allowed;
}

export interface PrepareNeeds {
  readonly messages: Messages;
  readonly outgoing: OutgoingFiles;
}

/** What was made only to be sent and is not sent, as when the person turned away. */
export function unsentOf(offered: readonly Offered[], sent: readonly Ready[]): readonly Ready[] {
  return offered.filter(isMade).filter((one) => !sent.includes(one));
}

function isMade(offered: Offered): offered is Ready {
  return 'discard' in offered;
}
