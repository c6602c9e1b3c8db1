import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { ZonedDate } from '../../../core/calendar.ts';
import type { Story, StoryFields, Ticket } from '../../../core/story/story.ts';
import { present } from '../../../v3/fields.ts';
import type { Remarking } from './remarks.ts';

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

/** All that an edit may say, and what else a document does. */
type ToldField = keyof StoryFields | 'row' | 'externalId' | 'updatedAt' | 'notes' | 'tasks' | 'attachments';

/** What a document of the API says of a story. */
export function importedStory(story: Story, row: number, remark: Remarking): ImportedStory {
  const time = (date: ZonedDate | undefined, name: string): number | undefined => {
    if (date && date.time === undefined)
      remark(name, date.text, 'This is not a date that is understood. It was left out.');
    return date?.time;
  };
  return present({
    row,
    externalId: String(story.id),
    name: story.name,
    type: story.type || undefined,
    state: story.state || undefined,
    estimate: (story.estimate ?? -1) < 0 ? null : story.estimate,
    description: story.description ?? null,
    requestedBy: story.requestedBy,
    ownedBy: story.ownedBy ?? null,
    createdAt: time(story.createdAt, 'created_at'),
    updatedAt: time(story.updatedAt, 'updated_at'),
    acceptedAt: time(story.acceptedAt, 'accepted_at'),
    deadline: time(story.deadline, 'deadline'),
    labels: story.labels,
    ticket: story.ticket,
    notes: story.notes.map(({ text, author = '', notedAt }) =>
      present({ text, author, notedAt: time(notedAt, 'noted_at') }),
    ),
    tasks: story.tasks.map(({ description, complete, createdAt }) =>
      present({ description, complete, createdAt: time(createdAt, 'created_at') }),
    ),
    attachments: story.attachments.map(({ id, filename, description = '', uploadedBy = '', uploadedAt, size }) =>
      present({ externalId: id, filename, description, uploadedBy, uploadedAt: time(uploadedAt, 'uploaded_at'), size }),
    ),
  } satisfies Record<ToldField, unknown>);
}

/** Characters of 64 kinds: enough that two texts of one field never have the same. */
const LENGTH = 8;

/** What a file says of a story, field by field, short enough to be kept: `name=x1Yz…;state=…`. Where it stands says nothing. */
export function fieldDigests({ row: _, ...story }: ImportedStory): string {
  return Object.entries(story)
    .map(([field, value]) => `${field}=${digestOf(value)}`)
    .join(';');
}

/** The story with those fields only of which a file says something else than the one before, and the name that it has here if that is none. */
export function withNews(story: ImportedStory, now: string, before: string, name: string): ImportedStory {
  const known = new Set(before.split(';'));
  const old = new Set(now.split(';').flatMap((digest) => (known.has(digest) ? [digest.split('=')[0]] : [])));
  const news: Partial<ImportedStory> = Object.fromEntries(Object.entries(story).filter(([field]) => !old.has(field)));
  const { row, externalId } = story;
  return { name, notes: [], tasks: [], attachments: [], ...news, row, externalId };
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, LENGTH);
}

export type FileFormat = 'xml' | 'csv';

const HEAD = 256;

/** XML begins with a bracket, whatever the file is called. */
export async function formatOf(path: string): Promise<FileFormat> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD), 0, HEAD, 0);
    return /^\uFEFF?\s*</.test(buffer.toString('utf8', 0, bytesRead)) ? 'xml' : 'csv';
  } finally {
    await file.close();
  }
}
