import MarkdownIt, { type Token } from 'markdown-it';
import { linkTo, plainText, safeLink } from './html.ts';

/** Characters; a longer text is shown as it was written, so that no text holds the extension host for long. */
const MARKDOWN_LIMIT = 10_000;

const markdown = new MarkdownIt({ html: false, linkify: false, maxNesting: 30 });
markdown.validateLink = (address) => safeLink(address) !== undefined;
// Nothing is fetched: an image is its own words, as a link where it stands in none.
markdown.renderer.rules.image = (tokens, index) => {
  const address = String(tokens[index]?.attrGet('src') ?? '');
  return linkTo(isInLink(tokens, index) ? undefined : address, tokens[index]?.content || address);
};
markdown.core.ruler.push('page', ({ tokens }) => {
  for (const token of tokens) fitIntoPage(token);
});

/** A description as HTML. No markup of the text itself survives, nothing in it is loaded, and links lead to the web or to mail. */
export function renderMarkdown(text: string): string {
  if (text.length > MARKDOWN_LIMIT) return plainText(text);
  if (text !== last.text) last = { text, html: markdown.render(text) };
  return last.html;
}

/** A story is shown again whenever anything about it changes, which its description seldom does. */
let last = { text: '', html: '' };

/** Headings go below those of the page; every block finds its own direction; no inline styles, which the page forbids. */
function fitIntoPage(token: Token): void {
  if (token.type.startsWith('heading_')) token.tag = `h${Math.min(6, Number(token.tag.slice(1)) + 2)}`;
  if (token.nesting === 1) token.attrSet('dir', 'auto');
  const style = token.attrGet('style');
  if (style === null) return;
  token.attrs = token.attrs?.filter(([name]) => name !== 'style') ?? null;
  token.attrSet('class', `to-${String(style).replace('text-align:', '')}`);
}

function isInLink(tokens: readonly Token[], index: number): boolean {
  const depth = (sum: number, { type }: Token) => sum + (type === 'link_open' ? 1 : type === 'link_close' ? -1 : 0);
  return tokens.slice(0, index).reduce(depth, 0) > 0;
}
