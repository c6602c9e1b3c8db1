import type { ToldActivity } from '../../core/replica/replica.ts';
import { plainLine } from '../../host/shell/plainText.ts';
import type { NotificationKind } from '../../host/shell/settings.ts';
import type { ActivityTexts } from './activityTexts.ts';
import { type KnownStory, kindsOf, notificationRules, type Person } from './notificationRules.ts';

/** What must be known besides the activity itself. */
interface NoticeContext {
  /** In the order in which they are told. */
  readonly wishes: readonly NotificationKind[];
  /** What this person is called in the project; `undefined` while nobody knows. */
  personIn(project: ToldActivity['project']): Person | undefined;
  /** The story as it is known now. */
  storyOf(project: ToldActivity['project'], storyId: number): KnownStory | undefined;
  readonly texts: ActivityTexts;
}

export interface Notice {
  readonly text: string;
  /** Each once, those told of first coming first. */
  readonly stories: readonly { readonly accountId: string; readonly projectId: number; readonly storyId: number }[];
}

interface Happening {
  readonly wish: NotificationKind;
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
  const sentences = context.wishes.flatMap((wish) =>
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
  const me = context.personIn(told.project);
  if (me === undefined || told.isOwn || told.activity.author === me.name) return [];
  return told.activity.stories.flatMap((changed) => {
    const story = context.storyOf(told.project, changed.id);
    const name = plainLine(story?.name ?? changed.changed.name ?? '') || context.texts.story(changed.id);
    return kindsOf(context.wishes, { told, changed, story, me }).map((wish) => ({
      wish,
      told,
      storyId: changed.id,
      name,
    }));
  });
}

function sentence(wish: NotificationKind, happenings: readonly Happening[], texts: ActivityTexts): readonly string[] {
  const [first, ...others] = happenings;
  if (!first) return [];
  if (others.length === 0) {
    const who = plainLine(first.told.activity.author ?? '') || texts.somebody;
    return [notificationRules[wish].one(texts, who, first.name)];
  }
  const shown = happenings
    .slice(0, NAMES_SHOWN)
    .map(({ name }) => `“${name}”`)
    .join(', ');
  const more = happenings.length - NAMES_SHOWN;
  const names = more > 0 ? texts.namesAndMore(shown, more) : shown;
  return [notificationRules[wish].several(texts, happenings.length, names)];
}

function keyOf({ wish, told: { project }, storyId }: Happening): string {
  return `${wish}/${project.accountId}/${project.projectId}/${storyId}`;
}

function oldestFirst({ activity: one }: ToldActivity, { activity: other }: ToldActivity): number {
  return (one.occurredAt?.time ?? 0) - (other.occurredAt?.time ?? 0) || one.version - other.version;
}

/** Shows one thing at a time; what comes in the meantime is gathered in the next. */
export class Gathered<T> {
  private readonly show: (all: readonly T[]) => Promise<void>;
  private waiting: readonly T[] = [];
  private isShowing = false;

  constructor(show: (all: readonly T[]) => Promise<void>) {
    this.show = show;
  }

  /** Each is shown at most once, also where several ask at the same time. */
  async add(coming: Promise<readonly T[]>): Promise<void> {
    const more = await coming;
    this.waiting = [...this.waiting, ...more];
    if (this.isShowing) return;
    this.isShowing = true;
    try {
      while (this.waiting.length > 0) {
        const all = this.waiting;
        this.waiting = [];
        await this.show(all);
      }
    } finally {
      this.isShowing = false;
    }
  }

  /** Forgets what waits. */
  clear(): void {
    this.waiting = [];
  }
}
