import type { CommitHint } from './commitHint.ts';
import type { HintOptions } from './commitHints.ts';
import { type CommitMessage, keptMarkers, readCommitMessage } from './commitMessage.ts';
import type { TextRange } from './markerSyntax.ts';
import { storyMentions } from './storyMentions.ts';
import { withMarker } from './withMarker.ts';

/** Subjects that Git and hosts of repositories write for merges, and those by which Git finds what to squash into. */
const generated =
  /^(?:Merge (?:branch(?:es)?|remote-tracking branch(?:es)?|tags?|commits?) '|Merge pull request #|(?:fixup|squash|amend)! |Squashed commit of the following:)/;
const combined = /This is a combination of \d+ commits/;

/**
 * Tells, at the last word of the subject, that the story which is worked on is not named. Whoever names any story has
 * chosen; a message without a subject, of a merge or to be squashed waits for nothing.
 */
export function activeStoryHint(message: string, storyId: number, options: HintOptions): CommitHint | undefined {
  const parts = readCommitMessage(message, options.commentChar);
  const range = lastWord(parts);
  if (!range || isGenerated(parts) || keptMarkers(message, parts).length > 0) return undefined;
  const mentions = storyMentions(message, options.commentChar);
  if (mentions.some(({ verb, ids }) => verb !== 'none' || ids.includes(storyId))) return undefined;
  const { edits } = withMarker(message, [storyId], options);
  return { kind: 'activeStory', range, storyIds: [storyId], fixes: [{ kind: 'add', edits }] };
}

function lastWord({ lines, subject }: CommitMessage): TextRange | undefined {
  const line = lines[subject ?? -1];
  const text = line?.text.trimEnd() ?? '';
  if (!line || text === '') return undefined;
  let start = text.length;
  while (start > 0 && /\S/.test(text.charAt(start - 1))) start -= 1;
  return { start: line.start + start, end: line.start + text.length };
}

function isGenerated({ lines, subject }: CommitMessage): boolean {
  return (
    generated.test(lines[subject ?? -1]?.text ?? '') ||
    lines.some(({ isDropped, text }) => isDropped && combined.test(text))
  );
}
