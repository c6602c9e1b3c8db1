/**
 * What stands for an image among a story's attachments in its description or comments, as Markdown; of our own, since the
 * document knows none (api-v3.md, Attachment). Other clients show it as the text that it is.
 */
function imageReference(filename: string): string {
  const words = filename.replaceAll(/[\\[\]\s]+/g, ' ');
  const address = encodeURIComponent(filename.toWellFormed()).replaceAll(/[()]/g, (one) =>
    one === '(' ? '%28' : '%29',
  );
  return `![${words}](attachment:${address})`;
}

/** Images that were pasted together into a text, each with a line of its own. */
export interface PastedImages {
  readonly names: readonly string[];
  /** The words that they took the place of. */
  readonly replaced: string;
}

export function imageReferences(names: readonly string[]): string {
  return names.map(imageReference).join('\n');
}

/** What takes images out of a text again: between two offsets `text` is put. */
interface ReferenceEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Takes out one that is not attached after all: with it, or with all that were pasted together, the words come back that were there before.
 * `undefined` once the text refers to none of `names`.
 */
export function withoutReference(
  text: string,
  names: readonly string[],
  pastes: readonly PastedImages[],
): ReferenceEdit | undefined {
  for (const paste of pastes) {
    const whole = imageReferences(paste.names);
    const start = paste.names.every((name) => names.includes(name)) ? text.indexOf(whole) : -1;
    if (start < 0) continue;
    // Pasted over one of the same name, it would come back without end.
    const replaced = paste.names.reduce((left, name) => left.replaceAll(imageReference(name), ''), paste.replaced);
    return { start, end: start + whole.length, text: replaced };
  }
  for (const reference of names.map(imageReference)) {
    const start = text.indexOf(reference);
    if (start < 0) continue;
    const end = start + reference.length;
    const isLine = (start === 0 || text[start - 1] === '\n') && text[end] === '\n';
    return { start, end: isLine ? end + 1 : end, text: '' };
  }
  return undefined;
}

/** The name of the attachment to which the address of an image refers; `undefined` for one that leads elsewhere. */
export function referredImage(address: string): string | undefined {
  const [, name] = /^attachment:(.+)$/is.exec(address) ?? [];
  if (name === undefined) return undefined;
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
