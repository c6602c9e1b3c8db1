import { keptMarkers, readCommitMessage } from './commitMessage.ts';
import { type EditedText, edited } from './textEdit.ts';
import { removals } from './withoutMarker.ts';

/**
 * The message with another story in place of one, in every marker that names it; a marker that names the other one too just
 * loses the first. `commentChar` as in `readCommitMessage`.
 */
export function withStoryReplaced(message: string, storyId: number, otherId: number, commentChar: string): EditedText {
  if (storyId === otherId) return edited(message, []);
  const parts = readCommitMessage(message, commentChar);
  const naming = keptMarkers(message, parts).filter(({ ids }) => ids.some(({ id }) => id === storyId));
  const [both, one] = [true, false].map((hasBoth) =>
    naming.filter(({ ids }) => ids.some(({ id }) => id === otherId) === hasBoth),
  );
  const replacements = (one ?? []).flatMap(({ ids }) =>
    ids
      .filter(({ id }) => id === storyId)
      .map(({ range: { start, end } }) => ({ offset: start, length: end - start, text: `#${otherId}` })),
  );
  return edited(message, [...removals(message, parts, both ?? [], [storyId]), ...replacements]);
}
