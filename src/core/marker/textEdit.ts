/** A change of a text: `length` UTF-16 units at `offset` become `text`. */
export interface TextEdit {
  readonly offset: number;
  readonly length: number;
  readonly text: string;
}

/** A changed text, and the edits that make it out of the old one: in the order of the text, none touching another. */
export interface EditedText {
  readonly text: string;
  readonly edits: readonly TextEdit[];
}

/** Applies edits whose offsets all speak of `text` as it was. */
export function edited(text: string, edits: readonly TextEdit[]): EditedText {
  const inOrder = edits.toSorted((one, other) => one.offset - other.offset);
  let result = '';
  let kept = 0;
  for (const edit of inOrder) {
    result += text.slice(kept, edit.offset) + edit.text;
    kept = edit.offset + edit.length;
  }
  return { text: result + text.slice(kept), edits: inOrder };
}
