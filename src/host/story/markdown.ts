import MarkdownIt, { type StateCore, type Token } from 'markdown-it';
import { referredImage } from '../../core/story/imageReference.ts';
import { storyIdInLink, storyIdOnServer } from '../../core/story/storyAddress.ts';
import { escaped, linkTo, safeLink } from '../shell/html.ts';

/** Characters; a longer text is shown as it was written, so that no text holds the extension host for long. */
const MARKDOWN_LIMIT = 10_000;

/** Which stories a text may lead to. */
export interface StoryLinks {
  /** Where the server of the text's story is; its pages of stories lead to these. */
  readonly baseUrl?: string | undefined;
  /** Whether `#12` is a story that is known here; others stay text. */
  isKnown(storyId: number): boolean;
  /** The attachment of this name, where it is an image that is shown in the text; absent where none is. */
  readonly attachedImage?: ((filename: string) => number | undefined) | undefined;
}

/** For texts that lead to no story. */
export const noStoryLinks: StoryLinks = { isKnown: () => false };

const markdown = new MarkdownIt({ html: false, linkify: false, maxNesting: 30 }).use(taskItems);
markdown.validateLink = (address) =>
  safeLink(address) !== undefined ||
  storyIdInLink(address) !== undefined ||
  referredImage(address) !== undefined ||
  /^#\d{1,15}$/.test(address);
// Nothing is fetched: an image is its own words, as a link where it stands in none; one among the attachments comes later.
markdown.renderer.rules.image = (tokens, index) => {
  const address = String(tokens[index]?.attrGet('src') ?? '');
  const filename = referredImage(address);
  const words = tokens[index]?.content || (filename ?? address);
  if (isInLink(tokens, index)) return escaped(words);
  const id = filename === undefined ? undefined : current.attachedImage?.(filename);
  return id === undefined ? linkTo(address, words) : attachedImageHtml(id, words);
};
markdown.core.ruler.push('page', (state) => {
  for (const token of state.tokens) {
    fitIntoPage(token);
    if (token.children) token.children = linked(state, token.children);
  }
});

/** Its words, which open it, until its page has the image. */
function attachedImageHtml(id: number, words: string): string {
  const open = `type="button" data-do="openAttachment" data-id="${id}"`;
  const picture = `<button ${open} class="picture" data-key="image-${id}" hidden><img alt="${escaped(words)}"></button>`;
  return `<span class="attached" data-image="${id}">${picture}<button ${open} class="link">${escaped(words)}</button></span>`;
}

/** Which stories the text that is being made into HTML may lead to: it is made at once. */
let current: StoryLinks = noStoryLinks;

function withLinks(links: StoryLinks, make: () => string): string {
  current = links;
  try {
    return make();
  } finally {
    current = noStoryLinks;
  }
}

/**
 * A text as HTML. No markup of the text itself survives, nothing in it is loaded. Links lead to the web, to mail, or to stories
 * that are known here: these have their number in `data-story` and an address that leads nowhere.
 */
export function markdownHtml(text: string, links: StoryLinks = noStoryLinks): string {
  return text.length > MARKDOWN_LIMIT ? plainHtml(text, links) : withLinks(links, () => markdown.render(text));
}

/** As `markdownHtml`, within a line: no headings, lists or other blocks. */
export function inlineMarkdownHtml(text: string, links: StoryLinks = noStoryLinks): string {
  if (text.length > MARKDOWN_LIMIT) return piecesHtml(text, links);
  return withLinks(links, () => markdown.renderInline(text));
}

/** Plain text as HTML: its line breaks kept, its addresses and stories as links. */
export function plainHtml(text: string, links: StoryLinks = noStoryLinks): string {
  return `<div class="plain" dir="auto">${piecesHtml(text, links)}</div>`;
}

function piecesHtml(text: string, links: StoryLinks): string {
  return piecesOf(text, links)
    .map((piece) => {
      if (piece.storyId !== undefined)
        return `<a href="#${piece.storyId}" data-story="${piece.storyId}">${escaped(piece.text)}</a>`;
      return piece.address === undefined ? escaped(piece.text) : linkTo(piece.address, piece.text);
    })
    .join('');
}

/** A part of a text, and where it leads, if anywhere. */
export interface Piece {
  readonly text: string;
  readonly address?: string;
  readonly storyId?: number;
}

// An address of the web without the punctuation behind it, a link into an editor, or a story's number that is part of no word.
const MENTION =
  /\bhttps?:\/\/[^\s<>"'[\]]+[^\s<>"'[\].,;:!?)]|\b[a-z][a-z\d+.-]{0,30}:\/\/story-tracker\.story-tracker\/story\/\d{1,15}\b|(?<!(?![\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}])[\p{L}\p{M}\p{N}#&/.-])(?<![\p{L}\p{N}]_{1,3})#\d{1,15}(?!(?![\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}])[\p{L}\p{M}\p{N}]|_[\p{L}\p{N}])/giu;

/** A text and what it mentions, in their order. */
export function piecesOf(text: string, links: StoryLinks): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const { 0: mention, index } of text.matchAll(MENTION)) {
    const target = targetOf(mention, links);
    if (!target) continue;
    if (index > from) pieces.push({ text: text.slice(from, index) });
    pieces.push({ text: mention, ...target });
    from = index + mention.length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from) });
  return pieces;
}

/** Where a mention or the address of a link leads; `undefined` for what stays text. */
export function targetOf(mention: string, links: StoryLinks): Omit<Piece, 'text'> | undefined {
  const storyId = mention.startsWith('#') ? Number(mention.slice(1)) : storyIn(mention, links);
  if (storyId !== undefined && links.isKnown(storyId)) return { storyId };
  const address = safeLink(mention);
  return address === undefined ? undefined : { address };
}

function storyIn(address: string, { baseUrl }: StoryLinks): number | undefined {
  return storyIdInLink(address) ?? (baseUrl === undefined ? undefined : storyIdOnServer(address, baseUrl));
}

/** The words of a line with what they mention as links, but for words that are in a link already. */
function linked(state: StateCore, tokens: readonly Token[]): Token[] {
  const result: Token[] = [];
  let depth = 0;
  let isDropped = false;
  for (const token of tokens) {
    if (token.type === 'link_open') {
      depth += 1;
      isDropped = !leadsSomewhere(token);
      if (!isDropped) result.push(token);
    } else if (token.type === 'link_close') {
      depth -= 1;
      if (!isDropped) result.push(token);
      isDropped = false;
    } else if (token.type === 'text' && depth === 0) result.push(...linkedText(state, token));
    else result.push(token);
  }
  return result;
}

/** Makes a link to a story one that the page understands; `false` for one that is not known here. */
function leadsSomewhere(token: Token): boolean {
  const target = targetOf(String(token.attrGet('href') ?? ''), current);
  if (!target) return false;
  if (target.storyId !== undefined) pointToStory(token, target.storyId);
  return true;
}

function pointToStory(token: Token, storyId: number): void {
  token.attrSet('href', `#${storyId}`);
  token.attrSet('data-story', String(storyId));
}

function linkedText({ Token: Made }: StateCore, token: Token): readonly Token[] {
  const pieces = piecesOf(token.content, current);
  if (pieces.length === 1 && pieces[0]?.address === undefined && pieces[0]?.storyId === undefined) return [token];
  return pieces.flatMap(({ text, address, storyId }) => {
    const words = new Made('text', '', 0);
    words.content = text;
    if (address === undefined && storyId === undefined) return [words];
    const open = new Made('link_open', 'a', 1);
    if (storyId !== undefined) pointToStory(open, storyId);
    else open.attrSet('href', address ?? '');
    return [open, words, new Made('link_close', 'a', -1)];
  });
}

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

const TASK = /^\[([ xX])\](?=\s)/;

/** Shows `[ ]` and `[x]` at the beginning of a list's items as boxes, as other trackers do; nobody can tick them. */
export function taskItems({ core }: InstanceType<typeof MarkdownIt>): void {
  core.ruler.push('taskItems', ({ tokens }) => {
    for (const [index, { type }] of tokens.entries()) {
      const text = type === 'list_item_open' ? firstText(tokens, index) : undefined;
      const [mark, tick] = TASK.exec(text?.content ?? '') ?? [];
      if (!text || mark === undefined) continue;
      text.content = `${tick === ' ' ? '☐' : '☑'}${text.content.slice(mark.length)}`;
      tokens[index]?.attrJoin('class', 'task');
    }
  });
}

/** The words with which an item begins. */
function firstText(tokens: readonly Token[], item: number): Token | undefined {
  const [paragraph, line] = tokens.slice(item + 1, item + 3);
  const first = paragraph?.type === 'paragraph_open' ? line?.children?.[0] : undefined;
  return first?.type === 'text' ? first : undefined;
}
