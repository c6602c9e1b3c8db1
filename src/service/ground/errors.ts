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

/** The command line was not understood: said in a sentence, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const NAME = 'StoreUnavailable';

interface Circumstances {
  readonly cause?: unknown;
  /** Whether the log has been told: what lasts is said once, not with each request. */
  readonly isTold?: boolean;
}

/** The store cannot be asked at the moment; trying again later is right. The message is for the caller. */
export class StoreUnavailable extends Error {
  override readonly name = NAME;
  readonly isTold: boolean;

  constructor(message: string, { isTold = false, cause }: Circumstances = {}) {
    super(message, { cause });
    this.isTold = isTold;
  }
}

/** By name, since the PostgreSQL part is a bundle with a class of its own. */
export function isStoreUnavailable(error: unknown): error is Pick<StoreUnavailable, 'message' | 'cause' | 'isTold'> {
  return error instanceof Error && error.name === NAME;
}

/** Whether an error is one of a store of which the log has been told. */
export function isToldAlready(error: unknown): boolean {
  return isStoreUnavailable(error) && error.isTold;
}

/** To catch what comes of loading a part that lies beside the service. The extension's own copy has no use for them and comes without. */
export function missingPart(file: string, use: string): (error: unknown) => never {
  return (error) => {
    const isMissing = error instanceof Error && 'code' in error && String(error.code).endsWith('MODULE_NOT_FOUND');
    if (!isMissing) throw error;
    throw new Error(
      `This copy of the service came without ${file}, its part ${use}. Take the whole service: \`npm run build\` leaves all in dist.`,
      { cause: error },
    );
  };
}
