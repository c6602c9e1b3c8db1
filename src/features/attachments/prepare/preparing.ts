import type { Uri } from 'vscode';
import type { OutgoingFiles } from '../../../core/ports/outgoingFiles.ts';
import type { Messages } from '../../../host/shell/messages.ts';
import type { Allowed, Ready } from './candidate.ts';
import type { FolderWish } from './folders.ts';

/** A person is asked and told; a program is not asked, and gets a rejection that names every file not attached. */
export type Caller = 'person' | 'program';

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
  readonly unread: readonly Uri[];
  readonly allowed: Allowed;
}

export interface PrepareNeeds {
  readonly messages: Messages;
  readonly outgoing: OutgoingFiles;
}
