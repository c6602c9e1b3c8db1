/**
 * What stands for an image among a story's attachments in its description or comments, as Markdown; of our own, since the
 * document knows none (api-v3.md, Attachment). Other clients show it as the text that it is.
 */
export function imageReference(filename: string): string {
  const words = filename.replaceAll(/[\\[\]\s]+/g, ' ');
  const address = encodeURIComponent(filename.toWellFormed()).replaceAll(/[()]/g, (one) =>
    one === '(' ? '%28' : '%29',
  );
  return `![${words}](attachment:${address})`;
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
