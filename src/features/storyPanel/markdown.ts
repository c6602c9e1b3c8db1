import type { Attachment } from '../../core/story/attachment.ts';
import { normalized } from '../../core/text.ts';
import {
  inlineMarkdownHtml,
  markdownHtml,
  noStoryLinks,
  plainHtml,
  type StoryLinks,
} from '../../host/story/markdown.ts';
import { mayBeShown } from './attachedImages.ts';
import { escaped } from './html.ts';

/** Milliseconds that new texts may take before the others wait for another turn. */
const BUDGET_MS = 15;
/** Characters of the texts whose HTML is remembered. */
const REMEMBERED = 1_000_000;

/** HTML of a text, of which stories it was known then that it may lead to them, and which attachments its images were. */
interface Rendered {
  readonly html: string;
  readonly known: ReadonlyMap<number, boolean>;
  readonly images: ReadonlyMap<string, number | undefined>;
}

/** How the texts of a story are made into HTML. */
export interface MarkdownWriter {
  /** A description or comment. */
  block(text: string): string;
  /** A task. */
  line(text: string): string;
  /** What is no Markdown, such as the message of a commit: only its addresses and stories are links. */
  plain(text: string): string;
}

/**
 * Markdown of all texts of a story, each made once: a story is shown again whenever anything about it changes, which its texts
 * seldom do. Where there are many new ones, the rest is shown as it was written until there is time for it.
 */
export class MarkdownCache implements MarkdownWriter {
  private readonly links: StoryLinks;
  private readonly now: () => number;
  private readonly rendered = new Map<string, Rendered>();
  private characters = 0;
  private attachedImage: ImageOf = () => undefined;
  private until = Number.POSITIVE_INFINITY;
  private _isBehind = false;

  constructor(links: StoryLinks = noStoryLinks, now: () => number = () => performance.now()) {
    this.links = links;
    this.now = now;
  }

  /** Some texts are shown as they were written, for want of time. */
  get isBehind(): boolean {
    return this._isBehind;
  }

  /** The next texts belong to another turn, and their story has these attachments. */
  begin(attachments: readonly Attachment[] = []): void {
    this.attachedImage = imagesAmong(attachments);
    this._isBehind = false;
    this.until = this.now() + BUDGET_MS;
  }

  block(text: string): string {
    return this.html(
      `block ${text}`,
      () => plainHtml(text),
      (links) => markdownHtml(text, links),
    );
  }

  line(text: string): string {
    return this.html(
      `line ${text}`,
      () => escaped(text),
      ({ baseUrl, isKnown }) => inlineMarkdownHtml(text, { baseUrl, isKnown }),
    );
  }

  plain(text: string): string {
    return plainHtml(text, this.links);
  }

  private html(key: string, plain: () => string, render: (links: StoryLinks) => string): string {
    const before = this.rendered.get(key);
    if (before && this.isUpToDate(before)) {
      // The latest used last, so that the others are forgotten first.
      this.rendered.delete(key);
      this.rendered.set(key, before);
      return before.html;
    }
    if (this.now() > this.until) {
      this._isBehind = true;
      return before?.html ?? plain();
    }
    const known = new Map<number, boolean>();
    const isKnown = (id: number) => {
      const is = this.links.isKnown(id);
      known.set(id, is);
      return is;
    };
    const images = new Map<string, number | undefined>();
    const attachedImage = (filename: string) => {
      const id = this.attachedImage(filename);
      images.set(filename, id);
      return id;
    };
    const html = render({ baseUrl: this.links.baseUrl, isKnown, attachedImage });
    this.remember(key, { html, known, images });
    return html;
  }

  private isUpToDate({ known, images }: Rendered): boolean {
    const isSameStory = ([id, isKnown]: readonly [number, boolean]) => this.links.isKnown(id) === isKnown;
    const isSameImage = ([filename, id]: readonly [string, number | undefined]) => this.attachedImage(filename) === id;
    return [...known].every(isSameStory) && [...images].every(isSameImage);
  }

  private remember(key: string, rendered: Rendered): void {
    if (!this.rendered.has(key)) this.characters += key.length;
    this.rendered.delete(key);
    this.rendered.set(key, rendered);
    for (const oldest of this.rendered.keys()) {
      if (this.characters <= REMEMBERED) break;
      this.rendered.delete(oldest);
      this.characters -= oldest.length;
    }
  }
}

type ImageOf = (filename: string) => number | undefined;

/** Which attachment an image in a text is: of several of one name the last. */
function imagesAmong(attachments: readonly Attachment[]): ImageOf {
  const nameOf = (filename: string) => normalized(filename, 'NFC');
  const ids = new Map(attachments.filter(mayBeShown).map(({ filename, id }) => [nameOf(filename), id]));
  return (filename) => ids.get(nameOf(filename));
}

/** The same links, for a text of a story that has these attachments. */
export function withAttachedImages(links: StoryLinks, attachments: readonly Attachment[]): StoryLinks {
  const { baseUrl } = links;
  return { baseUrl, isKnown: (id) => links.isKnown(id), attachedImage: imagesAmong(attachments) };
}

/** As it is without any story to lead to. */
export const plainWriter: MarkdownWriter = { block: markdownHtml, line: inlineMarkdownHtml, plain: plainHtml };
