import type { Backlog } from '../../core/backlog.ts';
import type { Story } from '../../core/story.ts';

/**
 * At most `limit` stories whose id begins with `query` or whose name has it: what is worked on first, then in priority
 * order, the icebox, and last what is done.
 */
export function storyMatches(backlog: Backlog, query: string, limit: number): readonly Story[] {
  const wanted = query.toLowerCase();
  const found: Story[] = [];
  for (const story of inOrderOfInterest(backlog)) {
    if (found.length === limit) break;
    if (String(story.id).startsWith(wanted) || story.name.toLowerCase().includes(wanted)) found.push(story);
  }
  return found;
}

function* inOrderOfInterest({ iterations, icebox, done }: Backlog): Iterable<Story> {
  const planned = iterations.flatMap(({ stories }) => stories);
  for (const story of planned) if (story.state === 'started') yield story;
  for (const story of planned) if (story.state !== 'started' && story.state !== 'accepted') yield story;
  yield* icebox;
  for (const story of planned) if (story.state === 'accepted') yield story;
  for (const { stories } of done.toReversed()) yield* stories;
}
