import type { Commit } from '../../core/ports/history.ts';
import { type FoundStory, keyText, type ProjectKey } from '../../host/tree/nodes.ts';

/** What became of one commit. `stories` are those it is linked to now; a failure of several accounts may leave some. */
export type LinkOutcome = {
  readonly commit: Commit;
  readonly stories: readonly FoundStory[];
} & (
  | { readonly status: 'linked' | 'linkedBefore'; readonly unknown: readonly number[] }
  /** It is in the outbox, for a server that cannot be reached; other servers may have it. */
  | { readonly status: 'waiting'; readonly unknown: readonly number[]; readonly waitsFor: ProjectKey }
  /** `isLost`: what came between may pass, and neither a server nor the outbox knows of it. */
  | { readonly status: 'failed'; readonly sentence: string; readonly isLost: boolean }
);

/** Every story that one of the commits is linked to, once. */
export function storiesIn(outcomes: readonly LinkOutcome[]): readonly FoundStory[] {
  const all = outcomes.flatMap(({ stories }) => stories);
  return [...new Map(all.map((found) => [`${keyText(found.key)}/${found.story.id}`, found])).values()];
}
