import type { Activity } from '../../core/story/activity.ts';
import { visibleLine } from '../../core/text.ts';
import { plainLine } from '../../host/shell/plainText.ts';

/** What happened, as a row says it. */
export interface Happening {
  /** The server's sentence on one line; empty when it gave none. */
  readonly text: string;
  /** As `text`, with whose initials in place of their name at its beginning, so that more of it fits in a side bar. */
  readonly short: string;
}

const LONGEST = 300;

export function happening({ author, description, eventType }: Activity, initials: string): Happening {
  const text = visibleLine(description, LONGEST) || visibleLine(eventType, LONGEST);
  const name = plainLine(author ?? '');
  const isFirst = name !== '' && initials !== '' && text.startsWith(`${name} `);
  return { text, short: isFirst ? initials + text.slice(name.length) : text };
}
