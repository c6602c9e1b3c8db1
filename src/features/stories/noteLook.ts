import { parseMarkers } from '../../core/markerSyntax.ts';

/** A comment as a row shows it. */
export interface NoteLook {
  /** A commit left it (api-v3.md, Source commit). */
  readonly isCommit: boolean;
  /** What it says, on one line; of a commit its subject. */
  readonly summary: string;
  /** The first web address in it. */
  readonly link: string | undefined;
}

/** Not shown: how a server words the comment of a commit. Its marker is in it, so that is what tells. */
export function noteLook(text: string): NoteLook {
  const isCommit = parseMarkers(text).length > 0;
  return {
    isCommit,
    summary: oneLine((isCommit ? subjectOf(text) : undefined) ?? text),
    link: /\bhttps?:\/\/[^\s<>"'[\]]+[^\s<>"'[\].,;:!?)]/i.exec(text)?.[0],
  };
}

/** The first line of the message, which follows a paragraph of the server's when that has no marker itself. */
function subjectOf(text: string): string | undefined {
  const [first = '', ...rest] = text.trim().split(/\n\s*\n/);
  const message = parseMarkers(first).length === 0 && rest.length > 0 ? rest.join('\n') : first;
  return message.split('\n').find((line) => line.trim() !== '');
}

export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
