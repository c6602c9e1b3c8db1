import { namedEntities } from '../../../v3/namedEntities.ts';

type HtmlToken =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'open'; readonly name: string; readonly attributes: ReadonlyMap<string, string> }
  | { readonly kind: 'close'; readonly name: string };

/** What follows these is not shown as text, or not as HTML. */
const RAW = new Set(['script', 'style', 'title', 'noscript', 'iframe', 'textarea', 'xmp']);
const NAME = /[a-z][a-z0-9:-]*/iy;
const ATTRIBUTE = /([^\s"'>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g;

/** The texts and tags of HTML as mail programs write it, good or bad, in one pass over it: nothing is looked at twice. */
function* htmlTokens(html: string): Generator<HtmlToken> {
  const tags = new TagEnds(html);
  let at = 0;
  while (at < html.length) {
    const mark = html.indexOf('<', at);
    const end = mark < 0 ? html.length : mark;
    if (end > at) yield { kind: 'text', text: decoded(html.slice(at, end)) };
    if (mark < 0) return;
    const tag = readTag(html, mark, tags);
    if (tag.token) yield tag.token;
    at = tag.token?.kind === 'open' && RAW.has(tag.token.name) ? afterRaw(html, tag.end, tag.token.name) : tag.end;
  }
}

function readTag(html: string, mark: number, tags: TagEnds): { readonly token?: HtmlToken; readonly end: number } {
  if (html.startsWith('<!--', mark)) return { end: after(html, '-->', mark + 4) };
  if (html.startsWith('<!', mark) || html.startsWith('<?', mark)) return { end: after(html, '>', mark) };
  const isClosing = html[mark + 1] === '/';
  NAME.lastIndex = mark + (isClosing ? 2 : 1);
  const name = NAME.exec(html)?.[0].toLowerCase();
  if (name === undefined) return { token: { kind: 'text', text: '<' }, end: mark + 1 };
  const inside = mark + (isClosing ? 2 : 1) + name.length;
  const end = tags.endAfter(inside);
  if (isClosing) return { token: { kind: 'close', name }, end };
  return { token: { kind: 'open', name, attributes: attributesOf(html.slice(inside, end)) }, end };
}

/** Finds where tags end. Once quotes turn out to be open to the very end, they are no longer heeded. */
class TagEnds {
  private readonly html: string;
  private heedsQuotes = true;

  constructor(html: string) {
    this.html = html;
  }

  endAfter(from: number): number {
    const end = this.heedsQuotes ? this.endHeedingQuotes(from) : undefined;
    if (end !== undefined) return end;
    this.heedsQuotes = false;
    return after(this.html, '>', from);
  }

  private endHeedingQuotes(from: number): number | undefined {
    let quote = '';
    for (let at = from; at < this.html.length; at++) {
      const character = this.html.charAt(at);
      if (quote !== '') quote = character === quote ? '' : quote;
      else if (character === '>') return at + 1;
      else if (character === '"' || character === "'") quote = character;
    }
    return undefined;
  }
}

function after(html: string, mark: string, from: number): number {
  const at = html.indexOf(mark, from);
  return at < 0 ? html.length : at + mark.length;
}

function afterRaw(html: string, from: number, name: string): number {
  const closing = new RegExp(`</${name}`, 'gi');
  closing.lastIndex = from;
  const found = closing.exec(html);
  return found ? after(html, '>', found.index) : html.length;
}

function attributesOf(text: string): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name = '', double, single, bare] of text.matchAll(ATTRIBUTE)) {
    if (!attributes.has(name.toLowerCase()))
      attributes.set(name.toLowerCase(), decoded(double ?? single ?? bare ?? ''));
  }
  return attributes;
}

function decoded(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z][a-z0-9]{1,30}));?/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return namedEntities()[name] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : '\ufffd';
  });
}

const VOID = new Set(['br', 'hr', 'img', 'input', 'meta', 'link', 'col', 'wbr', 'area', 'base', 'embed', 'source']);
export interface HtmlText {
  /** With `[image]` where one was that belongs to the mail. */
  readonly text: string;
  /** Content-IDs of those images, without angle brackets. */
  readonly images: readonly string[];
}

