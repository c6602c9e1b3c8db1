import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { TrackerError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { visibleLine, withoutEnd } from '../../core/text.ts';
import { t } from '../../core/translation.ts';
import { errorSentences, fieldErrors } from '../../v3/errorList.ts';
import { XmlError } from '../../v3/xmlError.ts';
import { addressOf } from '../network/baseUrl.ts';
import type { Connections } from '../network/connections.ts';
import { networkError } from '../network/networkError.ts';
import { isRedirect, redirectTarget } from '../network/redirect.ts';
import { type Arrival, bodyOf, discarded, oneHeader, startOfBody } from './answerBody.ts';
import { AnswerCache, entityTagOf, KEPT_BODY, type KeptAnswer, validatorOf } from './answerCache.ts';
import type { AnswerReader } from './answers.ts';
import { type Pace, RequestSlots, retryAfter, withRetries } from './pace.ts';
import { certificateError, isRefusedCertificate, statusError } from './statusError.ts';
import { type Allowance, Deadline, type Timeouts, type TimeSpent } from './timeouts.ts';
import { checkedToken } from './tokenHeader.ts';
import type { UploadBody } from './uploadBody.ts';

/** One call of the protocol. */
export interface Call<T> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With `API_ROOT`, without query. */
  readonly path: string;
  readonly query?: URLSearchParams;
  /** How the user is named: the token header when left out, the token in the query (endpoint 7), or HTTP Basic. */
  readonly login?: 'query' | { readonly authorization: string };
  readonly body?: { readonly contentType: string; readonly text: string } | UploadBody;
  readonly read: AnswerReader<T>;
  readonly signal?: AbortSignal | undefined;
  /** What other reads have taken of the time that they share with this one. */
  readonly spent?: TimeSpent | undefined;
  /** As in `CallOptions`; reads go anyway. */
  readonly mayGo?: (() => boolean) | undefined;
  /** As in `CallOptions`. */
  readonly ifMatch?: string | undefined;
  /** Milliseconds until the answer begins, of a call that takes the server long. */
  readonly patience?: number;
  /** Told the entity tag of the answer, where it has one. */
  readonly onTag?: (tag: string) => void;
}

interface SenderSettings {
  readonly base: URL;
  readonly connections: Pick<Connections, 'request' | 'upload' | 'secrets'>;
  readonly token: () => Promise<string>;
  readonly tokenHeader: string;
  /** Whether reads ask for gzip. */
  readonly isCompressed: boolean;
  readonly timeouts: Timeouts;
  readonly pace: Pace;
  readonly log: Log;
}

interface Outgoing {
  readonly url: URL;
  readonly headers: Record<string, string>;
  /** What must not be in an error, even when the server says it. */
  readonly secrets: readonly string[];
  /** For whom the answer may be kept; undefined for what is not a read. */
  readonly owner: string | undefined;
  readonly kept: KeptAnswer | undefined;
}

interface Incoming {
  readonly response: Dispatcher.ResponseData;
  /** The answer may stand for the address that was asked, none being in between. */
  readonly isDirect: boolean;
}

/** What is known of a request that failed. */
interface Failed {
  readonly request: string;
  readonly secrets: readonly string[];
  /** Milliseconds that it took. */
  readonly after: number;
}

/** Sends calls to one server and gives back values or `TrackerError`, nothing else. Reads are retried, writes never. */
export class Sender {
  private readonly settings: SenderSettings;
  private readonly answers = new AnswerCache();
  private readonly slots = new RequestSlots();

  constructor(settings: SenderSettings) {
    this.settings = settings;
  }

  async call<T>(call: Call<T>): Promise<T> {
    const { timeouts, pace, base } = this.settings;
    const isUpload = call.body !== undefined && 'pieces' in call.body;
    const upload = { total: timeouts.total, pace: timeouts.filePace };
    const spent = call.method === 'GET' ? call.spent : undefined;
    const deadline = new Deadline(isUpload ? upload : this.answerTime(call), call.signal, spent);
    const attempt = () => this.attempt(call, deadline);
    try {
      return await (call.method === 'GET' ? withRetries(attempt, deadline.signal, pace) : attempt());
    } catch (error) {
      throw deadline.error(this.nameOf(call), base.host) ?? error;
    } finally {
      deadline.dispose();
    }
  }

