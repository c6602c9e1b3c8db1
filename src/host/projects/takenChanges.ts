import type { Backlog } from '../../core/backlog/backlog.ts';
import { backlogSteps } from '../../core/replica/backlogWithChanges.ts';
import type { BacklogChanges, BacklogLists, Since } from '../../core/replica/replica.ts';
import type { Story } from '../../core/story/story.ts';
import { stepwise } from '../shell/turnBudget.ts';

/** The backlog after these changes; made in slices, since a backlog may be long. */
export function backlogAfter(before: Backlog | undefined, changes: BacklogChanges): Promise<Backlog | undefined> {
  return stepwise(backlogSteps(before, changes));
}

/** Takes stories and lists in portions as they come, so that a long backlog does not arrive in one piece. */
export async function collectedChanges<T extends BacklogChanges | undefined>(
  since: Since,
  ask: (since: Since) => Promise<T>,
): Promise<T> {
  const stories: Story[] = [];
  const values = new SharedValues();
  const portions: BacklogLists[] = [];
  const onStories = (portion: readonly Story[]) => void stories.push(...values.in(portion));
  const onLists = (portion: BacklogLists) => void portions.push(portion);
  const changes = await ask({ ...since, onStories, onLists });
  return changes && { ...changes, stories, ...(portions.length > 0 && { lists: joined(portions) }) };
}

function joined(portions: readonly BacklogLists[]): BacklogLists {
  return {
    iterations: portions.flatMap(({ iterations }) => iterations),
    icebox: portions.flatMap(({ icebox }) => icebox),
    done: portions.flatMap(({ done }) => done),
  };
}

/** More different words than members, labels and states of any project there is; what comes after them is not shared. */
const MOST = 4096;

/** Lists of a story that nearly always have nothing in them. */
const LISTS = ['labels', 'attachments', 'notes', 'tasks'] as const;

const WORDS = ['type', 'state', 'requestedBy', 'ownedBy'] as const;

const NONE: readonly never[] = Object.freeze([]);

/**
 * Makes stories that came from another thread, where each has copies of its own of everything, share what is equal: names,
 * states, empty lists. With long backlogs that is near half of what they hold, and as much less for the collector to move.
 */
class SharedValues {
  private readonly words = new Map<string, string>();

  /** Takes the stories over: nobody else may have them yet. */
  in(stories: readonly Story[]): readonly Story[] {
    for (const story of stories) this.share(story);
    return stories;
  }

  private share(story: Writable<Story>): void {
    for (const name of LISTS) if (story[name].length === 0) story[name] = NONE;
    for (const name of WORDS) {
      const word = story[name];
      if (word !== undefined) story[name] = this.word(word);
    }
    if (story.updatedAt && story.updatedAt.text === story.createdAt?.text) story.updatedAt = story.createdAt;
  }

  private word(word: string): string {
    const known = this.words.get(word);
    if (known !== undefined) return known;
    if (this.words.size < MOST) this.words.set(word, word);
    return word;
  }
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };
