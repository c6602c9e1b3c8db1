import MarkdownIt, { type Token } from 'markdown-it';
import { withoutControls } from '../../core/text.ts';
import { plainMarkdown } from '../shell/html.ts';
import { noStoryLinks, type Piece, piecesOf, type StoryLinks, targetOf, taskItems } from './markdown.ts';

const markdown = new MarkdownIt({ html: false, linkify: false, maxNesting: 20 }).use(taskItems);

/** Which stories the text of a hover may lead to, and how. */
export interface HoverLinks extends StoryLinks {
  /** The address that opens a story, as a hover may have it. */
  addressOf(storyId: number): string;
}

const noHoverLinks: HoverLinks = { ...noStoryLinks, addressOf: () => '' };

/**
 * A server's Markdown as Markdown for a hover: made anew from what it says, so that nothing of its own markup is left. Links lead
 * to the web, to mail, or to stories that are known here, images are their words, and no text of it is anything but text.
 */
export function hoverMarkdown(text: string, links: HoverLinks = noHoverLinks): string {
  // What is written as `&#x202e;` is seen only now.
  return withoutControls(blocks(markdown.parse(text, {}), links)).trim();
}

/** What begins the first line of a block, and all others of it. */
interface Margin {
  readonly first: string;
  readonly rest: string;
}

const MARGINS: Readonly<Record<string, (list: ListState) => Margin>> = {
  blockquote_open: () => ({ first: '> ', rest: '> ' }),
  list_item_open: (list) => {
    const mark = list.number === undefined ? '- ' : `${list.number++}. `;
    return { first: mark, rest: ' '.repeat(mark.length) };
  },
};

/** Where a numbered list is. */
interface ListState {
  number: number | undefined;
}

function blocks(tokens: readonly Token[], links: HoverLinks): string {
  const margins: Margin[] = [];
  const lists: ListState[] = [];
  const written: string[] = [];
  let cells: string[] | undefined;
  const rest = () => margins.map((margin) => margin.rest).join('');
  const writeBlank = () => written.push(rest().trimEnd());
  const write = (text: string, { isTight = false } = {}) => {
    const first = margins.map((margin) => margin.first).join('');
    written.push(`${first}${text.replaceAll('\n', `\n${rest()}`)}`);
    // What comes later in a list item stands below its mark.
    for (const [index, margin] of margins.entries()) margins[index] = { first: margin.rest, rest: margin.rest };
    if (!isTight) writeBlank();
  };
  for (const [index, token] of tokens.entries()) {
    const { type } = token;
    const before = tokens[index - 1];
    if (type === 'bullet_list_open') lists.push({ number: undefined });
    else if (type === 'ordered_list_open') lists.push({ number: Number(token.attrGet('start') ?? 1) });
    else if (type === 'blockquote_close' || type === 'list_item_close') margins.pop();
    else if (type === 'bullet_list_close' || type === 'ordered_list_close') {
      lists.pop();
      writeBlank();
    } else if (type === 'fence' || type === 'code_block') write(codeBlock(token.content));
    else if (type === 'hr') write('---');
    else if (type === 'tr_open') cells = [];
    else if (type === 'tr_close') write((cells ?? []).join(' · '));
    else if (type === 'table_close') cells = undefined;
    else if (type === 'inline' && cells) cells.push(inline(token.children ?? [], links));
    else if (type === 'inline') write(blockOf(token, before, links), { isTight: before?.hidden === true });
    const margin = MARGINS[type]?.(lists.at(-1) ?? { number: undefined });
    if (margin) margins.push(margin);
  }
  return written.join('\n');
}

/** A heading is bold: its size would burst the hover. */
function blockOf(token: Token, before: Token | undefined, links: HoverLinks): string {
  const text = inline(token.children ?? [], links);
  return before?.type === 'heading_open' && !text.includes('**') ? `**${text}**` : text;
}

function codeBlock(content: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(content) + 1));
  return `${fence}\n${content.replace(/\n$/, '')}\n${fence}`;
}

function codeSpan(content: string): string {
  const fence = '`'.repeat(longestRun(content) + 1);
  return `${fence} ${content} ${fence}`;
}

/** Parsers differ in where the words of a link end that has brackets in its code. */
function codeInLink(content: string): string {
  return /[[\]\\`]/.test(content) ? plainMarkdown(content) : codeSpan(content);
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
}

const MARKS: Readonly<Record<string, string>> = {
  strong_open: '**',
  strong_close: '**',
  em_open: '*',
  em_close: '*',
  s_open: '~~',
  s_close: '~~',
  softbreak: '\n',
  hardbreak: '\\\n',
};

function inline(tokens: readonly Token[], links: HoverLinks): string {
  const open: (string | undefined)[] = [];
  return tokens
    .map((token) => {
      const { type, content } = token;
      if (type === 'text') return open.length > 0 ? plainMarkdown(content) : linkedText(content, links);
      if (type === 'code_inline') return open.length > 0 ? codeInLink(content) : codeSpan(content);
      if (type === 'image') return imageText(token);
      if (type === 'link_open') {
        const link = linkOf(targetOf(String(token.attrGet('href') ?? ''), links), links);
        open.push(link);
        return link === undefined ? '' : '[';
      }
      if (type !== 'link_close') return MARKS[type] ?? plainMarkdown(content);
      const link = open.pop();
      return link === undefined ? '' : `](${link})`;
    })
    .join('');
}

/** Nothing is fetched, and no link leads where an image would have come from unseen: an image is its own words. */
function imageText(token: Token): string {
  return plainMarkdown(token.content || String(token.attrGet('src') ?? ''));
}

function linkedText(text: string, links: HoverLinks): string {
  return piecesOf(text, links)
    .map((piece) => {
      const link = linkOf(piece, links);
      return link === undefined ? plainMarkdown(piece.text) : `[${plainMarkdown(piece.text)}](${link})`;
    })
    .join('');
}

/** Characters of an address that a hover leads to. */
const LONGEST_ADDRESS = 2000;

/**
 * Where something leads, as it may stand in a link of ours; `undefined` for what leads nowhere. Were it ever not read as part of a
 * link, it would not be a bare address either, which takes all up to the next space with it.
 */
function linkOf(target: Omit<Piece, 'text'> | undefined, links: HoverLinks): string | undefined {
  const { storyId, address } = target ?? {};
  const link = storyId === undefined ? address : links.addressOf(storyId);
  if (link === undefined || link.length > LONGEST_ADDRESS) return undefined;
  const encoded = (character: string) => `%${character.charCodeAt(0).toString(16)}`;
  const inLink = link.replace(/[()\\<>`]/g, encoded).replaceAll('&', '&amp;');
  return inLink.replaceAll('://', '\\://').replaceAll(/(?<=www)\./gi, '\\.');
}
