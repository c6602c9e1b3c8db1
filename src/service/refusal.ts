/** Why a request was not done, as the caller is told: a status and sentences a person can act on. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly sentences: readonly string[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, sentences: string | readonly string[], headers: Readonly<Record<string, string>> = {}) {
    const list = typeof sentences === 'string' ? [sentences] : sentences;
    super(list.join(' '));
    this.status = status;
    this.sentences = list;
    this.headers = headers;
  }
}

export const badRequest = (sentence: string): Refusal => new Refusal(400, sentence);
export const forbidden = (sentence: string): Refusal => new Refusal(403, sentence);
export const notFound = (sentence: string): Refusal => new Refusal(404, sentence);
/** Well-formed but refused (protocol.md, Status codes). */
export const unprocessable = (sentences: string | readonly string[]): Refusal => new Refusal(422, sentences);