  private async attempt<T>(call: Call<T>, deadline: Deadline): Promise<T> {
    const { base, log } = this.settings;
    const request = this.nameOf(call);
    const start = performance.now();
    const note = (result: string | number) =>
      log.debug(`${request} ${result} ${Math.round(performance.now() - start)} ms`);
    let secrets: readonly string[] = [];
    try {
      deadline.signal.throwIfAborted();
      const outgoing = await this.outgoing(call);
      secrets = outgoing.secrets;
      const [value, status] = await this.inTurn(call, deadline, async () => {
        const incoming = await this.follow(call, outgoing, deadline);
        const value = await this.valueOf(call, outgoing, incoming, deadline);
        return [value, incoming.response.statusCode] as const;
      });
      note(status);
      return value;
    } catch (error) {
      const explained =
        deadline.error(request, base.host) ??
        this.explained(error, { request, secrets, after: performance.now() - start });
      note(explained.status ?? explained.kind);
      throw explained;
    }
  }

  /** Files have connections of their own, and wait for no other request. */
  private inTurn<T>({ body }: Call<unknown>, { signal }: Deadline, request: () => Promise<T>): Promise<T> {
    return body && 'pieces' in body ? request() : this.slots.run(request, signal);
  }

  private answerTime({ patience }: Pick<Call<unknown>, 'patience'>): Allowance {
    const { total, answerPace: pace, longest: most } = this.settings.timeouts;
    return patience === undefined ? { total, pace, most } : { total: total + patience, pace };
  }

  /** Method and path: what errors and logs may say of a call. */
  private nameOf(call: Call<unknown>): string {
    return `${call.method} ${withoutEnd(this.settings.base.pathname, '/')}${call.path}`;
  }

  private async outgoing({ method, path, query, login, body, ifMatch }: Call<unknown>): Promise<Outgoing> {
    const { base, tokenHeader, connections } = this.settings;
    const headers: Record<string, string> = { accept: 'application/xml', 'accept-encoding': this.encodingFor(method) };
    if (body) headers['content-type'] = body.contentType;
    if (body && 'pieces' in body) headers['content-length'] = String(body.contentLength);
    if (ifMatch !== undefined && method !== 'GET') headers['if-match'] = ifMatch;
    const keptFor = { owner: undefined, kept: undefined };
    if (typeof login === 'object') {
      headers.authorization = login.authorization;
      return { url: addressOf(base, path, query), headers, secrets: connections.secrets, ...keptFor };
    }
    const token = await this.token();
    const secrets = [token, ...connections.secrets];
    if (login === 'query') {
      const withToken = new URLSearchParams([...(query ?? []), ['token', token]]);
      return { url: addressOf(base, path, withToken), headers, secrets, ...keptFor };
    }
    headers[tokenHeader.toLowerCase()] = token;
    const url = addressOf(base, path, query);
    if (method !== 'GET') return { url, headers, secrets, ...keptFor };
    const owner = this.answers.ownerOf(token);
    return { url, headers, secrets, owner, kept: this.answers.find(owner, url.href) };
  }

  private encodingFor(method: Call<unknown>['method']): string {
    return method === 'GET' && this.settings.isCompressed ? 'gzip' : 'identity';
  }

  private async token(): Promise<string> {
    const token = await this.settings.token().catch((error: unknown) => {
      if (error instanceof TrackerError) throw error;
      throw new TrackerError('unauthorized', t('There is no API token for {0}. Sign in.', this.settings.base.host));
    });
    return checkedToken(token);
  }

  private async follow(call: Call<unknown>, outgoing: Outgoing, deadline: Deadline): Promise<Incoming> {
    const { headers, kept } = outgoing;
    let from = outgoing.url;
    for (let followed = 0; ; followed += 1) {
      // What is known of one address says nothing of the one it leads to.
      const asked = followed === 0 ? { ...headers, ...kept?.validator } : headers;
      const response = await this.sendOnce(call, from, asked, deadline);
      if (!isRedirect(response.statusCode)) return { response, isDirect: followed === 0 };
      await discarded(response, deadline.signal);
      const location = oneHeader(response, 'location');
      const request = this.nameOf(call);
      from = redirectTarget({ method: call.method, request, status: response.statusCode, from, location, followed });
    }
  }

