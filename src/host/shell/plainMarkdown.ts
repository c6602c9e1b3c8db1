/** The punctuation of ASCII, of which markup and bare addresses are made. CommonMark lets a backslash take the meaning of each. */
const PUNCTUATION = /[!-/:-@[-`{-~]/g;

/**
 * Text that is data as Markdown that shows it as it is. Lines break between its words, as VS Code's own `appendText` does not let
 * them. A bare address is none in it: Markdown would take all up to the next space for one, marks of our own included.
 */
export function plainMarkdown(text: string): string {
  const escaped = text.replaceAll(PUNCTUATION, '\\$&');
  return escaped.replaceAll(/[ \t]+/g, ' ').replaceAll(/\r\n?|\n/g, '\n\n');
}
