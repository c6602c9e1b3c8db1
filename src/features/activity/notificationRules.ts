import type { ToldActivity } from '../../core/replica/replica.ts';
import type { ChangedStory } from '../../core/story/activity.ts';
import { folded } from '../../core/text.ts';
import type { NotificationKind } from '../../host/shell/settings.ts';
import type { ActivityTexts } from './activityTexts.ts';

/** What a person is called in a project. */
export interface Person {
  readonly name: string;
  readonly initials: string;
}

/** What a notification needs to know of a story, as it is now. */
export interface KnownStory {
  readonly name: string;
  readonly ownedBy?: string;
  readonly requestedBy?: string;
}

interface Happened {
  readonly told: ToldActivity;
  readonly changed: ChangedStory;
  /** Absent while nobody can tell of it. */
  readonly story?: Omit<KnownStory, 'name'> | undefined;
  readonly me: Person;
}

interface NotificationRule {
  /** Whether something that someone else did to a story is of this kind. */
  readonly isAbout: (happened: Happened) => boolean;
  /** The sentence on one of them. */
  readonly one: (texts: ActivityTexts, who: string, name: string) => string;
  /** That on several, with the names of some. */
  readonly several: (texts: ActivityTexts, count: number, names: string) => string;
}

/** Each kind of notification, in the order in which they are told. */
export const notificationRules: { readonly [K in NotificationKind]: NotificationRule } = {
  assigned: {
    isAbout: ({ changed: { changed }, me }) => changed.ownedBy === me.name,
    one: (texts, who, name) => texts.assigned(who, name),
    several: (texts, count, names) => texts.severalAssigned(count, names),
  },
  rejected: {
    isAbout: (happened) => happened.changed.changed.state === 'rejected' && isOwner(happened),
    one: (texts, who, name) => texts.rejected(who, name),
    several: (texts, count, names) => texts.severalRejected(count, names),
  },
  delivered: {
    isAbout: (happened) => happened.changed.changed.state === 'delivered' && isRequester(happened),
    one: (texts, who, name) => texts.delivered(who, name),
    several: (texts, count, names) => texts.severalDelivered(count, names),
  },
  commented: {
    isAbout: (happened) => commentIn(happened) !== undefined && isOwner(happened),
    one: (texts, who, name) => texts.commentedOn(who, name),
    several: (texts, count, names) => texts.severalCommented(count, names),
  },
  mentioned: {
    isAbout: (happened) => isMentioned(commentIn(happened) ?? '', happened.me),
    one: (texts, who, name) => texts.mentioned(who, name),
    several: (texts, count, names) => texts.severalMentioned(count, names),
  },
};

/** The kinds among these that something is of. Who is mentioned need not be told of the comment, too. */
export function kindsOf(wishes: readonly NotificationKind[], happened: Happened): readonly NotificationKind[] {
  const kinds = wishes.filter((kind) => notificationRules[kind].isAbout(happened));
  return kinds.includes('mentioned') ? kinds.filter((kind) => kind !== 'commented') : kinds;
}

/** Whether something may be of one of these kinds, whatever its story is like. */
export function mayBeWished(wishes: readonly NotificationKind[], happened: Omit<Happened, 'story'>): boolean {
  const { name } = happened.me;
  return kindsOf(wishes, { ...happened, story: { ownedBy: name, requestedBy: name } }).length > 0;
}

function isOwner({ changed: { changed, cleared }, story, me }: Happened): boolean {
  return (changed.ownedBy ?? (cleared.includes('ownedBy') ? undefined : story?.ownedBy)) === me.name;
}

function isRequester({ changed: { changed }, story, me }: Happened): boolean {
  return (changed.requestedBy ?? story?.requestedBy) === me.name;
}

/** A comment that was made; the server's own sentence where it does not tell the text by itself. */
function commentIn({ told: { activity }, changed: { changed } }: Happened): string | undefined {
  if (!/^(?:note|comment)(?:_create|_add)?$/.test(activity.eventType)) return undefined;
  return changed.notes?.map(({ text }) => text).join('\n') || activity.description;
}

const IN_WORD = /[\p{L}\p{M}\p{N}_]/u;

/** Whether a text has a person's name, or their initials behind an @. */
function isMentioned(text: string, { name, initials }: Person): boolean {
  return hasWord(text, name) || (initials !== '' && hasWord(text, `@${initials}`));
}

function hasWord(text: string, word: string): boolean {
  const [within, wanted] = [folded(text), folded(word.trim())];
  if (wanted === '') return false;
  for (let at = within.indexOf(wanted); at >= 0; at = within.indexOf(wanted, at + 1)) {
    const [before, after] = [within.charAt(at - 1), within.charAt(at + wanted.length)];
    if (!IN_WORD.test(before) && !IN_WORD.test(after)) return true;
  }
  return false;
}
