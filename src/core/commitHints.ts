import { keptMarkers, type PlacedMarker, readCommitMessage } from './commitMessage.ts';
import { type MarkedId, type MarkerVerb, markerEffects, type TextRange } from './markerSyntax.ts';
import type { Story } from './story.ts';
import { type StoryMention, storyMentions } from './storyMentions.ts';
import type { TextEdit } from './textEdit.ts';
import { removals } from './withoutMarker.ts';

/**
 * `notInBrackets`: read as a marker only within brackets. `droppedLine`: Git takes the line for a comment. `duplicate`: named
 * before in the same marker.
 */
export type HintKind = 'notInBrackets' | 'droppedLine' | 'unknownStory' | 'acceptedStory' | 'duplicate';

/** One way to mend what a hint is about: `moveToEnd` puts the marker behind the words of its line. */
export interface HintFix {
  readonly kind: 'bracket' | 'moveToEnd' | 'remove';
  readonly edits: readonly TextEdit[];
}

/** Something in a commit message that will not do what its writer means. */
export interface CommitHint {
  readonly kind: HintKind;
  readonly range: TextRange;
  /** The stories that it is about, at least one. */
  readonly storyIds: readonly number[];
  /** The best first. */
  readonly fixes: readonly HintFix[];
}

/** What has been found out about a story; `'unknown'`: no project has it. */
export type StoryFact = 'unknown' | Pick<Story, 'state'>;

export interface HintOptions {
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

/** The known stories of a mention that no marker asks for as much for. */
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
  return [...new Set(ids)].filter((id) => typeof facts.get(id) === 'object' && !isAsked(id));
}

function mentionHints(
  message: string,
  mention: StoryMention,
  storyIds: readonly number[],
  verb: MarkerVerb,
): readonly CommitHint[] {
  if (storyIds.length === 0) return [];
  const { range, isDropped } = mention;
  const opening = mention.hasVerb || verb === '' ? '[' : `[${verb} `;
  const bracket: HintFix = { kind: 'bracket', edits: bracketed(message, mention, opening) };
  if (!isDropped) return [{ kind: 'notInBrackets', range, storyIds, fixes: [bracket] }];
  return [{ kind: 'droppedLine', range, storyIds, fixes: [bracket, ...movedToEnd(message, range, opening)] }];
}

/** A bracket that is there already is made use of, where the other one is missing. */
function bracketed(message: string, { range, colon }: StoryMention, opening: string): readonly TextEdit[] {
  const { start, end } = range;
  const lineStart = message.lastIndexOf('\n', start - 1) + 1;
  const isOpen = opening === '[' && start > lineStart && message[start - 1] === '[';
  const isClosed = message[end] === ']' && (isOpen || !message.slice(lineStart, start).includes('['));
  return [
    ...(isOpen ? [] : [{ offset: start, length: 0, text: opening }]),
    ...(colon ? [{ offset: colon.start, length: 1, text: '' }] : []),
    ...(isClosed ? [] : [{ offset: end, length: 0, text: ']' }]),
  ];
}

/** Only where words follow, so that the line does not begin with another `#` then. */
function movedToEnd(message: string, { start, end }: TextRange, opening: string): readonly HintFix[] {
  const [line = ''] = /^[^\r\n]*/.exec(message.slice(end)) ?? [];
  const [gap] = /^[\s:,.–-]*(?=[\p{L}\p{N}])/u.exec(line) ?? [];
  if (gap === undefined) return [];
  const marker = ` ${opening}${message.slice(start, end)}]`;
  const edits = [
    { offset: start, length: end - start + gap.length, text: '' },
    { offset: end + line.trimEnd().length, length: 0, text: marker },
  ];
  return [{ kind: 'moveToEnd', edits }];
}
