import type { ZonedDate } from '../../core/calendar.ts';
import type { Activity } from '../../core/story/activity.ts';
import { visibleLine } from '../../core/text.ts';
import { plainLine } from '../../host/shell/plainText.ts';

/** The part of VS Code that translates, so that texts can be made without a window too. */
interface Translating {
  readonly l10n: { t(message: string, ...args: readonly (string | number)[]): string };
}

/** What happened, in words: of notifications and of the copied list. */
export function activityTexts(vscode: Translating) {
  return {
    story: (id: number) => vscode.l10n.t('Story #{0}', id),
    somebody: vscode.l10n.t('Someone'),
    assigned: (who: string, name: string) => vscode.l10n.t('{0} assigned “{1}” to you.', who, name),
    rejected: (who: string, name: string) => vscode.l10n.t('{0} rejected your story “{1}”.', who, name),
    delivered: (who: string, name: string) => vscode.l10n.t('{0} delivered “{1}” for you to accept.', who, name),
    commentedOn: (who: string, name: string) => vscode.l10n.t('{0} commented on your story “{1}”.', who, name),
    mentioned: (who: string, name: string) => vscode.l10n.t('{0} mentioned you in “{1}”.', who, name),
    severalAssigned: (count: number, names: string) => vscode.l10n.t('{0} stories are now yours: {1}.', count, names),
    severalRejected: (count: number, names: string) =>
      vscode.l10n.t('{0} of your stories were rejected: {1}.', count, names),
    severalDelivered: (count: number, names: string) =>
      vscode.l10n.t('{0} stories were delivered for you to accept: {1}.', count, names),
    severalCommented: (count: number, names: string) =>
      vscode.l10n.t('{0} of your stories have new comments: {1}.', count, names),
    severalMentioned: (count: number, names: string) =>
      vscode.l10n.t('You were mentioned in {0} stories: {1}.', count, names),
    namesAndMore: (names: string, more: number) => vscode.l10n.t('{0} and {1} more', names, more),
    title: (day: string) => vscode.l10n.t('My activity since {0}', day),
    otherwise: vscode.l10n.t('Otherwise'),
    added: vscode.l10n.t('added'),
    deleted: vscode.l10n.t('deleted'),
    commented: vscode.l10n.t('commented'),
    attached: vscode.l10n.t('attached a file'),
    tasks: vscode.l10n.t('worked on tasks'),
    estimated: vscode.l10n.t('estimated'),
    owner: vscode.l10n.t('changed the owner'),
    edited: vscode.l10n.t('edited'),
    times: (what: string, count: number) => vscode.l10n.t('{0} ({1})', what, count),
    onlyKnown: (project: string) =>
      vscode.l10n.t('Could not refresh {0}. The list shows what was already known on this machine.', project),
    unnamed: (server: string) =>
      vscode.l10n.t('Your name on {0} is unknown, so your activity there is missing.', server),
    cutOff: (project: string, count: number, from: string) =>
      vscode.l10n.t(
        '{0} lists only its latest {1} activities. What you did there before {2} may be missing.',
        ...[project, count, from],
      ),
  };
}

export type ActivityTexts = ReturnType<typeof activityTexts>;

interface AgeOptions {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly language: string;
  /** `long` for being read out. */
  readonly style: 'short' | 'long';
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/**
 * How long ago something happened, and the day once that says more: "now", "5 min. ago", "yesterday", "3 Nov". A moment in a
 * zone that nobody knows is shown as the server wrote it; one that is still to come, since clocks differ, is now.
 */
export function age({ text, time }: ZonedDate, { now, language, style }: AgeOptions): string {
  if (time === undefined) return text;
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style });
  const passed = now - time;
  if (passed < MINUTE) return relative.format(0, 'second');
  if (passed < HOUR) return relative.format(-Math.floor(passed / MINUTE), 'minute');
  const days = Math.round((midnight(now) - midnight(time)) / (24 * HOUR));
  if (days === 0 || passed < 6 * HOUR) return relative.format(-Math.floor(passed / HOUR), 'hour');
  if (days < 7) return relative.format(-days, 'day');
  const isThisYear = new Date(now).getFullYear() === new Date(time).getFullYear();
  const month = style === 'short' ? 'short' : 'long';
  return new Intl.DateTimeFormat(language, { day: 'numeric', month, ...(!isThisYear && { year: 'numeric' }) }).format(
    time,
  );
}

function midnight(time: number): number {
  return new Date(time).setHours(0, 0, 0, 0);
}

/** What happened, as a row says it. */
interface Happening {
  /** The server's sentence on one line; empty when it gave none. */
  readonly text: string;
  /** It begins with who did it. */
  readonly isNamed: boolean;
}

const LONGEST = 300;

/** Whoever reads what happened. */
interface Reader {
  readonly isAuthor: boolean;
  /** Absent while nobody knows. */
  readonly name?: string;
  readonly texts: ReaderTexts;
}

/** What is said to someone of themselves; deeds are in the words of the service. */
export function readerTexts(vscode: Translating) {
  return {
    you: (deed: string) => vscode.l10n.t('You {0}', deed),
    madeYouOwner: (who: string, what: string) => vscode.l10n.t('{0} made you the owner of {1}', who, what),
    madeYourselfOwner: (what: string) => vscode.l10n.t('You made yourself the owner of {0}', what),
  };
}

type ReaderTexts = ReturnType<typeof readerTexts>;

/** "You" takes the place of the reader's own name where it begins a sentence, or is that of a new owner in the words of the service. */
export function happening(activity: Activity, reader?: Reader): Happening {
  const { author, description, eventType } = activity;
  const text = visibleLine(description, LONGEST) || visibleLine(eventType, LONGEST);
  const name = plainLine(author ?? '');
  const isNamed = name !== '' && text.startsWith(`${name} `);
  if (!reader || !isNamed) return { text, isNamed };
  const { isAuthor, texts } = reader;
  const owned = ownedByReader(activity, text.slice(name.length + 1), reader);
  if (owned !== undefined) {
    return { text: isAuthor ? texts.madeYourselfOwner(owned) : texts.madeYouOwner(name, owned), isNamed };
  }
  return { text: isAuthor ? texts.you(text.slice(name.length + 1)) : text, isNamed };
}

/** What the reader owns from now on; `undefined` where the rest of the sentence is not of that. */
function ownedByReader({ stories }: Activity, rest: string, { name }: Reader): string | undefined {
  if (name === undefined || !stories.some(({ changed }) => changed.ownedBy === name)) return undefined;
  const start = `made ${plainLine(name)} the owner of `;
  return rest.startsWith(start) ? rest.slice(start.length) : undefined;
}
