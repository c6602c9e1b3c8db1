import { namedEntities } from '../../../v3/namedEntities.ts';

export type HtmlToken =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'open'; readonly name: string; readonly attributes: ReadonlyMap<string, string> }
  | { readonly kind: 'close'; readonly name: string };

/** What follows these is not shown as text, or not as HTML. */
const RAW = new Set(['script', 'style', 'title', 'noscript', 'iframe', 'textarea', 'xmp']);
const NAME = /[a-z][a-z0-9:-]*/iy;
const ATTRIBUTE = /([^\s"'>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g;

/** The texts and tags of HTML as mail programs write it, good or bad, in one pass over it: nothing is looked at twice. */
export function* htmlTokens(html: string): Generator<HtmlToken> {
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
