import { createHmac } from 'node:crypto';
import { Agent as ClearAgent, type ClientRequest, request as clearRequest, type IncomingMessage } from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { WEB_HOOK_DELIVERY_HEADER, WEB_HOOK_SIGNATURE_HEADER, WEB_HOOK_TIME_HEADER } from '../../v3/assumptions.ts';
import { errorCode } from '../ground/errors.ts';
import { DeliveryFailure } from '../queue/jobHandler.ts';
import { allowedLookup, type FindAddresses } from './nameLookups.ts';
import { literalAddress, type ReceiverRules, receiverObjection } from './receiverRules.ts';

/** Milliseconds: until a connection stands, then until the head of the answer is there, then for the rest of it. */
export interface PostTimes {
  readonly connect: number;
  readonly head: number;
  readonly rest: number;
}

interface Post {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly rules: ReceiverRules;
  readonly addressesOf: FindAddresses;
  readonly times: PostTimes;
  readonly signal: AbortSignal;
}

/**
 * Posts over a connection of its own, straight to an address that the rules allow, and settles when 2xx was answered. Redirects are not
 * followed. Throws `DeliveryFailure`, in words that name no address but the one that was refused.
 */
export async function post(sent: Post): Promise<void> {
  const { url, rules, times } = sent;
  refuseLiteral(url, rules);
  const request = begin(sent);
  try {
    await within(times.connect, request, 'took too long to be connected to', connected(request, rules));
    const answer = await within(times.head, request, 'took too long to answer', answered(request, sent.body));
    await drained(answer, times.rest);
    refuseStatus(answer);
  } catch (error) {
    throw error instanceof DeliveryFailure
      ? error
      : new DeliveryFailure(`The receiver ${brokenBy(error)}.`, { cause: error });
  } finally {
    request.destroy();
  }
}

function begin({ url, headers, body, rules, addressesOf, signal }: Post): ClientRequest {
  const length = { 'Content-Length': String(Buffer.byteLength(body)) };
  const options = {
    method: 'POST',
    headers: { ...headers, ...length },
    lookup: allowedLookup(rules, addressesOf),
    signal,
  };
  const request =
    url.protocol === 'https:'
      ? tlsRequest(url, { ...options, agent: new TlsAgent() })
      : clearRequest(url, { ...options, agent: new ClearAgent() });
  return request.on('error', () => undefined);
}

/** An address in the place of a name is not looked up. */
function refuseLiteral(url: URL, rules: ReceiverRules): void {
  const literal = literalAddress(url);
  const objection = literal === undefined ? undefined : receiverObjection(literal, rules);
  if (objection !== undefined) throw new DeliveryFailure(objection);
}

/** Nothing is sent before this: what stands at the other end is looked at once more. */
function connected(request: ClientRequest, rules: ReceiverRules): Promise<void> {
  return new Promise((resolve, reject) => {
    request
      .once('error', reject)
      .once('close', reject)
      .once('socket', (socket: Socket) => {
        const isTls = 'encrypted' in socket;
        socket.once(isTls ? 'secureConnect' : 'connect', () => {
          const objection = receiverObjection(socket.remoteAddress ?? '', rules);
          if (objection === undefined) resolve();
          else reject(new DeliveryFailure(objection));
        });
      });
  });
}

function answered(request: ClientRequest, body: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('error', reject).once('close', reject).once('response', resolve);
    request.end(body);
  });
}

async function within<T>(time: number, request: ClientRequest, what: string, work: Promise<T>): Promise<T> {
  const late = setTimeout(() => request.destroy(new DeliveryFailure(`The receiver ${what}.`)), time);
  try {
    return await work;
  } finally {
    clearTimeout(late);
  }
}

/** What the system and name servers say of names that lead nowhere. */
const NAMELESS = new Set([
  ...['ENOTFOUND', 'EAI_AGAIN', 'ENODATA', 'EBADNAME', 'ETIMEOUT', 'ECANCELLED'],
  ...['ESERVFAIL', 'EREFUSED', 'EFORMERR', 'EBADRESP', 'ENOTIMP'],
]);

