import { setTimeout as sleep } from 'node:timers/promises';
import { failureMeans, kindOf, messageOf } from '../../core/errors.ts';
import type { Attachment } from '../../core/story/attachment.ts';
import { keyText } from '../../core/story/projectKey.ts';
import { BUILT_IN_ID } from '../../host/accounts/account.ts';
import type { App } from '../../host/app.ts';
import { theAttachment } from '../../host/story/theAttachment.ts';
import { imageFacts, isNamedLikeImage } from './imageFacts.ts';
import type { PanelStory, ToPage } from './panelMessages.ts';

/** Bytes; a larger image stays a row with *Open*. */
const LARGEST = 8 * 1024 * 1024;
/** Bytes of images that are kept for all tabs. */
const KEPT = 48 * 1024 * 1024;
/** Images that are fetched at once. */
const AT_ONCE = 3;
/** Milliseconds after which one that could not be had is asked for again; each time twice as long, up to the longest. */
const FIRST_REST = 2_000;
const LONGEST_REST = 300_000;

/** Whether the tab shows what is attached, if that is what it is called. */
export function mayBeShown({ filename, size = 0 }: Attachment): boolean {
  return isNamedLikeImage(filename) && size <= LARGEST;
}

interface Image {
  readonly mime: string;
  readonly bytes: Uint8Array;
}

type Needs = Pick<App, 'backlogs' | 'engine' | 'log'>;

/** Images that were fetched, of all tabs; the least used are forgotten first. */
const kept = new Map<string, Image>();

function keep(name: string, image: Image): void {
  kept.delete(name);
  kept.set(name, image);
  let bytes = [...kept.values()].reduce((sum, one) => sum + one.bytes.length, 0);
  for (const [oldest, one] of kept) {
    if (bytes <= KEPT) break;
    kept.delete(oldest);
    bytes -= one.bytes.length;
  }
}

/**
 * Fetches the images among a story's attachments for its page, which may load nothing itself. An address comes from the server,
 * so that nothing is fetched without a click but from that server itself, or over TLS.
 */
export class AttachedImages {
  private readonly needs: Needs;
  private readonly shows: PanelStory;
  private readonly tell: (message: ToPage) => Thenable<unknown>;
  private readonly waiting: number[] = [];
  /** In milliseconds, before each is asked for again. */
  private readonly rests = new Map<number, number>();
  private readonly ended = new AbortController();
  private underWay = 0;

  constructor(needs: Needs, shows: PanelStory, tell: (message: ToPage) => Thenable<unknown>) {
    this.needs = needs;
    this.shows = shows;
    this.tell = tell;
  }

  /** Has an image sent to the page once it is there, however often its server fails before; nothing is sent for what is none. */
  ask(attachmentId: number): void {
    if (!this.waiting.includes(attachmentId)) this.waiting.push(attachmentId);
    this.next();
  }

  dispose(): void {
    this.waiting.length = 0;
    this.ended.abort();
  }

  private next(): void {
    while (this.underWay < AT_ONCE) {
      const id = this.waiting.shift();
      if (id === undefined) return;
      this.underWay += 1;
      void this.send(id).finally(() => {
        this.underWay -= 1;
        this.next();
      });
    }
  }

  private async send(id: number): Promise<void> {
    try {
      const image = await this.image(id);
      this.rests.delete(id);
      if (image && !this.ended.signal.aborted) await this.tell({ type: 'image', id, ...image });
    } catch (thrown) {
      this.needs.log.debug(`an attached image is not shown: ${messageOf(thrown)}`);
      if (mayComeLater(thrown)) void this.askLater(id);
    }
  }

  private async askLater(id: number): Promise<void> {
    const rest = this.rests.get(id) ?? FIRST_REST;
    this.rests.set(id, Math.min(2 * rest, LONGEST_REST));
    const { signal } = this.ended;
    await sleep(rest, undefined, { signal, ref: false }).catch(() => undefined);
    if (!signal.aborted) this.ask(id);
  }

  private async image(attachmentId: number): Promise<Image | undefined> {
    const { accountId, projectId, storyId } = this.shows;
    const key = { accountId, projectId };
    const name = `${keyText(key)}/${storyId}/${attachmentId}`;
    const known = kept.get(name);
    if (known) {
      keep(name, known);
      return known;
    }
    const { address, attachment, waited } = await theAttachment(this.needs.backlogs, { key, storyId, attachmentId });
    if (address === undefined || !mayBeShown(attachment) || !this.isHarmless(address)) return undefined;
    const { signal } = this.ended;
    const { bytes, isWhole } = await this.needs.engine.downloads.beginning(address, LARGEST, { signal, waited });
    const facts = isWhole ? imageFacts(bytes) : undefined;
    if (!facts) return undefined;
    const image = { mime: facts.mime, bytes };
    keep(name, image);
    return image;
  }

  private isHarmless(address: string): boolean {
    const { accountId, projectId } = this.shows;
    const { protocol, origin, hostname } = new URL(address);
    const server = this.needs.backlogs.baseUrlOf({ accountId, projectId });
    // The built-in service has no address that stays.
    const isBuiltIn = accountId === BUILT_IN_ID && hostname === '127.0.0.1';
    return protocol === 'https:' || isBuiltIn || (server !== undefined && URL.parse(server)?.origin === origin);
  }
}

/** Not what a server refuses, nor a fault of ours, which comes again. */
function mayComeLater(thrown: unknown): boolean {
  const kind = kindOf(thrown);
  if (kind === undefined || kind === 'cancelled') return false;
  return !failureMeans(kind, 'final') && !failureMeans(kind, 'denied');
}
