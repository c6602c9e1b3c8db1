import PostalMime, { type Email } from 'postal-mime';
import { htmlText } from './htmlText.ts';

interface TextPart {
  readonly value: unknown;
}

/** What stands for one text of a mail: parts of it, or the same in two forms. */
interface TextForms {
  readonly plain?: readonly TextPart[];
  readonly html?: readonly TextPart[];
}

/** A part of a mail that is being read, which holds each line and its end by itself where lines are what they say. */
interface OpenPart {
  readonly contentDecoder: { chunks: (Uint8Array | ArrayBuffer | string)[] } | null;
}

type ProcessLine = (this: unknown, line: Uint8Array, isFinal: boolean) => Promise<void>;
const processLine: ProcessLine = Reflect.get(PostalMime.prototype, 'processLine');

/** Pieces of a part that are joined to one, since each costs some hundred bytes besides those that it holds. */
const JOINED = 4_096;

const LIMITS = { maxNestingDepth: 30, maxHeadersSize: 256 * 1024, forceRfc822Attachments: true } as const;
/** Characters of all texts of a mail, with what they quote. */
const LONGEST_PLAIN = 500_000;
const LONGEST_HTML = 4_000_000;

/**
 * The parser with its own way from HTML to text replaced by ours, which drops what is quoted, and whose time grows with the length of
 * the text and not with its square; and whose memory grows with the bytes of a mail and not with its lines. Tests send it what it would
 * otherwise choke on.
 */
class MailParser extends PostalMime {
  declare private readonly textMap: ReadonlyMap<unknown, TextForms>;
  declare private readonly currentNode: OpenPart;
  private readonly joinedUpTo = new WeakMap<object, number>();
  declare protected textContent: { readonly plain: string; readonly html: string };

  /** Called by the parser for each line. */
  protected async processLine(line: Uint8Array, isFinal: boolean): Promise<void> {
    await processLine.call(this, line, isFinal);
    const decoder = this.currentNode.contentDecoder;
    if (decoder) this.join(decoder.chunks);
  }

  private join(chunks: (Uint8Array | ArrayBuffer | string)[]): void {
    const from = this.joinedUpTo.get(chunks) ?? 0;
    if (chunks.length - from < JOINED) return;
    const pieces = chunks
      .splice(from)
      .map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : new Uint8Array(piece)));
    chunks.push(Buffer.concat(pieces));
    this.joinedUpTo.set(chunks, from + 1);
  }

  /** Called by the parser when it has seen all parts. */
  protected renderTextContent(): void {
    const forms = [...this.textMap.values()];
    const plain = forms.reduce((sum, each) => sum + lengthOf(each.plain), 0);
    const html = forms.reduce((sum, each) => sum + lengthOf(each.html), 0);
    if (plain > LONGEST_PLAIN || html > LONGEST_HTML) throw new Error('its text is too long. Send it in a file');
    this.textContent = {
      plain: forms.some((each) => each.plain) ? forms.map(asPlain).join('\n') : '',
      html: forms.map((each) => joined(each.html)).join('\n'),
    };
  }
}

/** Takes a mail apart. Throws what the parser has against it, and for texts that would take too long to read. */
export async function parseMail(raw: Buffer): Promise<Email> {
  return new MailParser(LIMITS).parse(raw);
}

function asPlain({ plain, html }: TextForms): string {
  return plain ? joined(plain) : htmlText(joined(html)).text;
}

function joined(parts: readonly TextPart[] = []): string {
  return parts.map(({ value }) => String(value)).join('\n');
}

function lengthOf(parts: readonly TextPart[] = []): number {
  return parts.reduce((sum, { value }) => sum + String(value).length, 0);
}
