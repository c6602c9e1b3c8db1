import type { Ticket } from '../../../core/story.ts';

/** A story as a file tells it. Fields that the file says nothing of are absent; null is a field that it says is empty. */
export interface ImportedStory {
  /** In which row of the file, the header being the first, or the how manieth story of it. */
  readonly row: number;
  /** The story's id where it came from. */
  readonly externalId: string;
  readonly name: string;
  readonly type?: string;
  readonly state?: string;
  readonly estimate?: number | null;
  readonly description?: string | null;
  readonly requestedBy?: string;
  readonly ownedBy?: string | null;
  readonly createdAt?: number;
  readonly updatedAt?: number;
  readonly acceptedAt?: number;
  readonly deadline?: number;
  readonly labels?: readonly string[];
  readonly ticket?: Ticket;
  readonly notes: readonly ImportedNote[];
  readonly tasks: readonly ImportedTask[];
  readonly attachments: readonly ImportedAttachment[];
}

export interface ImportedNote {
  readonly text: string;
  readonly author: string;
  /** Absent where the file does not say when. */
  readonly notedAt?: number;
}

export interface ImportedTask {
  readonly description: string;
  readonly complete: boolean;
  readonly createdAt?: number;
}

/** What is known of an attached file besides its bytes. */
export interface ImportedAttachment {
  /** Its id where it came from; absent for one that is known by its file only. */
  readonly externalId?: number;
  /** The story in whose folder its file lies, where that is how it is known. */
  readonly storyId?: string;
  readonly filename: string;
  readonly description: string;
  readonly uploadedBy: string;
  readonly uploadedAt?: number;
  readonly size?: number;
}
