import { unprocessable } from '../refusal.ts';

/** Characters of a name, an address, a label: what a database can still keep in an index. */
export const MAX_LINE = 255;
/** Characters of a description or a comment: written in XML, where each may take five, any reader of ours still takes it. */
export const MAX_TEXT = 100_000;
const MAX_LABELS = 100;

/** A sentence when a text is longer than it may be; `what` begins it. */
export function tooLong(what: string, text: string | null | undefined, most: number): readonly string[] {
  return (text?.length ?? 0) > most ? [`${what} has at most ${most.toLocaleString('en')} characters.`] : [];
}

/** Throws `Refusal` 422 when a text is longer than it may be. */
export function refuseTooLong(what: string, text: string | null | undefined, most: number): void {
  const sentences = tooLong(what, text, most);
  if (sentences.length > 0) throw unprocessable(sentences);
}

/** Throws `Refusal` 422 for labels that are too many or too long. */
export function refuseWrongLabels(labels: readonly string[]): void {
  const sentences = labels.flatMap((label) => tooLong('A label', label, MAX_LINE)).slice(0, 1);
  if (labels.length > MAX_LABELS) sentences.push(`A story has at most ${MAX_LABELS} labels.`);
  if (sentences.length > 0) throw unprocessable(sentences);
}