/** What a person wrote in HTML, as text: without what their program marks as quoted or as a signature. */
export function htmlText(html: string): HtmlText {
  const writer = new TextWriter();
  let skipped: { readonly name: string; depth: number } | undefined;
  for (const token of htmlTokens(html)) {
    if (skipped) {
      skipped.depth += depthChange(token, skipped.name);
      if (skipped.depth === 0) skipped = undefined;
    } else if (token.kind === 'open' && beginsQuotedMail(token.name, token.attributes)) {
      break;
    } else if (token.kind === 'open' && token.name === 'head') {
      skipped = { name: 'head', depth: 1 };
    } else if (token.kind === 'open' && isQuoteElement(token.name, token.attributes)) {
      writer.breakLine();
      if (!VOID.has(token.name)) skipped = { name: token.name, depth: 1 };
    } else {
      writer.take(token);
    }
  }
  return { text: writer.text(), images: writer.images };
}

function depthChange(token: HtmlToken, name: string): number {
  if (token.kind === 'text' || token.name !== name) return 0;
  return token.kind === 'open' ? 1 : -1;
}

/** By class, what mail programs put around what they quote, its introduction and signatures. */
const QUOTE_CLASSES = new Set([
  ...['gmail_quote', 'gmail_quote_container', 'gmail_attr', 'gmail_signature', 'gmail_signature_prefix'],
  ...['moz-cite-prefix', 'moz-signature', 'yahoo_quoted', 'protonmail_quote', 'protonmail_signature_block'],
  ...['tutanota_quote', 'ms-outlook-mobile-signature', 'zmail_extra', 'iphone_signature'],
]);
const SIGNATURE_IDS = new Set(['applemailsignature', 'signature', 'ms-outlook-mobile-signature', 'mail-signature']);
/** All that follows one of these is what was answered. */
const LAST_IDS = new Set(['appendonsend', 'divrplyfwdmsg', 'mail-editor-reference-message-container', 'replysplit']);
/** The line above the quoted head in Outlook on the desktop. */
const OUTLOOK_LINE = /border:\s*none;\s*border-top:\s*solid #(?:e1e1e1|b5c4df) 1\.0pt/i;

type Attributes = ReadonlyMap<string, string>;

/** Whether an element is quoted text or a signature by the marks that mail programs give those, or is not shown. */
function isQuoteElement(name: string, attributes: Attributes): boolean {
  if (name === 'blockquote' && attributes.get('type')?.toLowerCase() === 'cite') return true;
  if (SIGNATURE_IDS.has(attributes.get('id')?.toLowerCase() ?? '')) return true;
  if (/display:\s*none/i.test(attributes.get('style') ?? '')) return true;
  return (attributes.get('class') ?? '').split(/\s+/).some((one) => QUOTE_CLASSES.has(one.toLowerCase()));
}

/** Whether an element begins the quoted mail, which then goes on to the end. */
function beginsQuotedMail(name: string, attributes: Attributes): boolean {
  if (LAST_IDS.has(attributes.get('id')?.toLowerCase() ?? '')) return true;
  return name === 'div' && OUTLOOK_LINE.test(attributes.get('style') ?? '');
}

const BLOCKS = new Set([
  ...['address', 'article', 'blockquote', 'body', 'center', 'dd', 'div', 'dl', 'dt', 'fieldset', 'footer', 'form'],
  ...[
    'h1',
    'h2',
    'h3',
    'h4',
    'h5',
    'h6',
    'header',
    'li',
    'main',
    'ol',
    'p',
    'pre',
    'section',
    'table',
    'tr',
    'ul',
    'hr',
  ],
]);
/** These stand apart from what is around them. */
const PARAGRAPHS = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'pre', 'blockquote', 'table']);

/** As `&nbsp;` writes it; Outlook's empty lines hold one. */
const HARD_SPACE = '\u00a0';

/** Lays out the tokens of HTML as lines of text. */
class TextWriter {
  readonly images: string[] = [];
  private readonly lines: string[] = [];
  /** Of the line that is being written; joined once, since a long one may come in very many. */
  private pieces: string[] = [];
  private preformatted = 0;
  private quoted = 0;
  private readonly lists: { readonly isOrdered: boolean; count: number }[] = [];
  private link: { readonly href: string; readonly from: number; readonly line: number } | undefined;

  take(token: HtmlToken): void {
    if (token.kind === 'text') this.add(token.text);
    else if (token.kind === 'open') this.open(token.name, token.attributes);
    else this.close(token.name);
  }

