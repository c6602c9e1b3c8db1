import { commitOf, type ShownCommit } from '../../../core/outbox/withUnsentIntents.ts';
import type { Note } from '../../../core/story/story.ts';

/** A comment as a row shows it. */
export interface NoteLook {
  /** Present when a commit left it (api-v3.md, Source commit) or is to. */
  readonly commit: ShownCommit | undefined;
  /** What it says, on one line; of a commit its subject. */
  readonly summary: string;
  /** The first web address in it. */
  readonly link: string | undefined;
}

export function noteLook(note: Note): NoteLook {
  const commit = commitOf(note);
  const subject = commit?.subject ? commit.subject : note.text;
  const link = commit ? commit.url : ADDRESS.exec(note.text)?.[0];
  return { commit, summary: oneLine(subject), link: link !== undefined && ADDRESS.test(link) ? link : undefined };
}

const ADDRESS = /\bhttps?:\/\/[^\s<>"'[\]]+[^\s<>"'[\].,;:!?)]/i;

export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
