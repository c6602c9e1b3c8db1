/** V8 copies shorter slices; a longer one keeps the whole chunk it was cut from alive. */
const SHORTEST_SLICE = 13;
const LONGEST_SHARED = 40;
const MOST_SHARED = 4096;

/** The same characters in memory of their own. Half surrogate pairs must not come in. */
function copyOf(text: string): string {
  return Buffer.from(text).toString();
}

/** What was cut from a long text, in memory of its own, so that the long one is not kept for it. */
export function ownCopy(cut: string): string {
  return cut.length < SHORTEST_SLICE ? cut : Buffer.from(cut, 'utf16le').toString('utf16le');
}

/** Texts of one document: each independent of the chunk it came from, equal short ones being one. */
export class OwnedTexts {
  private readonly shared = new Map<string, string>();

  of(text: string): string {
    if (text.length < SHORTEST_SLICE) return text;
    if (text.length > LONGEST_SHARED) return copyOf(text);
    const known = this.shared.get(text);
    if (known !== undefined) return known;
    const own = copyOf(text);
    if (this.shared.size < MOST_SHARED) this.shared.set(own, own);
    return own;
  }
}
