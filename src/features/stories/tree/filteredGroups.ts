import type { Story } from '../../../core/story/story.ts';
import { choosing, type Steps } from '../../../host/shell/turnBudget.ts';
import type { Group, Groups } from './groups.ts';

/** Which stories of a project a filter leaves. */
export interface StoryChoice {
  readonly passes: (story: Story) => boolean;
  readonly hidesDone: boolean;
}

/** The groups with the stories that pass, in their places; iterations that nothing is left of are left out. */
export function* filteredGroups({ current, backlog, done, icebox }: Groups, choice: StoryChoice): Steps<Groups> {
  return {
    current: yield* left(current, choice),
    backlog: yield* left(backlog, choice),
    done: choice.hidesDone ? [] : yield* left(done, choice),
    icebox: yield* filtered(icebox, choice),
  };
}

function* left(groups: readonly Group[], choice: StoryChoice): Steps<readonly Group[]> {
  const kept: Group[] = [];
  for (const group of groups) {
    const thinned = yield* filtered(group, choice);
    if (thinned.stories.length > 0) kept.push(thinned);
  }
  return kept;
}

function* filtered(group: Group, { passes }: StoryChoice): Steps<Group> {
  return { ...group, stories: yield* choosing(group.stories, passes), total: group.stories.length };
}
