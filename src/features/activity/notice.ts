import type { ToldActivity } from '../../core/replica/replica.ts';
import type { ChangedStory } from '../../core/story/activity.ts';
import { plainLine } from '../../host/shell/plainText.ts';
import type { ActivityTexts } from './activityTexts.ts';

/** What a person wants to be told of: a story that became theirs, or one of theirs that was rejected. */
type Wish = 'assigned' | 'rejected';

/** What must be known besides the activity itself. */
interface NoticeContext {
  readonly wishes: readonly Wish[];
  /** What this person is called on the account's server; `undefined` while nobody knows. */
  nameOn(accountId: string): string | undefined;
  /** The story as it is known now. */
  storyOf(
    project: ToldActivity['project'],
    storyId: number,
  ): { readonly name: string; readonly ownedBy?: string } | undefined;
  readonly texts: ActivityTexts;
}

export interface Notice {
  readonly text: string;
  /** Each once, those told of first coming first. */
  readonly stories: readonly { readonly accountId: string; readonly projectId: number; readonly storyId: number }[];
}

interface Happening {
  readonly wish: Wish;
  readonly told: ToldActivity;
  readonly storyId: number;
  readonly name: string;
}

const NAMES_SHOWN = 3;

/** The sentences to show for what is fresh, in whatever order it comes; `undefined` when none of it was wished for. */
export function notice(fresh: readonly ToldActivity[], context: NoticeContext): Notice | undefined {
  const happenings = fresh.toSorted(oldestFirst).flatMap((told) => happeningsIn(told, context));
  const once = [...new Map(happenings.map((one) => [keyOf(one), one])).values()];
  if (once.length === 0) return undefined;
  const sentences = (['assigned', 'rejected'] as const).flatMap((wish) =>
    sentence(
      wish,
      once.filter((one) => one.wish === wish),
      context.texts,
    ),
  );
  const stories = once.map(({ told: { project }, storyId }) => ({
    accountId: project.accountId,
    projectId: project.projectId,
    storyId,
  }));
  const named = new Map(stories.map((one) => [`${one.accountId}/${one.projectId}/${one.storyId}`, one]));
  return { text: sentences.join(' '), stories: [...named.values()] };
}

function happeningsIn(told: ToldActivity, context: NoticeContext): readonly Happening[] {
  const me = context.nameOn(told.project.accountId);
  if (me === undefined || told.isOwn || told.activity.author === me) return [];
  return told.activity.stories.flatMap((changed) => {
    const known = context.storyOf(told.project, changed.id);
    const name = plainLine(known?.name ?? changed.changed.name ?? '') || context.texts.story(changed.id);
    const wishes = context.wishes.filter((wish) => isAbout(wish, changed, known?.ownedBy, me));
    return wishes.map((wish) => ({ wish, told, storyId: changed.id, name }));
  });
}

function isAbout(wish: Wish, { changed, cleared }: ChangedStory, owner: string | undefined, me: string): boolean {
  if (wish === 'assigned') return changed.ownedBy === me;
  const ownerThen = changed.ownedBy ?? (cleared.includes('ownedBy') ? undefined : owner);
  return changed.state === 'rejected' && ownerThen === me;
}

function sentence(wish: Wish, happenings: readonly Happening[], texts: ActivityTexts): readonly string[] {
  const [first, ...others] = happenings;
  if (!first) return [];
  if (others.length === 0) {
    const who = plainLine(first.told.activity.author ?? '') || texts.somebody;
    return [texts[wish](who, first.name)];
  }
  const shown = happenings
    .slice(0, NAMES_SHOWN)
    .map(({ name }) => `“${name}”`)
    .join(', ');
  const more = happenings.length - NAMES_SHOWN;
  const names = more > 0 ? texts.namesAndMore(shown, more) : shown;
  return [
    wish === 'assigned'
      ? texts.severalAssigned(happenings.length, names)
      : texts.severalRejected(happenings.length, names),
  ];
}

function keyOf({ wish, told: { project }, storyId }: Happening): string {
  return `${wish}/${project.accountId}/${project.projectId}/${storyId}`;
}

function oldestFirst({ activity: one }: ToldActivity, { activity: other }: ToldActivity): number {
  return (one.occurredAt?.time ?? 0) - (other.occurredAt?.time ?? 0) || one.version - other.version;
}
