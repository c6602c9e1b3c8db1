import type { TextRange } from './markerSyntax.ts';
import { type EditedText, edited, type TextEdit } from './textEdit.ts';
import { type MarkerOptions, withMarker } from './withMarker.ts';

/** As `withMarker`, with what is selected taken out, as by everything that is pasted over it. */
export function withMarkerFor(
  message: string,
  selected: TextRange,
  storyIds: readonly number[],
  options: MarkerOptions,
): EditedText {
  const { start, end } = selected;
  if (start === end) return withMarker(message, storyIds, options);
  const taken: TextEdit = { offset: start, length: end - start, text: '' };
  const marked = withMarker(edited(message, [taken]).text, storyIds, options);
  const isAcross = ({ offset, length }: TextEdit) => offset < start && offset + length > start;
  if (marked.edits.some(isAcross)) return edited(message, [{ offset: 0, length: message.length, text: marked.text }]);
  const moved = marked.edits.map((edit) =>
    edit.offset < start ? edit : { ...edit, offset: edit.offset + end - start },
  );
  return edited(message, [
    ...moved.filter(({ offset }) => offset < start),
    taken,
    ...moved.filter(({ offset }) => offset >= start),
  ]);
}
