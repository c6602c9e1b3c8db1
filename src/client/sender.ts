import type { Readable } from 'node:stream';
import { type Dispatcher, request as send } from 'undici';
import { TrackerError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { errorSentences } from '../v3/errorList.ts';
import { XmlError } from '../v3/xmlError.ts';
import type { AnswerReader } from './answers.ts';
import { addressOf } from './baseUrl.ts';
import { Deadline } from './deadline.ts';
import { networkError } from './networkError.ts';
import { isRedirect, redirectTarget } from './redirect.ts';
import { type Pace, retryAfter, withRetries } from './retry.ts';
import { statusError } from './statusError.ts';
import type { Timeouts } from './timeouts.ts';
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
}

export interface SenderSettings {
  readonly base: URL;
  readonly dispatcher: Dispatcher;
  readonly uploadDispatcher: Dispatcher;
  readonly token: () => Promise<string>;
  readonly tokenHeader: string;
  readonly timeouts: Timeouts;
  readonly pace: Pace;
  readonly log: Log;
}

interface Outgoing {
  readonly url: URL;
  readonly headers: Record<string, string>;
  /** What must not be in an error, even when the server says it. */
  readonly secret: string | undefined;
}

const LONGEST_ERROR_BODY = 256 * 1024;

/** Sends calls to one server and gives back values or `TrackerError`, nothing else. Reads are retried, writes never. */
export class Sender {
  private readonly settings: SenderSettings;

  constructor(settings: SenderSettings) {
    this.settings = settings;
  }

  async call<T>(call: Call<T>): Promise<T> {
    const { timeouts, pace, base } = this.settings;
    const isUpload = call.body !== undefined && 'pieces' in call.body;
    const deadline = new Deadline(isUpload ? undefined : timeouts.total, call.signal);
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
    let secret: string | undefined;
    try {
      deadline.signal.throwIfAborted();
      const outgoing = await this.outgoing(call);
      secret = outgoing.secret;
      const response = await this.follow(call, outgoing, deadline.signal);
      const value = await this.valueOf(call, response, secret);
      note(response.statusCode);
      return value;
    } catch (error) {
      const explained = deadline.error(request, base.host) ?? this.explained(error, request, secret);
      note(explained.status ?? explained.kind);
      throw explained;
    }
  }

  /** Method and path: what errors and logs may say of a call. */
  private nameOf(call: Call<unknown>): string {
    return `${call.method} ${this.settings.base.pathname.replace(/\/+$/, '')}${call.path}`;
  }

  private async outgoing({ path, query, login, body }: Call<unknown>): Promise<Outgoing> {
    const { base, tokenHeader } = this.settings;
    const headers: Record<string, string> = { accept: 'application/xml', 'accept-encoding': 'identity' };
    if (body) headers['content-type'] = body.contentType;
    if (body && 'pieces' in body) headers['content-length'] = String(body.contentLength);
    if (typeof login === 'object') {
      headers.authorization = login.authorization;
      return { url: addressOf(base, path, query), headers, secret: undefined };
    }
    const token = await this.token();
    if (login === 'query') {
      return {
        url: addressOf(base, path, new URLSearchParams([...(query ?? []), ['token', token]])),
        headers,
        secret: token,
      };
    }
    headers[tokenHeader.toLowerCase()] = token;
    return { url: addressOf(base, path, query), headers, secret: token };
  }

  private async token(): Promise<string> {
    const token = await this.settings.token().catch((error: unknown) => {
      if (error instanceof TrackerError) throw error;
      throw new TrackerError('unauthorized', `There is no API token for ${this.settings.base.host}. Sign in.`);
    });
    return checkedToken(token);
  }

  private async follow(call: Call<unknown>, outgoing: Outgoing, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    let from = outgoing.url;
    for (let followed = 0; ; followed += 1) {
      const response = await this.sendOnce(call, from, outgoing.headers, signal);
      if (!isRedirect(response.statusCode)) return response;
      await response.body.dump({ limit: LONGEST_ERROR_BODY, signal }).catch(() => undefined);
      const location = oneHeader(response, 'location');
      const request = this.nameOf(call);
      from = redirectTarget({ method: call.method, request, status: response.statusCode, from, location, followed });
    }
  }

  private sendOnce(
    { method, body }: Call<unknown>,
    url: URL,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<Dispatcher.ResponseData> {
    const { dispatcher, uploadDispatcher, timeouts } = this.settings;
    const common = { method, headers, signal, headersTimeout: timeouts.headers, bodyTimeout: timeouts.body };
    if (!body) return send(url, { ...common, dispatcher });
    if ('text' in body) return send(url, { ...common, dispatcher, body: body.text });
    return send(url, { ...common, dispatcher: uploadDispatcher, body: asBody(body.pieces) });
  }

  private async valueOf<T>(call: Call<T>, response: Dispatcher.ResponseData, secret: string | undefined): Promise<T> {
    const { base } = this.settings;
    const status = response.statusCode;
    const details = { request: this.nameOf(call), status };
    if (status < 200 || status > 299) {
      const sentences = errorSentences(await startOfBody(response)).map((sentence) => without(secret, sentence));
      const wait = retryAfter(oneHeader(response, 'retry-after'), Date.now());
      throw statusError({ ...details, host: base.host, sentences, retryAfter: wait });
    }
    const strange = strangeness(response);
    if (strange === undefined) return call.read(response.body);
    await response.body.dump({ limit: LONGEST_ERROR_BODY }).catch(() => undefined);
    throw new TrackerError('protocol', `${base.host} answered with ${strange}`, details);
  }

  private explained(error: unknown, request: string, secret: string | undefined): TrackerError {
    const { host } = this.settings.base;
    if (error instanceof TrackerError) return named(error, request);
    if (!(error instanceof XmlError)) return networkError(error, request, host);
    const message = `The answer of ${host} cannot be used. ${error.message} Is it a tracker of API version 3?`;
    return new TrackerError('protocol', without(secret, message), { request });
  }
}

/** Errors of a connection do not know for which request it was made. */
function named(error: TrackerError, request: string): TrackerError {
  if (error.request !== undefined) return error;
  const { kind, message, status, cause } = error;
  return new TrackerError(kind, message, { request, cause, ...(status === undefined ? {} : { status }) });
}

/**
 * The library takes any iterable and asks for the next piece when the socket has drained, which the reused buffers need; its
 * types name streams only, and a stream would read ahead.
 */
function asBody(pieces: AsyncIterable<Uint8Array>): Readable {
  return pieces as Readable;
}

/** What makes an answer one that no tracker gives; undefined when nothing does. */
function strangeness(response: Dispatcher.ResponseData): string | undefined {
  if (/html/i.test(oneHeader(response, 'content-type') ?? '')) {
    return 'a web page. Check the address; a proxy or sign-in page may be in between.';
  }
  const encoding = oneHeader(response, 'content-encoding');
  return encoding === undefined || encoding === '' || encoding === 'identity'
    ? undefined
    : 'compressed data, which was not asked for. A proxy may be in between.';
}

/** Enough of an error's body to find its sentences; an answer that breaks off has said its status already. */
async function startOfBody({ body }: Dispatcher.ResponseData): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > LONGEST_ERROR_BODY) break;
    }
  } catch {
    return Buffer.concat(chunks);
  }
  return Buffer.concat(chunks);
}

function oneHeader(response: Dispatcher.ResponseData, name: string): string | undefined {
  const value = response.headers[name];
  return typeof value === 'object' ? value[0] : value;
}

function without(secret: string | undefined, text: string): string {
  return secret === undefined ? text : text.replaceAll(secret, '…');
}
