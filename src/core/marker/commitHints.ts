import type { CommitHint, HintFix } from './commitHint.ts';
import { keptMarkers, type PlacedMarker, readCommitMessage } from './commitMessage.ts';
import { type MarkedId, type MarkerVerb, markerEffects, type TextRange } from './markerSyntax.ts';
import { bracketsAround, mentionFixes } from './mentionFixes.ts';
import type { Story } from '../story/story.ts';
import { type StoryMention, storyMentions } from './storyMentions.ts';
import type { TextEdit } from './textEdit.ts';
import type { MarkerOptions } from './withMarker.ts';
import { removals } from './withoutMarker.ts';

/** What has been found out about a story; `'unknown'`: no project has it. */
export type StoryFact = 'unknown' | Pick<Story, 'state'>;

export interface HintOptions extends MarkerOptions {
  /** As in `readCommitMessage`. */
  readonly commentChar: string;
  /** Of the markers that fixes write. */
  readonly verb: MarkerVerb;
}

/** The stories that a message names, in the order of the text: within markers, or only as mentions. */
export function namedStories(message: string, commentChar: string): { marked: Set<number>; mentioned: Set<number> } {
  const markers = keptMarkers(message, readCommitMessage(message, commentChar));
  return {
    marked: new Set(markers.flatMap(({ ids }) => ids.map(({ id }) => id))),
    mentioned: new Set(storyMentions(message, commentChar).flatMap(({ ids }) => ids)),
  };
}

/** What to tell about a message, in the order of the text; nothing of stories that `facts` does not have. */
export function commitHints(
  message: string,
  facts: ReadonlyMap<number, StoryFact>,
  options: HintOptions,
): readonly CommitHint[] {
  const parts = readCommitMessage(message, options.commentChar);
  const markers = keptMarkers(message, parts);
  const removal = (marker: PlacedMarker, id: number): HintFix => ({
    kind: 'remove',
    edits: removals(message, parts, [marker], [id]),
  });
  const inMarkers = markers.flatMap((marker) => markerHints(marker, facts, (id) => removal(marker, id)));
  const outside = storyMentions(message, options.commentChar).flatMap((mention) =>
    mentionHints(message, mention, unlinked(mention, markers, facts), options.verb),
  );
  return [...inMarkers, ...outside].toSorted((one, other) => one.range.start - other.range.start);
}

function markerHints(
  { ids }: PlacedMarker,
  facts: ReadonlyMap<number, StoryFact>,
  removal: (id: number) => HintFix,
): readonly CommitHint[] {
  return ids.flatMap(({ id, range }, index): readonly CommitHint[] => {
    const fact = facts.get(id);
    const about = { range, storyIds: [id] };
    const before = ids[index - 1];
    if (before && fact !== undefined && ids.findIndex((one) => one.id === id) < index) {
      return [{ ...about, kind: 'duplicate', fixes: [{ kind: 'remove', edits: [withoutId(before, range)] }] }];
    }
    if (fact === 'unknown') return [{ ...about, kind: 'unknownStory', fixes: [removal(id)] }];
    return fact?.state === 'accepted' ? [{ ...about, kind: 'acceptedStory', fixes: [removal(id)] }] : [];
  });
}

/** An id goes with what parts it from the one before. */
function withoutId(before: MarkedId, { end }: TextRange): TextEdit {
  return { offset: before.range.end, length: end - before.range.end, text: '' };
}

/**
 * The stories of a mention that are known and open, and of which no marker asks as much: what nobody knows is somebody
 * else's number, and what is accepted has nothing left to ask for.
 */
function unlinked(
  { ids, effect }: StoryMention,
  markers: readonly PlacedMarker[],
  facts: ReadonlyMap<number, StoryFact>,
): readonly number[] {
  const strength = markerEffects.indexOf(effect);
  const isAsked = (id: number) =>
    markers.some(
      (marker) => markerEffects.indexOf(marker.effect) >= strength && marker.ids.some((one) => one.id === id),
    );
  const isOpen = (fact: StoryFact | undefined) => typeof fact === 'object' && fact.state !== 'accepted';
  return [...new Set(ids)].filter((id) => isOpen(facts.get(id)) && !isAsked(id));
}

function mentionHints(
  message: string,
  mention: StoryMention,
  storyIds: readonly number[],
  verb: MarkerVerb,
): readonly CommitHint[] {
  if (storyIds.length === 0) return [];
  const { range, isDropped } = mention;
  const outside = bracketsAround(message, range) ? 'unreadBrackets' : 'notInBrackets';
  return [{ kind: isDropped ? 'droppedLine' : outside, range, storyIds, fixes: mentionFixes(message, mention, verb) }];
}
