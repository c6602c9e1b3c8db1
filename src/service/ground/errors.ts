/** What v3 says of everything that is not there, and not there for the one who asks (protocol.md, Proven since). */
const RESOURCE_NOT_FOUND = 'Resource not found';

/** Why one element of a request was refused. */
export interface Objection {
  readonly field: string;
  readonly sentence: string;
}

type Said = string | readonly (string | Objection)[];

/** Why a request was not done: a status and sentences a person can act on. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly sentences: readonly string[];
  /** The elements that the sentences are about, where that is known. */
  readonly fields: readonly (string | undefined)[];
  readonly headers: Readonly<Record<string, string>>;
  /** What the API answers instead of the sentences, where v3 is known to have said no more. */
  readonly apiMessage: string | undefined;

  constructor(status: number, said: Said, headers: Readonly<Record<string, string>> = {}, apiMessage?: string) {
    const list = typeof said === 'string' ? [said] : said;
    const sentences = list.map((one) => (typeof one === 'string' ? one : one.sentence));
    super(sentences.join(' '));
    this.status = status;
    this.sentences = sentences;
    this.fields = list.map((one) => (typeof one === 'string' ? undefined : one.field));
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
export const unprocessable = (said: Said): Refusal => new Refusal(422, said);

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

/** What the system or a library calls what went wrong, such as `ENOENT`; empty where it calls it nothing. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** To catch what comes of loading a part that lies beside the service. The extension's own copy has no use for them and comes without. */
export function missingPart(file: string, use: string): (error: unknown) => never {
  return (error) => {
    if (!errorCode(error).endsWith('MODULE_NOT_FOUND')) throw error;
    throw new Error(
      `This copy of the service came without ${file}, its part ${use}. Take the whole service: \`npm run build\` leaves all in dist.`,
      { cause: error },
    );
  };
}
