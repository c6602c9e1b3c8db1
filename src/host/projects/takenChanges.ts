import type { Backlog } from '../../core/backlog/backlog.ts';
import { backlogSteps } from '../../core/replica/backlogWithChanges.ts';
import type { BacklogChanges, BacklogLists, Since } from '../../core/replica/replica.ts';
import type { Story } from '../../core/story/story.ts';
import { stepwise } from '../shell/turnBudget.ts';
import { SharedValues } from './sharedValues.ts';

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