function brokenBy(error: unknown): string {
  const code = errorCode(error);
  if (NAMELESS.has(code)) return `cannot be found by its name (${code})`;
  if (code === 'ECONNRESET' || code === 'EPIPE') return `cut the connection (${code})`;
  return code === '' ? 'could not be reached' : `could not be reached (${code})`;
}

/** Bytes of an answer that are read, for the receiver's sake: what they say is of no interest. */
const READ_OF_ANSWER = 64 * 1024;

/** Whatever comes after the head changes nothing; a receiver that goes on for ever is cut off. */
function drained(answer: IncomingMessage, time: number): Promise<void> {
  return new Promise((resolve) => {
    let left = READ_OF_ANSWER;
    const late = setTimeout(resolve, time);
    answer
      .on('data', (chunk: Buffer) => {
        left -= chunk.length;
        if (left < 0) answer.destroy();
      })
      .on('error', () => undefined)
      .once('close', () => {
        clearTimeout(late);
        resolve();
      });
  });
}

/** Throws `DeliveryFailure` for all but 2xx, with the rest that the receiver asks for. */
function refuseStatus({ statusCode = 0, headers }: IncomingMessage): void {
  if (statusCode >= 200 && statusCode < 300) return;
  const redirects = statusCode >= 300 && statusCode < 400 ? '; redirects are not followed' : '';
  const restFor = restAskedFor(headers['retry-after'], Date.now());
  throw new DeliveryFailure(`The receiver answered ${statusCode}${redirects}.`, { restFor });
}

/** Milliseconds that a `Retry-After` header asks for, in seconds or as a date; none when it says neither. */
function restAskedFor(header: string | undefined, now: number): number {
  if (header === undefined) return 0;
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? 0 : Math.max(date - now, 0);
}

interface SignedPost {
  readonly deliveryId: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly body: string;
  /** Nothing is signed without one. */
  readonly secret: string | undefined;
}

/**
 * The headers by which a receiver tells what it had already and, with the project's secret, that it comes from here: the signature is
 * over delivery, time in seconds and body, with a dot between them, so that none of them can be put to other use.
 */
export function deliveryHeaders({ deliveryId, now, body, secret }: SignedPost): Readonly<Record<string, string>> {
  const seconds = String(Math.floor(now / 1000));
  const told = { [WEB_HOOK_DELIVERY_HEADER]: deliveryId, [WEB_HOOK_TIME_HEADER]: seconds };
  if (secret === undefined) return told;
  const signature = createHmac('sha256', secret).update(`${deliveryId}.${seconds}.${body}`).digest('hex');
  return { ...told, [WEB_HOOK_SIGNATURE_HEADER]: `sha256=${signature}` };
}

/** Posts that are under way to each receiver, so that one that is slow for many projects leaves room for those of others. */
export class ReceiverShares {
  private readonly most: number;
  private readonly patience: number;
  private readonly underWay = new Map<string, number>();
  private readonly waiting = new Map<string, (() => void)[]>();

  /** At most so many at once to one receiver; `patience` in milliseconds. */
  constructor(most: number, patience: number) {
    this.most = most;
    this.patience = patience;
  }

  /** Whether a post may begin, now or within the patience; it must then be given back. */
  take(receiver: string): Promise<boolean> {
    const count = this.underWay.get(receiver) ?? 0;
    if (count >= this.most) return this.turn(receiver);
    this.underWay.set(receiver, count + 1);
    return Promise.resolve(true);
  }

  give(receiver: string): void {
    const next = this.waiting.get(receiver)?.shift();
    const left = (this.underWay.get(receiver) ?? 1) - 1;
    if (next) next();
    else if (left > 0) this.underWay.set(receiver, left);
    else this.underWay.delete(receiver);
  }

  private turn(receiver: string): Promise<boolean> {
    const line = this.waiting.get(receiver) ?? [];
    this.waiting.set(receiver, line);
    return new Promise((resolve) => {
      const begin = (): void => {
        clearTimeout(late);
        resolve(true);
      };
      const late = setTimeout(() => {
        line.splice(line.indexOf(begin), 1);
        if (line.length === 0) this.waiting.delete(receiver);
        resolve(false);
      }, this.patience);
      line.push(begin);
    });
  }
}
