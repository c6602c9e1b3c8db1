import type { Uri } from 'vscode';
import type { OutgoingFiles } from '../../core/outgoingFiles.ts';
import type { Messages } from '../../host/messages.ts';
import type { Ready } from './candidate.ts';
import type { FolderWish } from './folders.ts';

/** A person is asked and told; a program is not asked, and gets a rejection that names every file not attached. */
export type Caller = 'person' | 'program';

/** What a program that names the story may say beforehand, since it is not asked. */
export interface Wishes {
  readonly folders?: FolderWish;
  readonly evenSecrets?: boolean;
}

export interface Prepared {
  readonly files: readonly Ready[];
  /** A sentence for each file that is not sent. */
  readonly leftOut: readonly string[];
  /** Those of them that could not be read, and may be another time. */
  readonly unread: readonly Uri[];
}

export interface PrepareNeeds {
  readonly messages: Messages;
  readonly outgoing: OutgoingFiles;
}
