import { folded } from './folded.ts';
import type { Story } from './story.ts';

/** What filters compare of a story, folded. */
export interface FoldedStory {
  readonly type: string;
  readonly state: string;
  readonly labels: readonly string[];
  /** The whole name, and its words. */
  readonly requester: readonly string[];
  readonly owner: readonly string[];
  /** In which words are looked for. */
  readonly texts: readonly string[];
}

/** Characters of folded stories that are remembered. */
const MOST_KEPT = 16 * 1024 * 1024;

let known = new WeakMap<Story, FoldedStory>();
let kept = 0;

/** Folded once a story, not once a word and filter. */
export function foldedStory(story: Story): FoldedStory {
  const before = known.get(story);
  if (before) return before;
  const made = foldedAnew(story);
  kept += made.texts.reduce((sum, { length }) => sum + length, 0);
  if (kept > MOST_KEPT) {
    known = new WeakMap();
    kept = 0;
  }
  known.set(story, made);
  return made;
}

function foldedAnew({ type, state, name, description, labels, requestedBy, ownedBy }: Story): FoldedStory {
  const foldedLabels = labels.map(folded);
  return {
    type: folded(type),
    state: folded(state),
    labels: foldedLabels,
    requester: namesOf(requestedBy),
    owner: namesOf(ownedBy),
    texts: [folded(name), folded(description ?? ''), ...foldedLabels],
  };
}

function namesOf(person: string | undefined): readonly string[] {
  if (person === undefined) return [];
  const name = folded(person);
  return [name, ...name.split(/\s+/u)];
}
