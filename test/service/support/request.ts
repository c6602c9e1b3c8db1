import assert from 'node:assert/strict';
import { get } from 'node:http';
import { text as textIn } from 'node:stream/consumers';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface RequestOptions {
  readonly method?: string;
  readonly token?: string;
  readonly body?: string | FormData;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One HTTP request; a text body is sent as XML unless the headers say otherwise. */
export async function request(url: string, options: RequestOptions = {}): Promise<Answer> {
  const { method = 'GET', token, body } = options;
  const headers = {
    ...(token !== undefined && { 'X-ServiceToken': token }),
    ...(typeof body === 'string' && { 'Content-Type': 'application/xml' }),
    ...options.headers,
  };
  const response = await fetch(url, { method, headers, redirect: 'manual', ...(body !== undefined && { body }) });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Reads what is at an address as one that calls the service by another name, which `fetch` does not do; without the headers of the answer. */
export function requestByName(
  url: string,
  host: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { ...headers, Host: host }, agent: false }, (response) => {
      textIn(response).then(
        (text) => resolve({ status: response.statusCode ?? 0, headers: new Headers(), text }),
        reject,
      );
    }).on('error', reject);
  });
}

/** The texts of all elements of this name, in order, as they stand in the XML. */
export function texts({ text }: Pick<Answer, 'text'>, element: string): string[] {
  const pattern = new RegExp(`<${element}(?: [^>]*)?(?:/>|>([^<]*)</${element}>)`, 'g');
  return [...text.matchAll(pattern)].map((match) => match[1] ?? '');
}

/** The text of the first element of this name. */
export function textOf(answer: Pick<Answer, 'text'>, element: string): string {
  const [first] = texts(answer, element);
  assert.notEqual(first, undefined, `no <${element}> in ${answer.text}`);
  return first ?? '';
}

/** The id of what was answered: the first `id` there is. */
export function idOf(answer: Answer): number {
  assertStatus(answer, 200);
  return Number(textOf(answer, 'id'));
}

export function assertStatus(answer: Answer, status: number): void {
  assert.equal(answer.status, status, answer.text);
}

/** The one answer to what is not there, or not for the one who asks. */
export function assertNotFound(answer: Answer): void {
  assertStatus(answer, 404);
  assert.equal(answer.headers.get('content-type'), 'application/xml; charset=utf-8');
  const body = '<message>Resource not found</message>';
  assert.equal(answer.text, `<?xml version="1.0" encoding="UTF-8"?>\n${body}\n`);
}

/** The one answer to who does not say who they are; what to do about it is in the head. */
export function assertDenied(answer: Answer, challenge: RegExp = /./): void {
  assertStatus(answer, 401);
  assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8');
  assert.equal(answer.text, 'Access denied.\n');
  assert.match(answer.headers.get('www-authenticate') ?? '', challenge);
}

/** A refusal: its status, and a sentence that a person can act on. */
export function assertRefused(answer: Answer, status: number, sentence: RegExp): void {
  assertStatus(answer, status);
  assert.match(answer.text, /^<\?xml version="1.0" encoding="UTF-8"\?>\n<errors>/);
  assert.match(texts(answer, 'error').join('\n'), sentence);
}
