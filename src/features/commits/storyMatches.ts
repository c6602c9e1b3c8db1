import { type Backlog, findStory } from '../../core/backlog.ts';
import type { Project } from '../../core/project.ts';
import type { Story } from '../../core/story.ts';
import { isInProgress } from '../../core/workflow.ts';

/** A backlog to look through, and what the person is called in it where that is known. */
export interface SearchedBacklog {
  readonly backlog: Backlog;
  readonly ownName?: string | undefined;
  /** The story of it that is worked on in the repository. */
  readonly activeId?: number | undefined;
}

export interface StoryMatch {
  readonly story: Story;
  readonly project: Project;
}

/**
 * At most `limit` stories whose id begins with `query` or whose name has it, of all projects: the active one, what one has
 * started oneself, then what else is begun, each time one's own first, then what is planned in priority order, the icebox, and last
 * what is done.
 */
export function storyMatches(
  searched: readonly SearchedBacklog[],
  query: string,
  limit: number,
): readonly StoryMatch[] {
  const wanted = query.toLowerCase();
  const found = searched.flatMap((one) => activeMatch(one, wanted)).slice(0, limit);
  for (const storiesIn of inOrderOfInterest) {
    for (const one of searched) {
      for (const story of storiesIn(one)) {
        if (found.length === limit) return found;
        if (story.id !== one.activeId && isMatch(story, wanted)) found.push({ story, project: one.backlog.project });
      }
    }
  }
  return found;
}

function activeMatch({ backlog, activeId }: SearchedBacklog, wanted: string): readonly StoryMatch[] {
  const story = activeId === undefined ? undefined : findStory(backlog, activeId);
  return story && isMatch(story, wanted) ? [{ story, project: backlog.project }] : [];
}

function isMatch({ id, name }: Story, wanted: string): boolean {
  return String(id).startsWith(wanted) || name.toLowerCase().includes(wanted);
}

/** Each story is in one of these lists. */
const inOrderOfInterest: readonly ((searched: SearchedBacklog) => readonly Story[])[] = [
  (searched) => planned(searched, (story) => isStarted(story) && isOwn(story, searched)),
  (searched) => planned(searched, (story) => !isStarted(story) && isInProgress(story.state) && isOwn(story, searched)),
  (searched) => planned(searched, (story) => isStarted(story) && !isOwn(story, searched)),
  (searched) =>
    planned(searched, (story) => {
      const isToldBefore = isInProgress(story.state) && isOwn(story, searched);
      return !isStarted(story) && !isToldBefore && story.state !== 'accepted';
    }),
  ({ backlog }) => backlog.icebox,
  (searched) => planned(searched, ({ state }) => state === 'accepted'),
  ({ backlog }) => backlog.done.toReversed().flatMap(({ stories }) => stories),
];

function planned({ backlog }: SearchedBacklog, isMeant: (story: Story) => boolean): readonly Story[] {
  return backlog.iterations.flatMap(({ stories }) => stories.filter(isMeant));
}

function isStarted({ state }: Story): boolean {
  return state === 'started';
}

function isOwn({ ownedBy }: Story, { ownName }: SearchedBacklog): boolean {
  return ownName !== undefined && ownedBy === ownName;
}
