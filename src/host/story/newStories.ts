import { setTimeout as sleep } from 'node:timers/promises';
import { storiesOf } from '../../core/backlog/backlog.ts';
import { isPendingStory } from '../../core/intents/edit.ts';
import type { Intent } from '../../core/intents/intent.ts';
import type { EntryProblem, Submission } from '../../core/outbox/outbox.ts';
import type { ProjectKey } from '../../core/story/projectKey.ts';
import type { Story } from '../../core/story/story.ts';
import { haveSameWords } from '../../core/text.ts';
import type { Backlogs } from '../projects/backlogs.ts';

/** A story that is to be made, next to which other one, and with which tasks. */
export type WantedStory = Pick<Intent<'newStory'>, 'story' | 'beside' | 'tasks'>;

/** One that a server has made, or that waits for it. */
export interface MadeStory<W extends WantedStory = WantedStory> {
  /** Negative while no server has it. */
  readonly storyId: number;
  readonly wanted: W;
  readonly waiting?: EntryProblem;
  /** What the outbox calls it while it waits. */
  readonly entryId?: string;
  /** The stories that were there before: this is another one. */
  readonly others: ReadonlySet<number>;
}

interface RefusedStory<W extends WantedStory> {
  readonly wanted: W;
  readonly problem: unknown;
}

interface NewStories<W extends WantedStory> {
  readonly made: readonly MadeStory<W>[];
  readonly refused: readonly RefusedStory<W>[];
}

type Needs = Pick<Backlogs, 'submit' | 'peek'>;

/** Makes stories in this order, each by itself: one that is refused keeps none of the others from being made. */
export async function makeStories<W extends WantedStory>(
  backlogs: Needs,
  key: ProjectKey,
  wanted: readonly W[],
): Promise<NewStories<W>> {
  const others = idsIn(backlogs, key);
  const intents = wanted.map(intentFor);
  const outcomes = await Promise.allSettled(intents.map((intent) => backlogs.submit(key, [intent])));
  const made: MadeStory<W>[] = [];
  const refused: RefusedStory<W>[] = [];
  for (const [index, outcome] of outcomes.entries()) {
    const [one, intent] = [wanted[index], intents[index]];
    if (!one || !intent) continue;
    const problem = outcome.status === 'rejected' ? outcome.reason : outcome.value.refused;
    if (problem !== undefined || outcome.status === 'rejected') refused.push({ wanted: one, problem });
    else {
      const found = () => storyLike(backlogs, key, one, others);
      made.push({ wanted: one, others, ...numberOf(outcome.value, intent, found) });
    }
  }
  return { made, refused };
}

function intentFor({ story, beside, tasks }: WantedStory): Intent<'newStory'> {
  return { kind: 'newStory', storyId: pendingId(), story, ...(beside && { beside }), ...(tasks && { tasks }) };
}

/** Any that no other new story of these days has. */
function pendingId(): number {
  return -1 - Math.floor(Math.random() * 2 ** 48);
}

function idsIn(backlogs: Needs, key: ProjectKey): ReadonlySet<number> {
  const backlog = backlogs.peek(key);
  return new Set(backlog ? storiesOf(backlog).map(({ id }) => id) : []);
}

function numberOf({ waiting, created, entryIds }: Submission, { storyId }: Intent, found: () => number | undefined) {
  if (waiting) return { storyId, waiting, ...(entryIds[0] !== undefined && { entryId: entryIds[0] }) };
  return { storyId: created?.[0] ?? found() ?? storyId };
}

/** What another window had made of it, which tells nobody the number. */
function storyLike(
  backlogs: Needs,
  key: ProjectKey,
  { story }: WantedStory,
  before: ReadonlySet<number>,
): number | undefined {
  return madeSince(backlogs, key, story, (id) => !before.has(id));
}

/** The newest story of this name and description among those that servers have and that may be meant. */
export function madeSince(
  backlogs: Pick<Needs, 'peek'>,
  key: ProjectKey,
  story: WantedStory['story'],
  isMeant: (storyId: number) => boolean,
): number | undefined {
  const backlog = backlogs.peek(key);
  return backlog && newestAlike(storiesOf(backlog), story, isMeant);
}

/** As `madeSince`, among these stories. */
function newestAlike(
  stories: readonly Story[],
  { name, description }: WantedStory['story'],
  isMeant: (storyId: number) => boolean,
): number | undefined {
  const isAlike = (text: string | undefined | null, other: string | undefined | null) =>
    haveSameWords(text ?? '', other ?? '');
  const alike = stories.filter(
    (one) => one.id > 0 && isMeant(one.id) && isAlike(one.name, name) && isAlike(one.description, description),
  );
  return alike.length > 0 ? Math.max(...alike.map(({ id }) => id)) : undefined;
}

/** A story that no server had, and the number by which one has it now. */
interface NumberedStory {
  readonly formerId: number;
  readonly storyId: number;
}

interface AwaitedStory {
  readonly story: Story;
  /** Those that were there when it was first seen; it is another one. */
  readonly others: ReadonlySet<number>;
}

/** Tells which stories of a project that had no number have got one: those of the same words that came since. */
export class NumberedStories {
  private readonly awaited = new Map<number, AwaitedStory>();

  /** What has got its number since it was last asked, all stories of the project being these. */
  update(stories: readonly Story[]): readonly NumberedStory[] {
    const pending = stories.filter(isPendingStory);
    if (pending.length + this.awaited.size === 0) return [];
    const ids = new Set(stories.map(({ id }) => id));
    const numbered: NumberedStory[] = [];
    for (const [formerId, { story, others }] of [...this.awaited].filter(([id]) => !ids.has(id))) {
      this.awaited.delete(formerId);
      const isNew = (id: number) => !others.has(id) && numbered.every(({ storyId }) => storyId !== id);
      const storyId = newestAlike(stories, story, isNew);
      if (storyId !== undefined) numbered.push({ formerId, storyId });
    }
    for (const story of pending) {
      this.awaited.set(story.id, { story, others: this.awaited.get(story.id)?.others ?? ids });
    }
    return numbered;
  }
}

/**
 * What became of a new story that was to leave the outbox: it did · it had been sent by then · its server may have it, though it
 * never said so · it is still being sent.
 */
type Withdrawal = 'withdrawn' | 'sent' | 'heard' | 'sending';

/** Milliseconds after which the entry is looked at again. */
const LOOK_MS = 50;
/** Milliseconds in which what is known of an entry comes to be as it is. */
const SETTLE_MS = 500;
/** Milliseconds for which an attempt that is under way is waited for. */
const PATIENCE_MS = 5_000;

/** Takes a story that no server has out of the outbox, unless one may have heard of it. While it is being tried, that is waited for. */
export async function withdrawUnsent(
  backlogs: Pick<Backlogs, 'unsent' | 'withdraw'>,
  storyId: number,
  patience = PATIENCE_MS,
): Promise<Withdrawal> {
  let tried: string | undefined;
  let triedAt = 0;
  for (let waited = 0; ; waited += LOOK_MS) {
    const entry = backlogs.unsent.find(({ intent }) => intent.kind === 'newStory' && intent.storyId === storyId);
    if (!entry) return 'sent';
    const isSending = entry.state === 'sending';
    const attempt = `${entry.state} ${entry.attempts}`;
    if (!isSending && attempt !== tried) {
      [tried, triedAt] = [attempt, waited];
      if (await backlogs.withdraw([entry.id])) return 'withdrawn';
    }
    if (!isSending && waited - triedAt >= SETTLE_MS) return 'heard';
    if (waited >= patience) return 'sending';
    await sleep(LOOK_MS);
  }
}