  breakLine(): void {
    const line = this.pieces.join('');
    if (line.trim() !== '' || line.includes(HARD_SPACE)) this.endLine();
    this.pieces = [];
  }

  text(): string {
    this.breakLine();
    return this.lines
      .join('\n')
      .replaceAll(HARD_SPACE, ' ')
      .replace(/\n{3,}/g, '\n\n')
      .trim();
  }

  private add(text: string): void {
    if (this.preformatted === 0) {
      const plain = text.replace(/[ \t\r\n\f]+/g, ' ');
      const isAfterSpace = this.pieces.at(-1)?.endsWith(' ') ?? true;
      const added = isAfterSpace ? plain.replace(/^ /, '') : plain;
      if (added !== '') this.pieces.push(added);
      return;
    }
    const [first = '', ...others] = text.split(/\r\n|\r|\n/);
    this.pieces.push(first);
    for (const other of others) {
      this.endLine();
      this.pieces.push(other);
    }
  }

  private open(name: string, attributes: ReadonlyMap<string, string>): void {
    if (BLOCKS.has(name)) this.breakLine();
    if (isParagraph(name, attributes)) this.blankLine();
    if (name === 'br') this.endLine();
    else if (name === 'pre') this.preformatted += 1;
    else if (name === 'blockquote') this.quoted += 1;
    else if (name === 'ul' || name === 'ol') this.lists.push({ isOrdered: name === 'ol', count: 0 });
    else if (name === 'li') this.pieces = [this.bullet()];
    else if (name === 'td' || name === 'th') this.add(' ');
    else if (name === 'img') this.image(attributes);
    else if (name === 'a') this.beginLink(attributes.get('href') ?? '');
  }

  private close(name: string): void {
    if (name === 'a') this.endLink();
    if (BLOCKS.has(name)) this.breakLine();
    if (PARAGRAPHS.has(name) && name !== 'p') this.blankLine();
    if (name === 'pre') this.preformatted = Math.max(0, this.preformatted - 1);
    if (name === 'blockquote') this.quoted = Math.max(0, this.quoted - 1);
    if (name === 'ul' || name === 'ol') this.lists.pop();
  }

  private endLine(): void {
    this.lines.push(`${'> '.repeat(Math.min(this.quoted, 5))}${this.pieces.join('').trimEnd()}`);
    this.pieces = [];
  }

  private blankLine(): void {
    if (this.lists.length > 0) return;
    if (this.lines.length > 0 && this.lines.at(-1) !== '') this.lines.push('');
  }

  private bullet(): string {
    const list = this.lists.at(-1);
    if (!list) return '- ';
    list.count += 1;
    const indent = '  '.repeat(Math.min(this.lists.length - 1, 8));
    return list.isOrdered ? `${indent}${list.count}. ` : `${indent}- `;
  }

  private image(attributes: ReadonlyMap<string, string>): void {
    const [, id] = /^cid:(.+)$/i.exec(attributes.get('src') ?? '') ?? [];
    if (id === undefined) {
      this.add(shortAlternative(attributes.get('alt') ?? ''));
    } else {
      this.images.push(id);
      this.add('[image]');
    }
  }

  private beginLink(href: string): void {
    this.link = { href, from: this.pieces.length, line: this.lines.length };
  }

  /** A link says where it leads, unless its text does. */
  private endLink(): void {
    const { link } = this;
    this.link = undefined;
    if (!link || link.line !== this.lines.length || !/^https?:\/\/[^\s<>]+$/i.test(link.href)) return;
    const shown = this.pieces.slice(link.from).join('').trim();
    if (shown !== '' && bareAddress(shown) !== bareAddress(link.href)) this.pieces.push(` (${link.href})`);
  }
}

function bareAddress(address: string): string {
  return address.replace(/^https?:\/\//i, '').replace(/\/$/, '');
}

/** Pictures that stand for a character, as some programs send emoji. */
function shortAlternative(text: string): string {
  return [...text].length <= 2 ? text : '';
}

/** Outlook makes each line a paragraph without any space around it. */
function isParagraph(name: string, attributes: ReadonlyMap<string, string>): boolean {
  return PARAGRAPHS.has(name) && !/\bmso/i.test(attributes.get('class') ?? '');
}