  private sendOnce(
    { method, body, mayGo, patience }: Call<unknown>,
    url: URL,
    headers: Record<string, string>,
    deadline: Deadline,
  ): Promise<Dispatcher.ResponseData> {
    const { connections, timeouts } = this.settings;
    const { signal } = deadline;
    if (method !== 'GET' && mayGo?.() === false) throw new TrackerError('cancelled', 'It may no longer be sent.');
    const common = {
      method,
      headers,
      signal,
      headersTimeout: patience ?? timeouts.headers,
      bodyTimeout: timeouts.body,
    };
    if (!body) return connections.request(url, common);
    if ('text' in body) return connections.request(url, { ...common, body: body.text });
    // A piece is asked for when the one before has been taken.
    const pieces = counted(body.pieces, (bytes) => deadline.note(bytes));
    return connections.upload(url, { ...common, body: asBody(pieces) });
  }

  private async valueOf<T>(
    call: Call<T>,
    outgoing: Outgoing,
    { response, isDirect }: Incoming,
    deadline: Deadline,
  ): Promise<T> {
    const { kept, secrets } = outgoing;
    const { base } = this.settings;
    if (call.body && 'pieces' in call.body) deadline.restart(this.answerTime(call));
    const status = response.statusCode;
    const arrival = { response, host: base.host, mayBeGzip: this.encodingFor(call.method) === 'gzip' };
    if (status === 304 && kept && isDirect) {
      await discarded(response);
      const { validator } = kept;
      if ('if-none-match' in validator) call.onTag?.(validator['if-none-match']);
      // The same address is always read the same way.
      return kept.value as T;
    }
    if (status >= 200 && status <= 299) return this.read(call, outgoing, arrival, isDirect, deadline);
    const said = await startOfBody(arrival);
    const request = this.nameOf(call);
    if (isRefusedCertificate(status, said)) throw certificateError({ request, status, host: base.host });
    const sentences = errorSentences(said).map((sentence) => without(secrets, sentence));
    const fields = fieldErrors(said).map((each) => ({ ...each, sentence: without(secrets, each.sentence) }));
    const wait = retryAfter(oneHeader(response, 'retry-after'), Date.now());
    throw statusError({ request, status, host: base.host, sentences, fields, retryAfter: wait });
  }

  /** Reads an answer, and keeps it when it is small and can be asked for again. */
  private async read<T>(
    call: Call<T>,
    { url, owner }: Outgoing,
    arrival: Arrival,
    isDirect: boolean,
    deadline: Deadline,
  ): Promise<T> {
    const header = (name: string) => oneHeader(arrival.response, name);
    const validator = isDirect ? validatorOf(header) : undefined;
    const tag = entityTagOf(header);
    if (tag !== undefined) call.onTag?.(tag);
    let length = 0;
    const count = (bytes: number) => {
      length += bytes;
      deadline.note(bytes);
    };
    const value = await call.read(counted(bodyOf(arrival), count));
    if (owner === undefined || validator === undefined) return value;
    if (length <= KEPT_BODY) this.answers.put(owner, url.href, { validator, value });
    return value;
  }

  private explained(error: unknown, { request, secrets, after }: Failed): TrackerError {
    const { host } = this.settings.base;
    if (error instanceof TrackerError) return named(error, request);
    if (!(error instanceof XmlError)) return networkError(error, request, host, after);
    const message = t(
      'The answer from {0} cannot be used. {1} Does it offer API version 3?',
      host,
      visibleLine(error.message, 300),
    );
    return new TrackerError('protocol', without(secrets, message), { request });
  }
}

/** Errors of a connection do not know for which request it was made. */
function named(error: TrackerError, request: string): TrackerError {
  if (error.request !== undefined) return error;
  const { kind, message, status, cause, fields } = error;
  return new TrackerError(kind, message, { request, cause, fields, ...(status === undefined ? {} : { status }) });
}

/**
 * The library takes any iterable and asks for the next piece when the socket has drained, which the reused buffers need; its
 * types name streams only, and a stream would read ahead.
 */
function asBody(pieces: AsyncIterable<Uint8Array>): Readable {
  return pieces as Readable;
}

async function* counted(body: AsyncIterable<Uint8Array>, count: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    count(chunk.length);
    yield chunk;
  }
}

function without(secrets: readonly string[], text: string): string {
  return secrets.reduce((left, secret) => left.replaceAll(secret, '…'), text);
}
