import type { HtmlToken } from './htmlTokens.ts';

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
export class TextWriter {
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
