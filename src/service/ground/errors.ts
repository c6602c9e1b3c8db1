/** What v3 says of everything that is not there, and not there for the one who asks (protocol.md, Proven since). */
const RESOURCE_NOT_FOUND = 'Resource not found';

/** Why a request was not done: a status and sentences a person can act on. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly sentences: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  /** What the API answers instead of the sentences, where v3 is known to have said no more. */
  readonly apiMessage: string | undefined;

  constructor(
    status: number,
    sentences: string | readonly string[],
    headers: Readonly<Record<string, string>> = {},
    apiMessage?: string,
  ) {
    const list = typeof sentences === 'string' ? [sentences] : sentences;
    super(list.join(' '));
    this.status = status;
    this.sentences = list;
    this.headers = headers;
    this.apiMessage = apiMessage;
  }
}

export const badRequest = (sentence: string): Refusal => new Refusal(400, sentence);
export const forbidden = (sentence: string): Refusal => new Refusal(403, sentence);
export const notFound = (sentence: string): Refusal => new Refusal(404, sentence, {}, RESOURCE_NOT_FOUND);
/** The same for an address that people open, who are told why. */
export const pageNotFound = (sentence: string): Refusal => new Refusal(404, sentence);
/** Well-formed but refused (protocol.md, Status codes). */
export const unprocessable = (sentences: string | readonly string[]): Refusal => new Refusal(422, sentences);

/** An element that no story ever had (protocol.md, Proven since). */
export function unknownAttribute(name: string): Refusal {
  const message = `unknown attribute: ${name}`;
  return new Refusal(422, message, {}, message);
}

/** The body of a 401 says no more than v3 did; whoever writes a client finds the sentence beside the challenge. */
export function unauthorized(challenge: string, sentence: string): Refusal {
  return new Refusal(401, sentence, { 'WWW-Authenticate': `${challenge}, error_description="${sentence}"` });
}

/** More than there may be in a time; `wait` is in seconds. */
export function tooMany(sentence: string, wait: number): Refusal {
  return new Refusal(429, `${sentence} Try again in ${wait} s.`, { 'Retry-After': String(wait) });
}
