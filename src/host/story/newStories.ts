import { storiesOf } from '../../core/backlog/backlog.ts';
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
export function newestAlike(
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
