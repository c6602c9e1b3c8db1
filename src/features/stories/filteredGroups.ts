import type { Story } from '../../core/story.ts';
import type { Group, Groups } from './groups.ts';

/** Which stories of a project a filter leaves. */
export interface StoryChoice {
  readonly passes: (story: Story) => boolean;
  readonly hidesDone: boolean;
}

/** The groups with the stories that pass, in their places; iterations that nothing is left of are left out. */
export function filteredGroups({ current, backlog, done, icebox }: Groups, choice: StoryChoice): Groups {
  const left = (groups: readonly Group[]) =>
    groups.map((group) => filtered(group, choice)).filter(({ stories }) => stories.length > 0);
  return {
    current: left(current),
    backlog: left(backlog),
    done: choice.hidesDone ? [] : left(done),
    icebox: filtered(icebox, choice),
  };
}

function filtered(group: Group, { passes }: StoryChoice): Group {
  return { ...group, stories: group.stories.filter(passes), total: group.stories.length };
}
