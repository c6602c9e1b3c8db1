import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { text as bodyOf } from 'node:stream/consumers';
import type { Answer } from './request.ts';

/** A browser as far as pages without scripts need one: it keeps the cookie, sends forms, and follows nothing by itself. */
export class Browser {
  /** As the service set it, without its attributes. */
  cookie = '';
  /** All of the last one that was set. */
  setCookie = '';
  private readonly url: string;
  private readonly more: Readonly<Record<string, string>>;

  constructor(url: string, more: Readonly<Record<string, string>> = {}) {
    this.url = url;
    this.more = more;
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.send(path, { headers });
  }

  /** Sends a form as the page would, unless the headers say otherwise. */
  post(
    path: string,
    fields: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const form = {
      'Content-Type': 'application/x-www-form-urlencoded',
      Origin: 'null',
      'Sec-Fetch-Site': 'same-origin',
    };
    return this.send(path, {
      method: 'POST',
      body: new URLSearchParams(fields).toString(),
      headers: { ...form, 'Sec-Fetch-Mode': 'navigate', ...headers },
    });
  }

  /** Presses a button of the account's page. */
  async press(action: string): Promise<Answer> {
    return this.post('/account', { key: await this.key(), do: action });
  }

  async key(): Promise<string> {
    return keyIn(await this.get('/account'));
  }

  private async send(path: string, { headers, method = 'GET', body }: Sent): Promise<Answer> {
    const all = { ...this.more, ...(this.cookie !== '' && { Cookie: this.cookie }), ...headers };
    const answer = await sent(this.url + path, { method, body, headers: all });
    this.setCookie = answer.headers.get('set-cookie') ?? this.setCookie;
    if (answer.headers.has('set-cookie')) this.cookie = this.setCookie.split(';')[0] ?? '';
    return answer;
  }
}

interface Sent {
  readonly method?: string;
  readonly body?: string | undefined;
  /** Those that are empty are left out. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Not by `fetch`, which says itself how it fetches. */
async function sent(url: string, { method, body, headers }: Sent): Promise<Answer> {
  const said = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''));
  const request = httpRequest(url, { method, headers: said }).end(body);
  const [response]: IncomingMessage[] = await once(request, 'response');
  if (!response) throw new Error('There was no answer.');
  const known = new Headers();
  for (const [name, value] of Object.entries(response.headersDistinct)) known.set(name, value?.join(', ') ?? '');
  return { status: response.statusCode ?? 0, headers: known, text: await bodyOf(response) };
}

export function keyIn({ text }: Pick<Answer, 'text'>): string {
  return /name="key" value="([^"]+)"/.exec(text)?.[1] ?? '';
}
